// Sources that wrap another Source and own it: they count the bytes, limit them or add up a
// checksum. A further Source, the null Source, has no bytes.
//
//   sluice::Crc32c checksum;
//   std::unique_ptr<Source> source;
//   if (Status status = open_file_source("run.bin", {}, source); !status.ok()) return status;
//   source = make_checksumming_source(std::move(source), checksum);
//   if (Status status = reader.open(std::move(source)); !status.ok()) return status;
//
// Unless its function says otherwise, a wrapping Source behaves like the Source that it wraps. This
// holds for names, positions, sizes, reads_anywhere() and bypass_bytes().
//
// A variable that a wrapping Source writes to, such as `checksum` above, must outlive the Source.
// The variable covers the bytes that the Reader has fetched. Before the end, the Reader has usually
// fetched more bytes than it has handed out.
//
// If the Source that is to be wrapped is null, or if there is no memory, the functions return null.
// Reader::open reports null as ENOMEM.
#pragma once

#include <cstdint>
#include <memory>

#include "sluice/checksum.h"
#include "sluice/source.h"

namespace sluice {

// Makes a Source that has no bytes: the first read finds the end.
std::unique_ptr<Source> make_null_source();

// Adds 1 to `bytes` for each byte that is fetched. A byte that is fetched again after a seek counts
// again.
std::unique_ptr<Source> make_counting_source(std::unique_ptr<Source> from, std::uint64_t& bytes);

// Ends at byte `max_bytes`, or at the end of `from` if that comes first.
std::unique_ptr<Source> make_limiting_source(std::unique_ptr<Source> from, std::uint64_t max_bytes);

// Adds the bytes to `checksum` in the order in which they are fetched. This Source has no
// positions, even if `from` has. seek() of the Reader fails with ESPIPE, unless it stays within the
// Reader's block. skip() reads the bytes that it skips.
std::unique_ptr<Source> make_checksumming_source(std::unique_ptr<Source> from, Checksum& checksum);

}  // namespace sluice
