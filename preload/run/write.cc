// Writing to a FILE: a copy into its buffer while it fits.
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
template <typename Result>
[[gnu::noinline]] Result append_pieces(FILE* stream, const void* data, size_t bytes,
                                       Result result) {
  append(stream, data, bytes);
  return result;
}

template <typename Result>
Result fast_write(FILE* stream, const void* data, size_t bytes, Result result) {
  if (bytes != 1) return append_pieces(stream, data, bytes, result);
  *stream->_IO_write_ptr++ = *static_cast<const char*>(data);
  return result;
}

// The C library answers. The process at the other end of a pipe may then look at the program's
// other files.
template <auto Function, typename... Arguments>
[[gnu::noinline]] auto slow_write(FILE* stream, Arguments... arguments) {
  count_call(&Counters::slow_writes, stream);
  write_all_held();
  return (real().*Function)(arguments...);
}

// Copies if the data fits and the lock may be skipped; otherwise calls Function(arguments...).
template <Locking locking, auto Function, typename Result, typename... Arguments>
Result write_or_call(FILE* stream, const void* data, size_t bytes, Result result,
                     Arguments... arguments) {
  if (needs_no_lock(stream)) [[likely]] {
    if (room_for(stream, bytes)) {
      ++counters.fast_writes;
      return fast_write(stream, data, bytes, result);
    }
  } else if (locking == Locking::by_call && !policy.unlocked) {
    return call_real<Function>(arguments...);
  } else if (room_for(stream, bytes)) {
    return append_pieces(stream, data, bytes, result);
  }
  return slow_write<Function>(stream, arguments...);
}

// fputs() returns 1, puts() returns the number of bytes.
constexpr int written = 1;

}  // namespace

#define SLUICE_WRITE_BLOCK(LOCKING, NAME, PARAMETERS, ARGUMENTS)                                 \
  SLUICE_HOOK size_t NAME PARAMETERS {                                                           \
    return write_or_call<Locking::LOCKING, &RealFunctions::NAME>(stream, data, size * count,     \
                                                                 count SLUICE_BEHIND ARGUMENTS); \
  }
SLUICE_BLOCK_WRITES(SLUICE_WRITE_BLOCK)

#define SLUICE_WRITE_TEXT(LOCKING, NAME, PARAMETERS, ARGUMENTS)                                    \
  SLUICE_HOOK int NAME PARAMETERS {                                                                \
    return write_or_call<Locking::LOCKING, &RealFunctions::NAME>(stream, text, strlen(text),       \
                                                                 written SLUICE_BEHIND ARGUMENTS); \
  }
SLUICE_TEXT_WRITES(SLUICE_WRITE_TEXT)

#define SLUICE_WRITE_BYTE(LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM)            \
  SLUICE_HOOK int NAME PARAMETERS {                                                \
    return may_answer<Locking::LOCKING>(STREAM) && has_room_for_byte(STREAM)       \
               ? put_byte(STREAM, byte)                                            \
               : slow_write<&RealFunctions::NAME>(STREAM SLUICE_BEHIND ARGUMENTS); \
  }
SLUICE_BYTE_WRITES(SLUICE_WRITE_BYTE)

SLUICE_HOOK int puts(const char* text) {
  const size_t bytes = strlen(text);
  if (bytes >= 0x7fffffff || !lock_may_be_skipped(stdout) || !room_for(stdout, bytes + 1))
    return slow_write<&RealFunctions::puts>(stdout, text);
  count_call(&Counters::fast_writes, stdout);
  if (bytes > 0) append(stdout, text, bytes);
  put_byte(stdout, '\n');
  return static_cast<int>(bytes) + 1;
}

}  // namespace sluice::preload
