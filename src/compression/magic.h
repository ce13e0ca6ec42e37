// How frames begin: the formats of zstd and lz4 begin with a magic number of 32 bits, the lowest
// byte first. Both have skippable frames, with the same magic numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sluice/bytes.h"

namespace sluice {

inline bool begins_with(BytesView beginning, std::uint32_t magic, std::uint32_t mask = ~0u) {
  if (beginning.size() < 4) return false;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number |= std::to_integer<std::uint32_t>(beginning[i]) << 8 * i;
  }
  return (number & mask) == magic;
}

// For example, pzstd writes such a frame before each other frame.
inline bool begins_with_skippable_frame(BytesView beginning) {
  return begins_with(beginning, 0x184D2A50, 0xFFFF'FFF0);
}

}  // namespace sluice
