// CRC32C (Castagnoli), computed by Intel's ISA-L with the processor's own instructions. A build
// without ISA-L computes it byte by byte from a table.
#pragma once

#include <cstdint>

#include "sluice/sink.h"

namespace sluice {

// Continues a checksum: `before` is the checksum of the bytes before (0 if there are none), and the
// result is the checksum of those bytes and `bytes`.
std::uint32_t crc32c(std::uint32_t before, BytesView bytes) noexcept;

}  // namespace sluice
