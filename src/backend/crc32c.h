// CRC32C (Castagnoli), computed by Intel's ISA-L with what the processor has for it.
#pragma once

#include <cstdint>

#include "sluice/sink.h"

namespace sluice {

// Whether this build has ISA-L. Nothing below may be called without.
bool has_crc32c() noexcept;

// The checksum of what `before` is the checksum of (0: nothing), followed by `bytes`.
std::uint32_t crc32c(std::uint32_t before, BytesView bytes) noexcept;

}  // namespace sluice
