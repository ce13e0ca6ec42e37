// Notes where the data of large writes lies in memory. It finds one array that is handed over in
// pieces. It uses addresses alone.
#pragma once

#include <stdint.h>

#include "log.h"

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

}  // namespace sluice::preload
