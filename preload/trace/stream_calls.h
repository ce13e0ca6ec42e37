// Measures a call on a stream: the bytes that it copies, the bytes that go to the kernel, and the
// number of system calls.
//
// glibc's own system calls cannot be hooked. They are inferred from the changes of the stream's
// buffer: bytes that the program handed over and that the buffer no longer holds were written;
// bytes that are new in the buffer were read. The rules of glibc's fileops.c give the number of
// calls.
#pragma once

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "account.h"
#include "stdio_calls.h"
#include "stream.h"

namespace sluice::preload {

inline uint64_t distance(const char* from, const char* to) {
  return to > from ? static_cast<uint64_t>(to - from) : 0;
}

inline uint64_t capacity_of(const FILE* stream) {
  return distance(stream->_IO_buf_base, stream->_IO_buf_end);
}

inline uint64_t positive(int64_t count) { return count > 0 ? static_cast<uint64_t>(count) : 0; }

// The bytes that a stream holds, before and after a call. Bytes that ungetc() has given back lie in
// other memory. The program reads them before the bytes of the file.
struct Held {
  explicit Held(const FILE* stream)
      : pending(distance(stream->_IO_write_base, stream->_IO_write_ptr)),
        unread(distance(stream->_IO_read_ptr, stream->_IO_read_end)),
        room(distance(stream->_IO_write_ptr, stream->_IO_write_end)),
        at_end((stream->_flags & _IO_EOF_SEEN) != 0) {
    if ((stream->_flags & stream_in_backup) != 0) {
      unread += distance(stream->_IO_save_base, stream->_IO_save_end);
    }
  }
  uint64_t pending;
  uint64_t unread;
  uint64_t room;
  bool at_end;
};

// The time for which a call waited for the lock.
struct Waited {
  uint64_t ns = 0;
  uint64_t ticks = 0;
};
Waited lock_stream(FILE* stream);
void unlock_stream(void* stream);

inline bool is_shared(const FILE* stream) {
  return (stream->_flags2 & stream_needs_lock) != 0 && (stream->_flags & stream_user_lock) == 0;
}

// Makes the call under the lock. The lock is released even if the call ends by the cancellation of
// the thread.
template <typename Work>
[[gnu::noinline]] auto work_locked(FILE* stream, const Work& work) {
  const Waited waited = lock_stream(stream);
  decltype(work(waited)) result;
  pthread_cleanup_push(unlock_stream, stream);
  result = work(waited);
  pthread_cleanup_pop(1);
  return result;
}

// If threads share the stream, makes the call under the lock. No other thread then changes the
// buffer between the look at it and the call.
template <Locking locking, typename Work>
inline auto held_still(FILE* stream, const Work& work) {
  if (locking == Locking::by_call && is_shared(stream)) [[unlikely]] {
    return work_locked(stream, work);
  }
  return work(Waited{});
}

uint64_t writes_of(uint64_t flushed, const Held& before, uint64_t capacity);

// A call whose results alone tell whether it went to the kernel. `left` is the number of bytes that
// the call can copy before it has to go there: the room for a write, the unread bytes for a read.
// The stream has no room before its first write, and never if it is unbuffered or line-buffered.
//
// Reading the clock takes as long as printing a number, and reading the processor's count takes
// half as long. So the clock is read before the call only if the call is likely to go to the
// kernel, and the count only if it is likely to be needed. The first call that goes to the kernel
// unexpectedly counts without its time. From then on the count tells when such calls began.
class UnsureCall {
 public:
  UnsureCall(Usage& usage, const Waited& waited, uint64_t left)
      : usage_(usage), likely_slow_(is_little(usage, left)) {
    if (likely_slow_) time_ = SlowTime(is_next_to_be_timed(usage), waited.ns);
    is_timed_copy_ = usage.copies % copies_per_timed == 0;
    if (is_timed_copy_ || usage.surprising != 0) start_ = ticks() - waited.ticks;
  }

  // To be called before its results are looked at.
  void come_back() {
    if (is_timed_copy_) taken_ = ticks() - start_;
  }

  void was_a_copy(uint64_t bytes) {
    ++usage_.copies;
    if (is_timed_copy_) count_timed_copy(usage_, taken_, bytes, copies_per_timed);
  }
  void was_slow(uint64_t system_calls, uint64_t written_bytes, uint64_t read_bytes);

 private:
  // True if a call of four times the average size may go to the kernel.
  static bool is_little(const Usage& usage, uint64_t left) {
    constexpr uint64_t few_bytes = 32;  // numbers and words have fewer
    return left < few_bytes || left * usage.copies < 4 * usage.bytes;
  }

  Usage& usage_;
  bool likely_slow_;
  bool is_timed_copy_;
  SlowTime time_;
  uint64_t start_ = 0;
  uint64_t taken_ = 0;
};

}  // namespace sluice::preload
