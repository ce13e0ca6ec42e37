// Test bytes that differ at every distance, so that a lost, doubled or moved piece shows.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::testing {

inline char pattern_at(std::uint64_t i) {
  std::uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15u;
  mixed ^= mixed >> 29;
  return static_cast<char>(mixed * 0xbf58476d1ce4e5b9u >> 56);
}

// Returns pattern_at(begin) .. pattern_at(begin + count - 1).
inline std::string pattern(std::uint64_t begin, std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) bytes[i] = pattern_at(begin + i);
  return bytes;
}

}  // namespace sluice::testing
