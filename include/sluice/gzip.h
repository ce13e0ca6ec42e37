// gzip: reading files of the gzip command. Link with sluice::gzip in CMake, or with
// -lsluice_gzip -lsluice -lz, and -lisal with the static libraries.
#pragma once

#include "sluice/compression.h"

namespace sluice {

// This Codec only decompresses. A file may have several members, as a file has after
// `gzip >> file`. The checksum of each member is verified.
const Codec& gzip() noexcept;

}  // namespace sluice
