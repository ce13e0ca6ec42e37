// Notes where the data of large calls lies in memory. It finds one array that is handed over in
// pieces, and a file that is read into a buffer which grows with it. It uses addresses alone.
#pragma once

#include <stdint.h>

#include "log.h"
#include "recorder.h"

namespace sluice::preload {

// For smaller calls the number of calls matters more, and their hooks must stay short.
inline constexpr uint64_t min_piece_bytes = 512;

// To be called before a call that hands over `bytes` at `data`.
inline void note_written(Usage* usage, const void* data, uint64_t bytes) {
  if (usage == nullptr || bytes < min_piece_bytes) return;
  const auto begin = reinterpret_cast<uint64_t>(data);
  if (begin == usage->data_end) ++usage->following;
  usage->data_end = begin + bytes;
}

// True for a read of about as many bytes as all reads before: a std::vector or a buffer of the
// program's own is doubled. The first reads of a file of records also look like this; its later
// reads do not.
inline bool asks_for_as_much_again(const Usage& usage, uint64_t bytes) {
  return bytes > usage.asked_bytes && usage.bytes > 0 && bytes >= usage.bytes / 5 * 2;
}

[[gnu::noinline]] inline void note_large_read(Usage& usage, const void* data, uint64_t bytes) {
  const auto begin = reinterpret_cast<uint64_t>(data);
  if (begin != usage.data_begin && asks_for_as_much_again(usage, bytes)) {
    ++usage.growths;
    usage.growth_ns += usage.ended_ns == 0 ? 0 : now_ns() - usage.ended_ns;
  }
  usage.data_begin = begin;
  usage.asked_bytes = bytes;
}

// To be called before a call that asks for `bytes` at `data`.
inline void note_read(Usage* usage, const void* data, uint64_t bytes) {
  if (usage != nullptr && bytes >= min_piece_bytes) note_large_read(*usage, data, bytes);
}

}  // namespace sluice::preload
