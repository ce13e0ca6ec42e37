#include "stream_calls.h"

#include <algorithm>

namespace sluice::preload {

uint64_t lock_stream(FILE* stream) {
  if (ftrylockfile(stream) == 0) return 0;
  const uint64_t start = ticks();
  flockfile(stream);
  return ticks() - start;
}

void unlock_stream(void* stream) { funlockfile(static_cast<FILE*>(stream)); }

// First the full buffer, and then whole multiples of it without copying.
uint64_t writes_of(uint64_t flushed, const Held& before, uint64_t capacity) {
  if (flushed == 0) return 0;
  const bool buffer_first = before.pending > 0 || before.room > 0;
  const uint64_t first = buffer_first ? before.pending + before.room : flushed;
  const uint64_t calls = std::max<uint64_t>(1, before.calls_to_write_pending());
  return capacity > 1 && first > 0 && flushed > first ? calls + 1 : calls;
}

uint64_t fills_of(uint64_t fetched, const FILE* stream, const Held& before, const Held& after) {
  const uint64_t capacity = capacity_of(stream);
  const uint64_t fills = capacity <= 1 ? fetched : (fetched + capacity - 1) / capacity;
  return fills + (after.at_end && !before.at_end ? 1 : 0);
}

}  // namespace sluice::preload
