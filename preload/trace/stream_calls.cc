#include "stream_calls.h"

namespace sluice::preload {

Waited lock_stream(FILE* stream) {
  if (ftrylockfile(stream) == 0) return {};
  const uint64_t start_ns = now_ns();
  const uint64_t start = ticks();
  flockfile(stream);
  return {now_ns() - start_ns, ticks() - start};
}

void unlock_stream(void* stream) { funlockfile(static_cast<FILE*>(stream)); }

void UnsureCall::was_slow(uint64_t system_calls, uint64_t written_bytes, uint64_t read_bytes) {
  ++usage_.slow_calls;
  if (!likely_slow_) {
    usage_.surprising = 1;
    time_ = start_ != 0 ? SlowTime::since(start_) : SlowTime(false);
  }
  time_.stop();
  time_.add_to(usage_, system_calls, written_bytes, read_bytes);
}

// The number of write(2) calls that glibc makes for `flushed` bytes: the full buffer, and then
// whole multiples of it without copying.
uint64_t writes_of(uint64_t flushed, const Held& before, uint64_t capacity) {
  if (flushed == 0) return 0;
  const bool buffer_first = before.pending > 0 || before.room > 0;
  const uint64_t first = buffer_first ? before.pending + before.room : flushed;
  if (capacity <= 1 || first == 0) return 1;
  return flushed > first ? 2 : 1;
}

}  // namespace sluice::preload
