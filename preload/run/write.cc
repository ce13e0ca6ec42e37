// Writing to a FILE: a copy into its buffer while it fits.
#include <stdio.h>
#include <string.h>

#include "counters.h"
#include "held.h"
#include "hook.h"
#include "policy.h"
#include "real.h"
#include "stream.h"

namespace sluice::preload {
namespace {

bool write_fits(FILE* stream, size_t bytes) {
  return lock_may_be_skipped(stream) && room_for(stream, bytes);
}

// `result` is the answer of the call. This is a function of its own, because the call of memcpy
// needs saved registers, which a single byte does without.
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

// For a single byte glibc itself does little more than this while there is one thread, so nothing
// may be added: the call is not counted, and the stream gets only the questions that glibc asks.
bool has_room(const FILE* stream) { return stream->_IO_write_ptr < stream->_IO_write_end; }

int fast_put(FILE* stream, int byte) {
  *stream->_IO_write_ptr++ = static_cast<char>(byte);
  return static_cast<unsigned char>(byte);
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
template <auto Function, typename Result, typename... Arguments>
Result write_or_call(FILE* stream, const void* data, size_t bytes, Result result,
                     Arguments... arguments) {
  if (needs_no_lock(stream)) [[likely]] {
    if (room_for(stream, bytes)) {
      ++counters.fast_writes;
      return fast_write(stream, data, bytes, result);
    }
  } else if (!policy.unlocked) {
    return call_real<Function>(arguments...);
  } else if (room_for(stream, bytes)) {
    return append_pieces(stream, data, bytes, result);
  }
  return slow_write<Function>(stream, arguments...);
}

// fputs() answers 1, puts() the number of bytes.
constexpr int written = 1;

}  // namespace

SLUICE_HOOK size_t fwrite(const void* data, size_t size, size_t count, FILE* stream) {
  const size_t bytes = size * count;
  return write_or_call<&RealFunctions::fwrite>(stream, data, bytes, count, data, size, count,
                                               stream);
}

SLUICE_HOOK size_t fwrite_unlocked(const void* data, size_t size, size_t count, FILE* stream) {
  const size_t bytes = size * count;
  if (!room_for(stream, bytes))
    return slow_write<&RealFunctions::fwrite_unlocked>(stream, data, size, count, stream);
  count_call(&Counters::fast_writes, stream);
  return fast_write(stream, data, bytes, count);
}

SLUICE_HOOK int fputc(int byte, FILE* stream) {
  return lock_may_be_skipped(stream) && has_room(stream)
             ? fast_put(stream, byte)
             : slow_write<&RealFunctions::fputc>(stream, byte, stream);
}

SLUICE_HOOK int putc(int byte, FILE* stream) {
  return lock_may_be_skipped(stream) && has_room(stream)
             ? fast_put(stream, byte)
             : slow_write<&RealFunctions::putc>(stream, byte, stream);
}

SLUICE_HOOK int putchar(int byte) {
  return lock_may_be_skipped(stdout) && has_room(stdout)
             ? fast_put(stdout, byte)
             : slow_write<&RealFunctions::putchar>(stdout, byte);
}

SLUICE_HOOK int fputc_unlocked(int byte, FILE* stream) {
  return has_room(stream) ? fast_put(stream, byte)
                          : slow_write<&RealFunctions::fputc_unlocked>(stream, byte, stream);
}

SLUICE_HOOK int putc_unlocked(int byte, FILE* stream) {
  return has_room(stream) ? fast_put(stream, byte)
                          : slow_write<&RealFunctions::putc_unlocked>(stream, byte, stream);
}

SLUICE_HOOK int putchar_unlocked(int byte) {
  return has_room(stdout) ? fast_put(stdout, byte)
                          : slow_write<&RealFunctions::putchar_unlocked>(stdout, byte);
}

SLUICE_HOOK int fputs(const char* text, FILE* stream) {
  const size_t bytes = strlen(text);
  return write_or_call<&RealFunctions::fputs>(stream, text, bytes, written, text, stream);
}

SLUICE_HOOK int fputs_unlocked(const char* text, FILE* stream) {
  const size_t bytes = strlen(text);
  if (!room_for(stream, bytes))
    return slow_write<&RealFunctions::fputs_unlocked>(stream, text, stream);
  count_call(&Counters::fast_writes, stream);
  return fast_write(stream, text, bytes, written);
}

SLUICE_HOOK int puts(const char* text) {
  const size_t bytes = strlen(text);
  if (bytes >= 0x7fffffff || !write_fits(stdout, bytes + 1))
    return slow_write<&RealFunctions::puts>(stdout, text);
  count_call(&Counters::fast_writes, stdout);
  if (bytes > 0) append(stdout, text, bytes);
  fast_put(stdout, '\n');
  return static_cast<int>(bytes) + 1;
}

}  // namespace sluice::preload
