// Writing to streams.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "account.h"
#include "files.h"
#include "hook.h"
#include "inlined.h"
#include "pieces.h"
#include "real.h"
#include "stdio_calls.h"
#include "stream.h"
#include "stream_calls.h"

namespace sluice::preload {
namespace {

// A line-buffered stream ends its room at once, so that glibc's putc() calls a function that looks
// for the end of a line. All of its buffer takes bytes nevertheless.
Held held_before_write(const FILE* stream) {
  Held held(stream);
  constexpr int lines = stream_line_buffered | stream_putting;
  if ((stream->_flags & lines) == lines) {
    held.room = distance(stream->_IO_write_ptr, stream->_IO_buf_end);
  }
  return held;
}

void finish_write(SlowCall& slow, const FILE* stream, const Held& before, uint64_t added) {
  const Held after(stream);
  const uint64_t held = before.pending + added;
  const uint64_t flushed = held > after.pending ? held - after.pending : 0;
  slow.finish(writes_of(flushed, before, capacity_of(stream)), flushed, 0);
}

// A call that does more than copy. This is a function of its own, so that a copy keeps its
// arguments in registers.
template <Locking locking, typename Work, typename BytesOf>
[[gnu::noinline]] auto write_slowly(Usage* usage, FILE* stream, size_t bytes, Work work,
                                    BytesOf bytes_of) {
  return held_still<locking>(stream, [&](const Waited& waited) {
    if (room_for(stream, bytes)) {
      const auto result = copying(*usage, bytes, work, waited.ticks);
      count_written(*usage, bytes);
      return result;
    }
    const Held before = held_before_write(stream);
    SlowCall slow(*usage, waited.ns);
    const auto result = work();
    const uint64_t written = bytes_of(result);
    finish_write(slow, stream, before, written);
    count_written(*usage, written);
    if (written < bytes) ++usage->failures;
    return result;
  });
}

// Work() makes the call; bytes_of(answer) says how many bytes it took.
template <Locking locking, typename Work, typename BytesOf>
auto write_to(Usage* usage, FILE* stream, size_t bytes, Work work, BytesOf bytes_of) {
  if (usage == nullptr) return work();
  if (locking == Locking::by_caller) usage->unlocked = 1;
  if ((locking == Locking::by_call && is_shared(stream)) || !room_for(stream, bytes)) {
    return write_slowly<locking>(usage, stream, bytes, work, bytes_of);
  }
  const auto result = copying(*usage, bytes, work);
  count_written(*usage, bytes);
  return result;
}

// A byte that the buffer has room for is counted and put there here: glibc's function would do no
// more.
template <Locking locking>
bool is_counted_byte(Usage* usage, const FILE* stream) {
  return usage != nullptr && sizes == nullptr &&
         (locking == Locking::by_caller || !is_shared(stream)) && has_room_for_byte(stream) &&
         counts_byte_untimed(*usage);
}

// printf and similar functions. The number of bytes is known only after the call.
template <typename Work>
int print_to(Usage* usage, FILE* stream, Work work) {
  if (usage == nullptr) return work();
  return held_still<Locking::by_call>(stream, [&](const Waited& waited) {
    const Held before = held_before_write(stream);
    UnsureCall call(*usage, waited, Held(stream).room);
    const int result = work();
    call.come_back();
    const Held after(stream);
    const uint64_t held = before.pending + positive(result);
    const uint64_t flushed = held > after.pending ? held - after.pending : 0;
    count_written(*usage, positive(result));
    if (result < 0) ++usage->failures;
    if (flushed == 0) {
      call.was_a_copy(positive(result) * 16);  // formatting takes its time
    } else {
      call.was_slow(writes_of(flushed, before, capacity_of(stream)), flushed, 0);
    }
    return result;
  });
}

}  // namespace

#define SLUICE_WRITE_BLOCK(LOCKING, NAME, PARAMETERS, ARGUMENTS)               \
  SLUICE_HOOK size_t NAME PARAMETERS {                                         \
    Usage* const usage = usage_of_stream(Call::fwrite, stream, SLUICE_CALLER); \
    note_written(usage, data, size* count);                                    \
    return write_to<Locking::LOCKING>(                                         \
        usage, stream, size * count, [=] { return real().NAME ARGUMENTS; },    \
        [=](size_t result) { return result * size; });                         \
  }
SLUICE_BLOCK_WRITES(SLUICE_WRITE_BLOCK)

// The hooks of single bytes have no stack frame while the usage is known. So this is a function of
// its own.
template <Locking locking, auto Function, typename... Arguments>
[[gnu::noinline]] int write_byte(FILE* stream, const void* caller, Arguments... arguments) {
  Usage* const usage = usage_of_stream(Call::fputc, stream, caller, __builtin_frame_address(0));
  return write_to<locking>(
      usage, stream, 1, [=] { return (real().*Function)(arguments...); },
      [](int result) { return uint64_t{result == EOF ? 0u : 1u}; });
}

#define SLUICE_WRITE_BYTE(LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM)                        \
  SLUICE_HOOK int NAME PARAMETERS {                                                            \
    const void* const caller = __builtin_return_address(0);                                    \
    Usage* const usage = usage_of_last_call(Call::fputc, STREAM, caller);                      \
    if (is_counted_byte<Locking::LOCKING>(usage, STREAM)) [[likely]]                           \
      return put_byte(STREAM, byte);                                                           \
    return write_byte<Locking::LOCKING, &RealFunctions::NAME>(STREAM,                          \
                                                              caller SLUICE_BEHIND ARGUMENTS); \
  }
SLUICE_BYTE_WRITES(SLUICE_WRITE_BYTE)

#define SLUICE_WRITE_TEXT(LOCKING, NAME, PARAMETERS, ARGUMENTS)             \
  SLUICE_HOOK int NAME PARAMETERS {                                         \
    const size_t bytes = strlen(text);                                      \
    return write_to<Locking::LOCKING>(                                      \
        usage_of_stream(Call::fputs, stream, SLUICE_CALLER), stream, bytes, \
        [=] { return real().NAME ARGUMENTS; },                              \
        [=](int result) { return uint64_t{result == EOF ? 0 : bytes}; });   \
  }
SLUICE_TEXT_WRITES(SLUICE_WRITE_TEXT)

SLUICE_HOOK int puts(const char* text) {
  const size_t bytes = strlen(text) + 1;
  return write_to<Locking::by_call>(
      usage_of_stream(Call::fputs, stdout, SLUICE_CALLER), stdout, bytes,
      [=] { return real().puts(text); },
      [=](int result) { return uint64_t{result == EOF ? 0 : bytes}; });
}

// REAL is the base of the other functions. The last arguments are those that stand before the list:
// the format and, in a fortified program, a flag before it.
#define SLUICE_PRINTED(REAL, STREAM, ...)                                 \
  print_to(usage_of_stream(Call::fprintf, STREAM, SLUICE_CALLER), STREAM, \
           [&] { return real().REAL(STREAM, __VA_ARGS__, list); })
#define SLUICE_PRINTS(PREFIX, SUFFIX, REAL, FLAG, ...)                                            \
  SLUICE_HOOK int PREFIX##vfprintf##SUFFIX(FILE* stream, FLAG const char* format, va_list list) { \
    return SLUICE_PRINTED(REAL, stream, __VA_ARGS__);                                             \
  }                                                                                               \
  SLUICE_HOOK int PREFIX##vprintf##SUFFIX(FLAG const char* format, va_list list) {                \
    return SLUICE_PRINTED(REAL, stdout, __VA_ARGS__);                                             \
  }                                                                                               \
  SLUICE_HOOK int PREFIX##fprintf##SUFFIX(FILE* stream, FLAG const char* format, ...) {           \
    SLUICE_RETURN_WITH_LIST(format, SLUICE_PRINTED(REAL, stream, __VA_ARGS__));                   \
  }                                                                                               \
  SLUICE_HOOK int PREFIX##printf##SUFFIX(FLAG const char* format, ...) {                          \
    SLUICE_RETURN_WITH_LIST(format, SLUICE_PRINTED(REAL, stdout, __VA_ARGS__));                   \
  }
#define SLUICE_FLAG int flag,
SLUICE_PRINTS(, , vfprintf, , format)
SLUICE_PRINTS(__, _chk, __vfprintf_chk, SLUICE_FLAG, flag, format)

// putc_unlocked() as the C library's headers have compiled it into programs, for a full buffer.
SLUICE_HOOK int __overflow(FILE* stream, int byte) {
  Usage* const usage = usage_of_stream(Call::fputc, stream, SLUICE_CALLER);
  if (usage != nullptr) count_inlined_writes(*usage, stream);
  return write_to<Locking::by_caller>(
      usage, stream, 1, [&] { return real().__overflow(stream, byte); },
      [](int result) { return uint64_t{result == EOF ? 0u : 1u}; });
}

}  // namespace sluice::preload
