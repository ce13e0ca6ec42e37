// How frames begin: the formats of zstd and lz4 begin with a magic number of 32 bits, the lowest
// byte first. Both have skippable frames, with the same magic numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compression/little_endian.h"
#include "sluice/bytes.h"

namespace sluice {

inline bool begins_with(BytesView beginning, std::uint32_t magic, std::uint32_t mask = ~0u) {
  return beginning.size() >= 4 && (number_at(beginning.data()) & mask) == magic;
}

// For example, pzstd writes such a frame before each other frame.
inline bool begins_with_skippable_frame(BytesView beginning) {
  return begins_with(beginning, 0x184D2A50, 0xFFFF'FFF0);
}

}  // namespace sluice
