// Reading from a FILE: a copy out of its buffer, as long as the buffer holds the wanted bytes.
#include <stdio.h>
#include <string.h>

#include "counters.h"
#include "held.h"
#include "hook.h"
#include "policy.h"
#include "real.h"
#include "stdio_calls.h"
#include "stream.h"

namespace sluice::preload {
namespace {

// `result` is the answer of the call. This is a function of its own, because the call of memcpy
// needs saved registers, and copying a single byte does not.
[[gnu::noinline]] size_t take_pieces(FILE* stream, void* data, size_t bytes, size_t result) {
  take(stream, data, bytes);
  return result;
}

size_t fast_read(FILE* stream, void* data, size_t bytes, size_t result) {
  if (bytes != 1) return take_pieces(stream, data, bytes, result);
  *static_cast<char*>(data) = *stream->_IO_read_ptr++;
  return result;
}

// The C library answers. It may wait for the process at the other end of a pipe, which may look at
// the program's other files.
template <auto Function, typename... Arguments>
[[gnu::noinline]] auto slow_read(FILE* stream, Arguments... arguments) {
  count_call(&Counters::slow_reads, stream);
  write_all_held();
  return (real().*Function)(arguments...);
}

// Copies if the buffer holds the bytes and the lock may be skipped; otherwise calls
// Function(arguments...).
template <Locking locking, auto Function, typename... Arguments>
size_t read_or_call(FILE* stream, void* data, size_t bytes, size_t result, Arguments... arguments) {
  if (needs_no_lock(stream)) [[likely]] {
    if (holds(stream, bytes)) {
      ++counters.fast_reads;
      return fast_read(stream, data, bytes, result);
    }
  } else if (locking == Locking::by_call && !policy.unlocked) {
    return call_real<Function>(arguments...);
  } else if (holds(stream, bytes)) {
    return take_pieces(stream, data, bytes, result);
  }
  return slow_read<Function>(stream, arguments...);
}

// The number of bytes up to and with the delimiter, if the buffer holds it; else 0.
size_t held_line(const FILE* stream, int delimiter, size_t most) {
  const size_t held = held_bytes(stream);
  const size_t searched = held < most ? held : most;
  if (searched == 0) return 0;
  const auto* const end =
      static_cast<const char*>(memchr(stream->_IO_read_ptr, delimiter, searched));
  return end == nullptr ? 0 : static_cast<size_t>(end - stream->_IO_read_ptr) + 1;
}

// fgets: false if the C library has to answer.
bool fast_line(char* line, int count, FILE* stream) {
  if (count <= 1) return false;
  const auto most = static_cast<size_t>(count) - 1;
  size_t bytes = held_line(stream, '\n', most);
  if (bytes == 0) {
    if (held_bytes(stream) < most) return false;
    bytes = most;
  }
  take(stream, line, bytes);
  line[bytes] = '\0';
  count_call(&Counters::fast_reads, stream);
  return true;
}

// getdelim into memory that is large enough already; 0 if the C library has to answer.
ssize_t fast_delimited(char** line, size_t* line_bytes, int delimiter, FILE* stream) {
  if (line == nullptr || line_bytes == nullptr || *line == nullptr) return 0;
  if (*line_bytes < 2 || (stream->_flags & _IO_ERR_SEEN) != 0) return 0;
  const size_t bytes = held_line(stream, delimiter, *line_bytes - 1);
  if (bytes == 0) return 0;
  take(stream, *line, bytes);
  (*line)[bytes] = '\0';
  count_call(&Counters::fast_reads, stream);
  return static_cast<ssize_t>(bytes);
}

// Returns 0 if the array has too little room or the product overflows: then glibc answers.
size_t bytes_of(size_t size, size_t count, size_t most) {
  size_t bytes = 0;
  return __builtin_mul_overflow(size, count, &bytes) || bytes > most ? 0 : bytes;
}

}  // namespace

#define SLUICE_READ_BLOCK(LOCKING, NAME, PARAMETERS, ARGUMENTS, MOST)              \
  SLUICE_HOOK size_t NAME PARAMETERS {                                             \
    return read_or_call<Locking::LOCKING, &RealFunctions::NAME>(                   \
        stream, data, bytes_of(size, count, MOST), count SLUICE_BEHIND ARGUMENTS); \
  }
SLUICE_BLOCK_READS(SLUICE_READ_BLOCK)

#define SLUICE_READ_BYTE(LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM)            \
  SLUICE_HOOK int NAME PARAMETERS {                                               \
    return may_answer<Locking::LOCKING>(STREAM) && has_byte(STREAM)               \
               ? take_byte(STREAM)                                                \
               : slow_read<&RealFunctions::NAME>(STREAM SLUICE_BEHIND ARGUMENTS); \
  }
SLUICE_BYTE_READS(SLUICE_READ_BYTE)

#define SLUICE_READ_LINE(LOCKING, NAME, PARAMETERS, ARGUMENTS, MOST)                    \
  SLUICE_HOOK char* NAME PARAMETERS {                                                   \
    const bool fits = count > 0 && static_cast<size_t>(count) <= (MOST);                \
    if (fits && may_answer<Locking::LOCKING>(stream) && fast_line(line, count, stream)) \
      return line;                                                                      \
    return slow_read<&RealFunctions::NAME>(stream SLUICE_BEHIND ARGUMENTS);             \
  }
SLUICE_LINE_READS(SLUICE_READ_LINE)

#define SLUICE_READ_DELIMITED(LOCKING, NAME, PARAMETERS, ARGUMENTS, DELIMITER)                     \
  SLUICE_HOOK ssize_t NAME PARAMETERS {                                                            \
    if (may_answer<Locking::LOCKING>(stream)) {                                                    \
      if (const ssize_t bytes = fast_delimited(line, line_bytes, DELIMITER, stream)) return bytes; \
    }                                                                                              \
    return slow_read<&RealFunctions::NAME>(stream SLUICE_BEHIND ARGUMENTS);                        \
  }
SLUICE_DELIMITED_READS(SLUICE_READ_DELIMITED)

}  // namespace sluice::preload
