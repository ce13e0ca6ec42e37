// A call on a stream, measured: what it copies, what goes to the kernel, and how often.
//
// glibc's own system calls cannot be hooked. They are inferred from what a call does to a stream's
// buffer: bytes that are neither given back nor held any more were written, bytes that are there
// and were not before were read; how many calls that takes is how glibc's fileops.c goes about it.
#pragma once

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "account.h"
#include "stream.h"

namespace sluice::preload {

inline uint64_t distance(const char* from, const char* to) {
  return to > from ? static_cast<uint64_t>(to - from) : 0;
}

inline uint64_t capacity_of(const FILE* stream) {
  return distance(stream->_IO_buf_base, stream->_IO_buf_end);
}

inline uint64_t positive(int64_t count) { return count > 0 ? static_cast<uint64_t>(count) : 0; }

// What a stream holds, before and after a call. What ungetc() has given back lies elsewhere, and
// what the file has given waits behind it.
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

// Whether a function takes the stream's lock, as all do but those whose name says so.
enum class Locking { by_call, by_caller };

// How long a call waited for the lock.
struct Waited {
  uint64_t ns = 0;
  uint64_t ticks = 0;
};
Waited lock_stream(FILE* stream);
void unlock_stream(void* stream);

inline bool is_shared(const FILE* stream) {
  return (stream->_flags2 & stream_needs_lock) != 0 && (stream->_flags & stream_user_lock) == 0;
}

// The call may be a place where its thread is cancelled.
template <typename Work>
[[gnu::noinline]] auto work_locked(FILE* stream, const Work& work) {
  const Waited waited = lock_stream(stream);
  decltype(work(waited)) result;
  pthread_cleanup_push(unlock_stream, stream);
  result = work(waited);
  pthread_cleanup_pop(1);
  return result;
}

// Of a stream that threads share, nobody else moves anything between a look and the call.
template <Locking locking, typename Work>
inline auto held_still(FILE* stream, const Work& work) {
  if (locking == Locking::by_call && is_shared(stream)) [[unlikely]] {
    return work_locked(stream, work);
  }
  return work(Waited{});
}

uint64_t writes_of(uint64_t flushed, const Held& before, uint64_t capacity);

// A call of which only what it did tells whether it went to the kernel.
class UnsureCall {
 public:
  UnsureCall(Usage& usage, const Waited& waited)
      : usage_(usage), start_ns_(now_ns() - waited.ns), start_(ticks() - waited.ticks) {}

  // Before looking what it did.
  void come_back() { taken_ = ticks() - start_; }

  void was_a_copy(uint64_t bytes);
  void was_slow(uint64_t system_calls, uint64_t written_bytes, uint64_t read_bytes);

 private:
  Usage& usage_;
  uint64_t start_ns_;
  uint64_t start_;
  uint64_t taken_ = 0;
};

}  // namespace sluice::preload
