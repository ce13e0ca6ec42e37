// A frame that is stored: its bytes are not compressed, because compression would hardly shrink
// them. It is written without a copy, and is read faster than a compressed frame.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "backend/pieces.h"
#include "compression/frame_parts.h"
#include "sluice/bytes.h"

namespace sluice {

// True if compression saves at least 3 % of the frame.
inline bool is_worth_compressing(std::size_t bytes, std::size_t compressed_bytes) {
  return compressed_bytes <= bytes - bytes * 3 / 100 && compressed_bytes < bytes;
}

// Adds all bytes of the pieces to the frame, in blocks of `block_bytes` bytes. Before each
// block stands a header, which put_header(at, bytes of the block, is_last) writes to `at`; it
// returns the end of the header. Returns the end of the last header.
template <std::size_t block_bytes, typename PutHeader>
std::byte* store_blocks(std::span<const BytesView> pieces, std::byte* at, FrameParts& frame,
                        PutHeader put_header) {
  static_assert(block_bytes >= FrameParts::least_block_bytes, "frame.add() would need memory");
  std::size_t left = bytes_in(pieces);
  std::size_t piece = 0;
  std::size_t taken = 0;  // of this piece
  while (left != 0) {
    const std::size_t bytes = std::min(left, block_bytes);
    left -= bytes;
    std::byte* const end = put_header(at, bytes, left == 0);
    frame.add({at, end});
    at = end;
    for (std::size_t wanted = bytes; wanted != 0;) {
      const BytesView part =
          pieces[piece].subspan(taken, std::min(wanted, pieces[piece].size() - taken));
      frame.add(part);
      taken += part.size();
      wanted -= part.size();
      if (taken != pieces[piece].size()) continue;
      ++piece;
      taken = 0;
    }
  }
  return at;
}

}  // namespace sluice
