// Copies to and out of the buffer of a FILE, and seeks in it.
//
// The buffer answers a call as long as it has the room for the bytes that are written, or holds the
// bytes that are read. Every other call goes to the C library. It may wait for the process at the
// other end of a pipe, which may look at the program's other files. So the held writes are written
// before.
#include <stdio.h>
#include <string.h>

#include "borrowed_memory.h"
#include "counters.h"
#include "environment.h"
#include "held.h"
#include "hook.h"
#include "private_files.h"
#include "real.h"
#include "stdio_calls.h"
#include "stream.h"

namespace sluice::preload {
namespace {

bool needs_no_lock(const FILE* stream) { return (stream->_flags2 & stream_needs_lock) == 0; }

// Counts a call on a stream that no other thread can use: threads that count at the same time would
// wait for each other, because the counters share a cache line.
void count_call(uint64_t Counters::*counter, const FILE* stream) {
  if (needs_no_lock(stream)) [[likely]]
    ++(counters.*counter);
}

template <typename Way, Locking locking>
void count_slow_call(const FILE* stream) {
  is_child_of_vfork();  // a child that no handler told of begins its own log
  if (!needs_no_lock(stream)) [[unlikely]] {
    // A stream of fopencookie() always asks for its lock.
    const bool has_threads = !needs_no_lock(stderr);
    if (locking == Locking::by_call && !policy.unlocked && has_threads)
      __atomic_store_n(&counters.has_locked, true, __ATOMIC_RELAXED);
    return;
  }
  ++(counters.*Way::slow_calls);
  if ((stream->_flags & Way::unbuffered) != 0) ++counters.unbuffered_calls;
}

#if defined(__clang__)
#define SLUICE_KEEPS_PARAMETERS [[gnu::noinline, gnu::cold]]
#else
#define SLUICE_KEEPS_PARAMETERS [[gnu::noipa, gnu::cold]]
#endif

// The C library answers. The compiler must not change the parameters, because each hook would have
// to move its own for this even if it can answer. `cold`: a hook that can answer takes no jump.
template <typename Way, Locking locking, auto Function, typename... Arguments>
SLUICE_KEEPS_PARAMETERS auto call_slowly(FILE* stream, Arguments... arguments) {
  count_slow_call<Way, locking>(stream);
  write_all_held();
  return (real().*Function)(arguments...);
}

// `unbuffered` are the flags of streams whose buffer answers no call.
struct Writing {
  static constexpr int unbuffered = stream_unbuffered | stream_line_buffered;
  static constexpr auto fast_calls = &Counters::fast_writes;
  static constexpr auto slow_calls = &Counters::slow_writes;
  static bool fits(const FILE* stream, size_t bytes) { return room_for(stream, bytes); }
  static void copy_byte(FILE* stream, const void* data) {
    *stream->_IO_write_ptr++ = *static_cast<const char*>(data);
  }
  static void copy(FILE* stream, const void* data, size_t bytes) { append(stream, data, bytes); }
};

struct Reading {
  static constexpr int unbuffered = stream_unbuffered;
  static constexpr auto fast_calls = &Counters::fast_reads;
  static constexpr auto slow_calls = &Counters::slow_reads;
  // A stream without a buffer may hold bytes that were put back. fread() then makes the buffer.
  static bool fits(const FILE* stream, size_t bytes) {
    return holds(stream, bytes) && stream->_IO_buf_base != nullptr;
  }
  static void copy_byte(FILE* stream, void* data) {
    *static_cast<char*>(data) = *stream->_IO_read_ptr++;
  }
  static void copy(FILE* stream, void* data, size_t bytes) { take(stream, data, bytes); }
};

struct Seeking {
  static constexpr int unbuffered = stream_unbuffered;
  static constexpr auto slow_calls = &Counters::slow_seeks;
};

// `result` is the answer of the call. This is a function of its own, because the call of memcpy
// needs saved registers, and copying a single byte does not.
template <typename Way, typename Data, typename Result>
[[gnu::noinline]] Result copy_pieces(FILE* stream, Data* data, size_t bytes, Result result) {
  Way::copy(stream, data, bytes);
  return result;
}

template <typename Way, typename Data, typename Result>
bool fast_copy(Result& result, FILE* stream, Data* data, size_t bytes, Result copied) {
  if (!Way::fits(stream, bytes)) return false;
  count_call(Way::fast_calls, stream);
  result = copied;
  if (bytes == 1) [[likely]] {
    Way::copy_byte(stream, data);
  } else {
    result = copy_pieces<Way>(stream, data, bytes, copied);
  }
  return true;
}

// Calls answer(result), which gives the result of the call and returns true if the buffer can
// answer it. If it cannot, or if the lock has to be taken, calls Function(arguments...).
//
// While there is one thread, a stream's lock protects nothing. With a second thread a call has to
// take the lock, unless its caller does so or the user has given --unlocked. The test is the same
// as in glibc's own getc() and putc(). The first call that has to take the lock is noted.
template <typename Way, Locking locking, auto Function, typename Answer, typename... Arguments>
[[gnu::always_inline]] inline auto answer_or_call(FILE* stream, Answer answer,
                                                  Arguments... arguments) {
  decltype((real().*Function)(arguments...)) result;
  if (locking == Locking::by_call && !needs_no_lock(stream)) [[unlikely]] {
    if (__atomic_load_n(&counters.has_locked, __ATOMIC_RELAXED))
      return (real().*Function)(arguments...);
    if (policy.unlocked && answer(result)) return result;
  } else if (answer(result)) {
    return result;
  }
  return call_slowly<Way, locking, Function>(stream, arguments...);
}

}  // namespace

// Defines a hook that returns RESULT. ANSWER calls a fast_...() function, which sets `result` and
// returns true if the buffer can answer.
#define SLUICE_ANSWERED(RESULT, WAY, LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM, ANSWER) \
  SLUICE_HOOK RESULT NAME PARAMETERS {                                                     \
    return answer_or_call<WAY, Locking::LOCKING, &RealFunctions::NAME>(                    \
        STREAM, [=](auto& result) { return ANSWER; } SLUICE_BEHIND ARGUMENTS);             \
  }

// ---- writing ----

namespace {

bool fast_put(int& result, FILE* stream, int byte) {
  if (!has_room_for_byte(stream)) return false;
  result = put_byte(stream, byte);
  return true;
}

// fputs() returns 1, puts() returns the number of bytes.
template <int ends>
bool fast_text(int& result, FILE* stream, const char* text) {
  const size_t bytes = strlen(text);
  if constexpr (ends == 0) return fast_copy<Writing>(result, stream, text, bytes, 1);
  if (bytes >= 0x7fffffff || !room_for(stream, bytes + 1)) return false;
  count_call(&Counters::fast_writes, stream);
  if (bytes > 0) append(stream, text, bytes);
  put_byte(stream, '\n');
  result = static_cast<int>(bytes) + 1;
  return true;
}

}  // namespace

#define SLUICE_WRITE_BLOCK(LOCKING, NAME, PARAMETERS, ARGUMENTS)                 \
  SLUICE_ANSWERED(size_t, Writing, LOCKING, NAME, PARAMETERS, ARGUMENTS, stream, \
                  fast_copy<Writing>(result, stream, data, size * count, count))
SLUICE_BLOCK_WRITES(SLUICE_WRITE_BLOCK)

#define SLUICE_WRITE_TEXT(LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM, ENDS) \
  SLUICE_ANSWERED(int, Writing, LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM, \
                  fast_text<ENDS>(result, STREAM, text))
SLUICE_TEXT_WRITES(SLUICE_WRITE_TEXT)

#define SLUICE_WRITE_BYTE(LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM)       \
  SLUICE_ANSWERED(int, Writing, LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM, \
                  fast_put(result, STREAM, byte))
SLUICE_BYTE_WRITES(SLUICE_WRITE_BYTE)

// The slow path of putc_unlocked(), which the C library's headers compile into programs.
SLUICE_HOOK int __overflow(FILE* stream, int byte) {
  count_call(&Counters::compiled_calls, stream);
  return call_slowly<Writing, Locking::by_caller, &RealFunctions::__overflow>(stream, stream, byte);
}

// A flush mostly makes a system call. fflush(nullptr) flushes every stream, and is not counted.
SLUICE_WORK(void, sluice_flush) {
  const auto* const stream = arguments.address<const FILE>(0);
  if (stream != nullptr) count_call(&Counters::flushes, stream);
  write_all_held();
}
SLUICE_BEFORE(sluice_flush, "fflush, fflush_unlocked");

// ---- reading ----

namespace {

// The number of bytes up to and with the delimiter, if the buffer holds it; else 0.
size_t held_line(const FILE* stream, int delimiter, size_t most) {
  const size_t held = held_bytes(stream);
  const size_t searched = held < most ? held : most;
  if (searched == 0) return 0;
  const auto* const end =
      static_cast<const char*>(memchr(stream->_IO_read_ptr, delimiter, searched));
  return end == nullptr ? 0 : static_cast<size_t>(end - stream->_IO_read_ptr) + 1;
}

void take_line(FILE* stream, char* line, size_t bytes) {
  take(stream, line, bytes);
  line[bytes] = '\0';
  count_call(&Counters::fast_reads, stream);
}

bool fast_take(int& result, FILE* stream) {
  if (!has_byte(stream)) return false;
  result = take_byte(stream);
  return true;
}

// fgets, into memory of `room` bytes. It orients a stream that has no orientation yet.
bool fast_line(char*& result, char* line, int count, size_t room, FILE* stream) {
  if (!byte_oriented(stream) || count <= 1 || static_cast<size_t>(count) > room) return false;
  const auto most = static_cast<size_t>(count) - 1;
  size_t bytes = held_line(stream, '\n', most);
  if (bytes == 0) {
    if (held_bytes(stream) < most) return false;
    bytes = most;
  }
  take_line(stream, line, bytes);
  result = line;
  return true;
}

// getdelim, into memory that is large enough already.
bool fast_delimited(ssize_t& result, char** line, size_t* line_bytes, int delimiter, FILE* stream) {
  if (line == nullptr || line_bytes == nullptr || *line == nullptr) return false;
  if (*line_bytes < 2 || (stream->_flags & _IO_ERR_SEEN) != 0) return false;
  const size_t bytes = held_line(stream, delimiter, *line_bytes - 1);
  if (bytes == 0) return false;
  take_line(stream, *line, bytes);
  result = static_cast<ssize_t>(bytes);
  return true;
}

// Returns 0 if the array has too little room or the product overflows: then glibc answers.
size_t bytes_of(size_t size, size_t count, size_t most) {
  size_t bytes = 0;
  return __builtin_mul_overflow(size, count, &bytes) || bytes > most ? 0 : bytes;
}

}  // namespace

#define SLUICE_READ_BLOCK(LOCKING, NAME, PARAMETERS, ARGUMENTS, MOST)            \
  SLUICE_ANSWERED(size_t, Reading, LOCKING, NAME, PARAMETERS, ARGUMENTS, stream, \
                  fast_copy<Reading>(result, stream, data, bytes_of(size, count, MOST), count))
SLUICE_BLOCK_READS(SLUICE_READ_BLOCK)

#define SLUICE_READ_BYTE(LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM)        \
  SLUICE_ANSWERED(int, Reading, LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM, \
                  fast_take(result, STREAM))
SLUICE_BYTE_READS(SLUICE_READ_BYTE)

#define SLUICE_READ_LINE(LOCKING, NAME, PARAMETERS, ARGUMENTS, MOST)            \
  SLUICE_ANSWERED(char*, Reading, LOCKING, NAME, PARAMETERS, ARGUMENTS, stream, \
                  fast_line(result, line, count, MOST, stream))
SLUICE_LINE_READS(SLUICE_READ_LINE)

#define SLUICE_READ_DELIMITED(LOCKING, NAME, PARAMETERS, ARGUMENTS, DELIMITER)    \
  SLUICE_ANSWERED(ssize_t, Reading, LOCKING, NAME, PARAMETERS, ARGUMENTS, stream, \
                  fast_delimited(result, line, line_bytes, DELIMITER, stream))
SLUICE_DELIMITED_READS(SLUICE_READ_DELIMITED)

// The slow path of getc_unlocked(), which the C library's headers compile into programs.
SLUICE_HOOK int __uflow(FILE* stream) {
  count_call(&Counters::compiled_calls, stream);
  return call_slowly<Reading, Locking::by_caller, &RealFunctions::__uflow>(stream, stream);
}

// ---- positions ----
//
// A seek that stays inside the read buffer moves a pointer. glibc moves the pointer too, and then
// asks the kernel to seek to the position where the file already is, in case another process has
// moved this position. The system call is left out if nobody else can move the position.

namespace {

bool position_is_known(const FILE* stream) {
  constexpr int excluded = stream_unbuffered | stream_in_backup | stream_putting | stream_appending;
  return (stream->_flags & (stream_is_file | excluded)) == stream_is_file && stream->_offset >= 0 &&
         may_read_bytes(stream) && stream->_IO_save_base == nullptr &&
         stream->_IO_write_ptr == stream->_IO_write_base;
}

off64_t position_of(const FILE* stream) {
  return stream->_offset - (stream->_IO_read_end - stream->_IO_read_ptr);
}

bool fast_seek(int& result, FILE* stream, off64_t offset, int whence) {
  if (!is_private(stream) || !position_is_known(stream)) return false;
  if (stream->_IO_read_base == nullptr || (whence != SEEK_SET && whence != SEEK_CUR)) return false;
  char* const base = stream->_IO_buf_base;
  const off64_t buffer_start = stream->_offset - (stream->_IO_read_end - base);
  off64_t target = offset;
  if (whence == SEEK_CUR && __builtin_add_overflow(offset, position_of(stream), &target)) {
    return false;
  }
  if (target < buffer_start || target >= stream->_offset) return false;
  stream->_IO_read_base = base;
  stream->_IO_read_ptr = base + (target - buffer_start);
  stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_write_end = base;
  stream->_flags &= ~_IO_EOF_SEEN;
  count_call(&Counters::fast_seeks, stream);
  count_call(&Counters::saved_calls, stream);
  result = 0;
  return true;
}

}  // namespace

// The C library may write the stream's bytes, to a pipe for example.
#define SLUICE_SEEK(LOCKING, NAME, OFFSET)                                                 \
  SLUICE_ANSWERED(int, Seeking, LOCKING, NAME, (FILE * stream, OFFSET offset, int whence), \
                  (stream, offset, whence), stream, fast_seek(result, stream, offset, whence))
SLUICE_SEEKS(SLUICE_SEEK)

}  // namespace sluice::preload
