// Numbers in the formats, the lowest byte first.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

// Writes the lowest `bytes` bytes of the number, and returns their end.
inline std::byte* put_number(std::byte* to, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) *to++ = static_cast<std::byte>(value >> 8 * i);
  return to;
}

// The number of 4 bytes.
inline std::uint32_t number_at(const std::byte* from) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(from[i]) << 8 * i;
  return value;
}

}  // namespace sluice
