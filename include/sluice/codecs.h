// All formats of compressed files, for a program that reads whichever file it is given.
//
//   sluice::Reader reader;
//   const Status status = sluice::open_decompressed(reader, path, sluice::all_codecs());
//
// Link with sluice::codecs in CMake, or with the libraries that `pkg-config --libs sluice-codecs`
// names.
#pragma once

#include <initializer_list>
#include <string_view>

#include "sluice/compression.h"

namespace sluice {

// Every Codec of the library that reads: zstd, lz4, gzip, and any_series() of sluice/series.h. A
// Codec is missing if its library was missing where sluice was built.
std::initializer_list<const Codec*> all_codecs() noexcept;

// The Codec of this name ("zstd", "lz4", "gzip", "series:double" and the other names of
// sluice/series.h, or "series" for any_series()), or null if there is none.
const Codec* codec_named(std::string_view name) noexcept;

}  // namespace sluice
