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
#include "real.h"
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
        at_end((stream->_flags & _IO_EOF_SEEN) != 0),
        is_ahead((stream->_flags & stream_appending) == 0 &&
                 stream->_IO_read_end != stream->_IO_write_base) {
    if ((stream->_flags & stream_in_backup) != 0) {
      unread += distance(stream->_IO_save_base, stream->_IO_save_end);
    }
  }
  uint64_t calls_to_write_pending() const { return pending == 0 ? 0 : is_ahead ? 2 : 1; }

  uint64_t pending;
  uint64_t unread;
  uint64_t room;
  bool at_end;
  bool is_ahead;  // glibc has read behind the place of the pending bytes, and seeks back first
};

uint64_t lock_stream(FILE* stream);  // returns the ticks for which it has waited
void unlock_stream(void* stream);

inline bool is_shared(const FILE* stream) {
  return (stream->_flags2 & stream_needs_lock) != 0 && (stream->_flags & stream_user_lock) == 0;
}

struct Locked {
  ~Locked() { unlock_stream(stream); }
  FILE* stream;
  uint64_t waited_ticks = lock_stream(stream);
};

// Makes the call under the lock. The lock is released even if the call ends by the cancellation of
// the thread. Preparing for that takes long. A call that only copies is no cancellation point, and
// needs no more than a Locked. (A thread that may be cancelled anywhere may keep the lock, as
// without the object.)
template <typename Work>
[[gnu::noinline]] auto work_locked(FILE* stream, const Work& work) {
  const uint64_t waited_ticks = lock_stream(stream);
  decltype(work(waited_ticks)) result;
  pthread_cleanup_push(unlock_stream, stream);
  result = work(waited_ticks);
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
  return work(0);
}

// The number of calls by which glibc writes `flushed` bytes.
uint64_t writes_of(uint64_t flushed, const Held& before, uint64_t capacity);

// The number of read(2) calls by which glibc fills the buffer until it holds a whole line or
// number, or the file ends.
uint64_t fills_of(uint64_t fetched, const FILE* stream, const Held& before, const Held& after);

// Calls that move bytes between the program and a stream's buffer. A Way is Writing or Reading:
//
//   is_writing                                a call that moves too few bytes has failed
//   call                                      of a single byte
//   fits(stream, piece), fits_byte(stream)    the call only copies
//   copies(stream, bytes)                     the same, if the bytes themselves do not matter
//   piece(arguments...)                       of a single byte
//   before(stream)                            the Held before a call that does more
//   transfer(stream, before, asked, moved)    the Transfer of that call
//   count(usage, bytes)
//   counts_alone()                            count() does nothing else
//   move_byte(stream, arguments...)           of a byte that fits

// What a call moves.
struct Piece {
  size_t bytes;
  const void* data = nullptr;  // the bytes, if they are known before the call
};

// A call that fits.
template <typename Way, typename Work>
auto copy_piece(Usage& usage, Piece piece, const Work& work, uint64_t waited_ticks = 0) {
  const auto result = copying(usage, piece.bytes, work, waited_ticks);
  Way::count(usage, piece.bytes);
  return result;
}

// The call has waited so long for the lock, if threads share the stream.
template <typename Way, typename Work, typename BytesOf>
auto move_held(Usage& usage, FILE* stream, Piece piece, const Work& work, BytesOf bytes_of,
               uint64_t waited_ticks) {
  const size_t bytes = piece.bytes;
  if (Way::fits(stream, piece)) return copy_piece<Way>(usage, piece, work, waited_ticks);
  const Held before = Way::before(stream);
  SlowCall slow(usage, waited_ticks);
  const auto result = work();
  const uint64_t moved = bytes_of(result);
  slow.finish(usage, Way::transfer(stream, before, bytes, moved));
  Way::count(usage, moved);
  if (Way::is_writing && moved < bytes) ++usage.failures;
  return result;
}

// Work() makes the call; bytes_of(result) says how many bytes it moved.
template <typename Way, Locking locking, typename Work, typename BytesOf>
auto move_bytes(Usage* usage, FILE* stream, Piece piece, Work work, BytesOf bytes_of) {
  if (usage == nullptr) return work();
  if (locking == Locking::by_caller) usage->unlocked = 1;
  uint64_t waited_ticks = 0;
  if (locking == Locking::by_call && is_shared(stream)) {
    const Locked locked{stream};
    waited_ticks = locked.waited_ticks;
    if (Way::fits(stream, piece)) return copy_piece<Way>(*usage, piece, work, waited_ticks);
  }
  return held_still<locking>(stream, [&](uint64_t more_ticks) {
    return move_held<Way>(*usage, stream, piece, work, bytes_of, waited_ticks + more_ticks);
  });
}

// Counts a call that only copies, and returns true. Returns false and counts nothing if the call
// has to be timed, takes a lock, or may do more than copy.
template <typename Way, Locking locking>
bool is_counted_copy(Usage* usage, const FILE* stream, size_t bytes) {
  if (usage == nullptr || !Way::counts_alone() || !Way::copies(stream, bytes)) return false;
  if (locking == Locking::by_call && is_shared(stream)) return false;
  if (!counts_copy_untimed(*usage)) return false;
  count_bytes(*usage, bytes);
  return true;
}

