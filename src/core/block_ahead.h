// BlockAhead: the block that follows the Reader's block, while the Source reads it and until the
// Reader comes to it.
//
// It owns its block. The Source writes to the block until the read that was begun has ended, so no
// other code looks at the block before. A read that fails is forgotten: the Reader reads the bytes
// again when it comes to them, and finds the failure then.
// Not thread-safe: the Source reads in the background.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/block.h"
#include "sluice/bytes.h"
#include "sluice/source.h"

namespace sluice {

class BlockAhead {
 public:
  explicit BlockAhead(Source& source) : source_(source) {}
  ~BlockAhead() { wait(); }  // before the Source is closed
  BlockAhead(const BlockAhead&) = delete;
  BlockAhead& operator=(const BlockAhead&) = delete;

  // Begins to read, unless there are bytes that the Reader has not taken.
  void begin(std::uint64_t position, std::size_t bytes);

  // The bytes that begin at this position; empty if there are none. Waits for them.
  MutableBytesView bytes_at(std::uint64_t position);
  // The number of bytes that may be put right before the bytes.
  std::size_t room_before() const { return begin_; }

  // Copies the bytes that begin at this position. Returns false if there are none.
  bool take(std::uint64_t position, MutableBytesView into, std::size_t& got);
  // Takes the block with all bytes that bytes_at() has told, and leaves `block` in its place.
  void exchange(Block& block);
  // The Reader will not come to the bytes. Does not wait.
  void forget() { is_wanted_ = false; }

 private:
  void wait();
  bool make_room(std::size_t bytes);

  Source& source_;
  Block block_;
  bool is_under_way_ = false;
  bool is_wanted_ = false;
  std::size_t wanted_bytes_ = 0;  // of the read that was begun
  std::uint64_t position_ = 0;    // of the byte at begin_
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace sluice
