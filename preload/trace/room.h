// Reserves room on the disk for the written parts of a mapped file.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sluice::preload {

// If the disk has no room for a page, writing to the page would kill the program. So room for each
// piece of the file is reserved before the piece is first used; a piece without room stays unused.
// Any thread and any signal handler may ask for room.
class Room {
 public:
  static constexpr size_t piece_bytes = 8192;
  static constexpr size_t max_bytes = 64 << 20;  // of any log

  // For a file that is mapped to `memory` and open as `descriptor`. False if there is no room.
  bool begin(void* memory, size_t bytes, int descriptor);

  // The file is mapped to `memory` from now on.
  void move_to(void* memory) { memory_ = static_cast<char*>(memory); }

  // True if `bytes` at `data` may be written to.
  bool has(const void* data, size_t bytes) {
    const size_t first = piece_of(data);
    const size_t last = piece_of(static_cast<const char*>(data) + bytes - 1);
    bool all = true;
    for (size_t piece = first; piece <= last; ++piece) all = has_piece(piece) && all;
    return all;
  }

 private:
  size_t piece_of(const void* data) const {
    return static_cast<size_t>(static_cast<const char*>(data) - memory_) / piece_bytes;
  }
  bool has_piece(size_t piece) {
    const uint64_t bit = uint64_t{1} << piece % 64;
    const uint64_t word = __atomic_load_n(&had_[piece / 64], __ATOMIC_RELAXED);
    return (word & bit) != 0 || get_piece(piece) == 0;
  }
  int get_piece(size_t piece);  // errno, or 0

  char* memory_ = nullptr;
  size_t bytes_ = 0;
  uint64_t had_[max_bytes / piece_bytes / 64]{};
};

}  // namespace sluice::preload
