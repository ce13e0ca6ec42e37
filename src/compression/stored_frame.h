// A frame that is stored: its bytes are not compressed, because compression would hardly shrink
// them. It is read faster than a compressed frame.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "sluice/bytes.h"

namespace sluice {

// False if the frame is smaller by less than 3 %.
inline bool is_worth_compressing(std::size_t bytes, std::size_t compressed_bytes) {
  return compressed_bytes <= bytes - bytes * 3 / 100 && compressed_bytes < bytes;
}

inline std::size_t total_bytes(std::span<const BytesView> pieces) {
  std::size_t bytes = 0;
  for (const BytesView piece : pieces) bytes += piece.size();
  return bytes;
}

// Copies all bytes of the pieces to `to`, in blocks of at most `block_bytes` bytes. Before each
// block stand `header_bytes` bytes, which put_header(header, bytes of the block, is_last) writes.
// Returns the end of the last block.
template <typename PutHeader>
std::byte* store_blocks(std::span<const BytesView> pieces, std::size_t block_bytes,
                        std::size_t header_bytes, std::byte* to, PutHeader put_header) {
  std::size_t left = total_bytes(pieces);
  std::size_t piece = 0;
  std::size_t taken = 0;  // of this piece
  while (left != 0) {
    const std::size_t bytes = std::min(left, block_bytes);
    left -= bytes;
    put_header(to, bytes, left == 0);
    to += header_bytes;
    for (std::size_t wanted = bytes; wanted != 0;) {
      const BytesView part =
          pieces[piece].subspan(taken, std::min(wanted, pieces[piece].size() - taken));
      if (!part.empty()) std::memcpy(to, part.data(), part.size());
      to += part.size();
      taken += part.size();
      wanted -= part.size();
      if (taken != pieces[piece].size()) continue;
      ++piece;
      taken = 0;
    }
  }
  return to;
}

// Writes the lowest `bytes` bytes of the number, the lowest first.
inline std::byte* put_number(std::byte* to, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) *to++ = static_cast<std::byte>(value >> 8 * i);
  return to;
}

}  // namespace sluice
