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

#include <algorithm>

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

// A line-buffered stream ends its room at once, so that glibc's putc() calls a function that looks
// for the end of a line. All of its buffer takes bytes nevertheless.
inline bool keeps_lines(const FILE* stream) {
  constexpr int lines = stream_line_buffered | stream_putting;
  return (stream->_flags & lines) == lines;
}

inline uint64_t room_for_lines(const FILE* stream) {
  return distance(stream->_IO_write_ptr, stream->_IO_buf_end);
}

// The bytes that a stream holds, before and after a call. Bytes that ungetc() has given back lie in
// other memory. The program reads them before the bytes of the file.
struct Held {
  explicit Held(const FILE* stream)
      : pending(distance(stream->_IO_write_base, stream->_IO_write_ptr)),
        unread(distance(stream->_IO_read_ptr, stream->_IO_read_end)),
        room(keeps_lines(stream) ? room_for_lines(stream)
                                 : distance(stream->_IO_write_ptr, stream->_IO_write_end)),
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

// Makes the call, and releases the lock even if the call ends by the cancellation of the thread.
// Preparing for that takes long. A call that only copies is no cancellation point, and needs no
// more than unlock_stream(). (A thread that may be cancelled anywhere may keep the lock, as without
// the object.)
template <typename Work>
[[gnu::noinline]] auto work_and_unlock(FILE* stream, const Work& work) {
  decltype(work()) result;
  pthread_cleanup_push(unlock_stream, stream);
  result = work();
  pthread_cleanup_pop(1);
  return result;
}

// True if the hook takes the stream's lock before the call: no other thread then changes the buffer
// between the look at it and the call.
template <Locking locking>
bool takes_lock(const FILE* stream) {
  return locking == Locking::by_call && is_shared(stream);
}

// Makes the call, with the lock if threads share the stream.
template <Locking locking, typename Work>
auto held_still(FILE* stream, const Work& work) {
  if (!takes_lock<locking>(stream)) [[likely]]
    return work(0);
  const uint64_t waited_ticks = lock_stream(stream);
  return work_and_unlock(stream, [&] { return work(waited_ticks); });
}

// The number of calls by which glibc writes `flushed` bytes.
uint64_t writes_of(uint64_t flushed, const Held& before, uint64_t capacity);

// The number of read(2) calls by which glibc fills the buffer until it holds a whole line or
// number, or the file ends.
uint64_t fills_of(uint64_t fetched, const FILE* stream, const Held& before, const Held& after);

// Calls that move bytes between the program and a stream's buffer. A Way is one kind of them:
//
//   is_writing                                a call that moves too few bytes has failed
//   copies(stream, bytes)                     the call only copies, whatever the bytes are
//   fits(stream, piece)                       the call only copies
//   transfer(stream, before, asked, moved)    the Transfer of a call that does more
//   count(usage, bytes)
//   counts_alone()                            count() does nothing else
//
// Of calls for single bytes:
//
//   call
//   copies_byte(stream)                       move_byte() may be called
//   move_byte(stream, arguments...)
//   piece(arguments...)

// What a call moves.
struct Piece {
  size_t bytes;                // at most, of a line
  const void* data = nullptr;  // the bytes, if they are known before the call
  int delimiter = 0;           // of a line
};

// Makes a call by work(), and counts it. bytes_of(result) says how many bytes it moved. If the
// piece fits, quick() does the same as work(); it is not timed.
template <typename Way, Locking locking, typename Work, typename BytesOf, typename Quick>
auto move(Usage* usage, FILE* stream, Piece piece, const Work& work, BytesOf bytes_of,
          const Quick& quick) {
  if (usage == nullptr) return work();
  if (locking == Locking::by_caller) usage->unlocked = 1;
  const bool is_locked = takes_lock<locking>(stream);
  const uint64_t waited_ticks = is_locked ? lock_stream(stream) : 0;
  if (Way::fits(stream, piece)) {
    const uint64_t most = std::min(piece.bytes, capacity_of(stream));
    const auto result = copying(*usage, most, work, quick, waited_ticks);
    Way::count(*usage, bytes_of(result));
    if (is_locked) unlock_stream(stream);
    return result;
  }
  const auto do_more = [=, &work] {
    const Held before(stream);
    SlowCall slow(*usage, waited_ticks);
    const auto result = work();
    const uint64_t moved = bytes_of(result);
    slow.finish(*usage, Way::transfer(stream, before, piece.bytes, moved));
    Way::count(*usage, moved);
    if (Way::is_writing && moved < piece.bytes) ++usage->failures;
    return result;
  };
  return is_locked ? work_and_unlock(stream, do_more) : do_more();
}

// Counts a call that only copies, and returns true. Returns false and counts nothing if the call
// has to be timed, takes a lock, or may do more than copy.
template <typename Way, Locking locking>
bool is_counted_copy(Usage* usage, const FILE* stream, size_t bytes, bool copies) {
  if (usage == nullptr || !Way::counts_alone() || !copies) return false;
  if (takes_lock<locking>(stream)) return false;
  if (!counts_copy_untimed(*usage)) return false;
  count_bytes(*usage, bytes);
  return true;
}

// A function of its own, so that the hook of a copy saves no registers. (By value, `work` would be
// stored in small parts and loaded in large ones, which stalls the processor.)
template <typename Way, Locking locking, typename Work, typename BytesOf>
[[gnu::noinline]] auto move_by_path(Call call, Caller caller, FILE* stream, Piece piece,
                                    const Work& work, BytesOf bytes_of) {
  Usage* const usage = usage_of_stream(call, stream, caller);
  return move<Way, locking>(usage, stream, piece, work, bytes_of, work);
}

// The hook of a call that mostly only copies. Only a copy of `work` has to lie in memory.
template <typename Way, Locking locking, typename Work, typename BytesOf>
[[gnu::always_inline]] inline auto move_piece(Call call, Caller caller, FILE* stream, Piece piece,
                                              Work work, BytesOf bytes_of) {
  Usage* const known = usage_of(known_own_call(call, stream, caller.address));
  const bool copies = Way::copies(stream, piece.bytes);
  if (is_counted_copy<Way, locking>(known, stream, piece.bytes, copies)) [[likely]]
    return work();
  return move_by_path<Way, locking>(call, caller, stream, piece, Work(work), bytes_of);
}

inline constexpr auto one_unless_end = [](int result) -> uint64_t { return result == EOF ? 0 : 1; };

// A byte that the hook does not count and move itself.
template <typename Way, Locking locking, auto Function, typename... Arguments>
[[gnu::noinline]] int move_byte_slowly(Usage* usage, FILE* stream, Arguments... arguments) {
  return move<Way, locking>(
      usage, stream, Way::piece(arguments...), [=] { return (real().*Function)(arguments...); },
      one_unless_end, [=] { return Way::move_byte(stream, arguments...); });
}

// The hooks of single bytes have no stack frame while the usage is known. So this is a function of
// its own.
template <typename Way, Locking locking, auto Function, typename... Arguments>
[[gnu::noinline]] int move_byte_by_path(FILE* stream, const void* address, Arguments... arguments) {
  const Caller caller{address, __builtin_dwarf_cfa()};
  Usage* usage = usage_of(known_library_call(Way::call, stream, caller));
  if (is_counted_copy<Way, locking>(usage, stream, 1, Way::copies_byte(stream)))
    return Way::move_byte(stream, arguments...);
  if (usage == nullptr) usage = find_usage_of_stream(Way::call, stream, caller);
  return move_byte_slowly<Way, locking, Function>(usage, stream, arguments...);
}

// The hook of a call for a single byte. If the buffer has room for the byte, or holds it, glibc's
// function would do no more than move_byte().
template <typename Way, Locking locking, auto Function, typename... Arguments>
[[gnu::always_inline]] inline int move_byte(FILE* stream, const void* address,
                                            Arguments... arguments) {
  Usage* const usage = usage_of_byte_call(Way::call, stream, address);
  if (usage == nullptr)
    return move_byte_by_path<Way, locking, Function>(stream, address, arguments...);
  if (is_counted_copy<Way, locking>(usage, stream, 1, Way::copies_byte(stream))) [[likely]]
    return Way::move_byte(stream, arguments...);
  return move_byte_slowly<Way, locking, Function>(usage, stream, arguments...);
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
