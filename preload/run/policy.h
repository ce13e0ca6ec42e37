// The rules that depend on the options of this process.
#pragma once

#include <stdio.h>

#include "counters.h"
#include "environment.h"
#include "stdio_calls.h"
#include "stream.h"

namespace sluice::preload {

inline bool needs_no_lock(const FILE* stream) { return (stream->_flags2 & stream_needs_lock) == 0; }

// While there is one thread, a stream's lock protects nothing. With a second thread a call has to
// take the lock, unless the user has given --unlocked. The test is the same as in glibc's own
// getc() and putc().
inline bool lock_may_be_skipped(const FILE* stream) {
  return needs_no_lock(stream) || policy.unlocked;
}

// True if a function with this locking may use the stream's buffer.
template <Locking locking>
bool may_answer(const FILE* stream) {
  return locking == Locking::by_caller || lock_may_be_skipped(stream);
}

// Counts a call on a stream that no other thread can use: threads that count at the same time would
// wait for each other, because the counters share a cache line.
inline void count_call(uint64_t Counters::*counter, const FILE* stream) {
  if (needs_no_lock(stream)) [[likely]]
    ++(counters.*counter);
}

}  // namespace sluice::preload
