// zstd: compression in the format of the zstd command. Link with sluice::zstd in CMake, or with
// -lsluice_zstd -lsluice -lzstd, and -lisal with the static libraries.
#pragma once

#include "sluice/compression.h"

namespace sluice {

// Levels -7 to 22; the default is 1. Level 1 compresses several hundred MB/s on one processor.
const Codec& zstd() noexcept;

}  // namespace sluice
