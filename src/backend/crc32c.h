// CRC32C (Castagnoli), computed by Intel's ISA-L with the processor's own instructions.
#pragma once

#include <cstdint>

#include "sluice/sink.h"

namespace sluice {

// Tells whether this build has ISA-L. Without ISA-L the function below must not be called.
bool has_crc32c() noexcept;

// Continues a checksum: `before` is the checksum of the bytes before (0 if there are none), and the
// result is the checksum of those bytes and `bytes`.
std::uint32_t crc32c(std::uint32_t before, BytesView bytes) noexcept;

}  // namespace sluice
