// The pieces that Sink::write gets: how many bytes they have, and their first bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "sluice/bytes.h"

namespace sluice {

inline std::size_t bytes_in(std::span<const BytesView> pieces) {
  std::size_t bytes = 0;
  for (const BytesView piece : pieces) bytes += piece.size();
  return bytes;
}

// Calls `use` with the first `bytes` bytes of the pieces, piece by piece.
template <typename Use>
void for_first_bytes(std::span<const BytesView> pieces, std::size_t bytes, Use use) {
  for (const BytesView piece : pieces) {
    const std::size_t part = std::min(piece.size(), bytes);
    if (part == 0) continue;
    use(piece.first(part));
    bytes -= part;
  }
}

// Returns pieces that hold the first `bytes` bytes of the given pieces.
inline std::vector<BytesView> first_bytes(std::span<const BytesView> pieces, std::size_t bytes) {
  std::vector<BytesView> first;
  for_first_bytes(pieces, bytes, [&](BytesView part) { first.push_back(part); });
  return first;
}

}  // namespace sluice
