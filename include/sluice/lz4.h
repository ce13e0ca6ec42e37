// lz4: compression in the frame format of the lz4 command. It is faster than zstd, and its files
// are larger. Link with sluice::lz4 in CMake, or with -lsluice_lz4 -lsluice -llz4, and
// -lisal with the static libraries.
#pragma once

#include "sluice/compression.h"

namespace sluice {

// Levels -10 to 12; the default is 1. Levels below 1 compress faster and less well. From level 3
// on, compressing takes several times as long. Reading is equally fast at every level.
const Codec& lz4() noexcept;

}  // namespace sluice