// A function of its own, so that the hook of a copy saves no registers.
template <typename Way, Locking locking, typename Work, typename BytesOf>
[[gnu::noinline]] auto move_by_path(Call call, Caller caller, FILE* stream, Piece piece, Work work,
                                    BytesOf bytes_of) {
  return move_bytes<Way, locking>(usage_of_stream(call, stream, caller), stream, piece, work,
                                  bytes_of);
}

// The hook of a call that mostly only copies.
template <typename Way, Locking locking, typename Work, typename BytesOf>
[[gnu::always_inline]] inline auto move_piece(Call call, Caller caller, FILE* stream, Piece piece,
                                              Work work, BytesOf bytes_of) {
  Usage* const known = usage_of_own_call(call, stream, caller.address);
  if (is_counted_copy<Way, locking>(known, stream, piece.bytes)) [[likely]]
    return work();
  return move_by_path<Way, locking>(call, caller, stream, piece, work, bytes_of);
}

inline uint64_t one_unless_end(int result) { return result == EOF ? 0 : 1; }

template <typename Way, Locking locking, typename Work>
int move_byte(Usage* usage, FILE* stream, Piece byte, Work work) {
  return move_bytes<Way, locking>(usage, stream, byte, work, one_unless_end);
}

// A byte that the buffer has room for, or holds, is counted and moved by the hook: glibc's function
// would do no more.
template <typename Way, Locking locking>
bool is_counted_byte(Usage* usage, const FILE* stream) {
  return usage != nullptr && Way::counts_alone() &&
         (locking == Locking::by_caller || !is_shared(stream)) && Way::fits_byte(stream) &&
         counts_byte_untimed(*usage);
}

// A byte of a stream that threads share. glibc's function would take the lock again.
template <typename Way, auto Function, typename... Arguments>
[[gnu::noinline]] int move_shared_byte(Usage& usage, FILE* stream, Arguments... arguments) {
  uint64_t waited_ticks = 0;
  {
    const Locked locked{stream};
    waited_ticks = locked.waited_ticks;
    if (Way::counts_alone() && Way::fits_byte(stream) && counts_byte_untimed(usage)) {
      return Way::move_byte(stream, arguments...);
    }
  }
  return work_locked(stream, [&](uint64_t more_ticks) -> int {
    const auto work = [=] { return (real().*Function)(arguments...); };
    return move_held<Way>(usage, stream, Way::piece(arguments...), work, one_unless_end,
                          waited_ticks + more_ticks);
  });
}

// A byte that the hook does not count and move itself.
template <typename Way, Locking locking, auto Function, typename... Arguments>
[[gnu::noinline]] int move_byte_of(Usage* usage, FILE* stream, Arguments... arguments) {
  if (usage != nullptr && locking == Locking::by_call && is_shared(stream)) {
    return move_shared_byte<Way, Function>(*usage, stream, arguments...);
  }
  return move_byte<Way, locking>(usage, stream, Way::piece(arguments...),
                                 [=] { return (real().*Function)(arguments...); });
}

// The hooks of single bytes have no stack frame while the usage is known. So this is a function of
// its own.
template <typename Way, Locking locking, auto Function, typename... Arguments>
[[gnu::noinline]] int move_byte_by_path(FILE* stream, const void* address, Arguments... arguments) {
  const Caller caller{address, __builtin_dwarf_cfa()};
  Usage* usage = usage_of_library_call(Way::call, stream, caller);
  if (is_counted_byte<Way, locking>(usage, stream)) return Way::move_byte(stream, arguments...);
  if (usage == nullptr) usage = find_usage_of_stream(Way::call, stream, caller);
  return move_byte_of<Way, locking, Function>(usage, stream, arguments...);
}

// True if a print or scan may pass `left` bytes: the room for a write, the unread bytes for a read.
// A call of four times the average size may.
inline bool may_pass(const Usage& usage, uint64_t left) {
  return left * usage.copies <= 4 * usage.bytes;
}

// A call whose results alone tell whether it went to the kernel. count(result) counts its bytes and
// gives its Transfer. The call can copy `left` bytes before it has to go to the kernel. Asking for
// the processor time takes longer than printing a number. So it is asked for only if the call may
// pass these bytes.
template <typename Work, typename Count>
int print_or_scan(Usage& usage, uint64_t waited_ticks, uint64_t left, Work work, Count count) {
  const bool is_timed_copy = usage.copies % copies_per_timed == 0;
  const uint64_t bytes_before = usage.bytes;
  SlowCall slow(may_pass(usage, left) && is_next_to_be_timed(usage), waited_ticks);
  const int result = work();
  const uint64_t taken = is_timed_copy ? slow.ticks_until_now() : 0;
  const Transfer transfer = count(result);
  if (transfer.system_calls > 0) {
    ++usage.slow_calls;
    slow.finish(usage, transfer);
    return result;
  }
  ++usage.copies;
  const uint64_t most = (usage.bytes - bytes_before) * 16;  // formatting takes its time
  if (is_timed_copy) count_timed_copy(usage, taken, most);
  return result;
}

}  // namespace sluice::preload
