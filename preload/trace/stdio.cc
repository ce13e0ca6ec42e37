// stdio, counted: what is copied, what goes to the kernel, and how often.
//
// glibc's own system calls cannot be hooked. They are inferred from what a call does to a stream's
// buffer: bytes that are neither given back nor held any more were written, bytes that are there
// and were not before were read; how many calls that takes is how glibc's fileops.c goes about it.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "account.h"
#include "files.h"
#include "hook.h"
#include "pieces.h"
#include "real.h"
#include "stream.h"

namespace sluice::preload {
namespace {

uint64_t distance(const char* from, const char* to) {
  return to > from ? static_cast<uint64_t>(to - from) : 0;
}

uint64_t capacity_of(const FILE* stream) {
  return distance(stream->_IO_buf_base, stream->_IO_buf_end);
}

// What a stream holds, before and after a call.
struct Held {
  explicit Held(const FILE* stream)
      : pending(distance(stream->_IO_write_base, stream->_IO_write_ptr)),
        unread(distance(stream->_IO_read_ptr, stream->_IO_read_end)),
        room(distance(stream->_IO_write_ptr, stream->_IO_write_end)),
        at_end((stream->_flags & _IO_EOF_SEEN) != 0) {}
  uint64_t pending;
  uint64_t unread;
  uint64_t room;
  bool at_end;
};

// How many write(2) glibc makes of `flushed` bytes: the full buffer, and then, without copying,
// whole multiples of it.
uint64_t writes_of(uint64_t flushed, const Held& before, uint64_t capacity) {
  if (flushed == 0) return 0;
  const bool buffer_first = before.pending > 0 || before.room > 0;
  const uint64_t first = buffer_first ? before.pending + before.room : flushed;
  if (capacity <= 1 || first == 0) return 1;
  return flushed > first ? 2 : 1;
}

// How many read(2) glibc makes when `wanted` bytes more than it holds are asked for, of which
// `fetched` came: whole multiples of the buffer directly, the rest by filling the buffer. A read
// that gives nothing is the end.
uint64_t reads_of(uint64_t wanted, uint64_t fetched, uint64_t capacity) {
  uint64_t calls = 0;
  while (wanted > 0) {
    const uint64_t piece =
        capacity > 1 && wanted >= capacity ? wanted - wanted % capacity : capacity;
    const uint64_t got = fetched < piece ? fetched : piece;
    ++calls;
    if (got == 0) break;
    fetched -= got;
    wanted -= got < wanted ? got : wanted;
  }
  return calls;
}

void finish_write(SlowCall& slow, const FILE* stream, const Held& before, uint64_t added) {
  const Held after(stream);
  const uint64_t held = before.pending + added;
  const uint64_t flushed = held > after.pending ? held - after.pending : 0;
  slow.finish(writes_of(flushed, before, capacity_of(stream)), flushed, 0);
}

uint64_t fetched_bytes(const Held& before, const Held& after, uint64_t taken) {
  const uint64_t there = after.unread + taken;
  return there > before.unread ? there - before.unread : 0;
}

void finish_read(SlowCall& slow, const FILE* stream, const Held& before, uint64_t asked,
                 uint64_t taken) {
  const Held after(stream);
  const uint64_t fetched = fetched_bytes(before, after, taken);
  const bool knew_the_end = before.at_end && fetched == 0;
  const uint64_t wanted = knew_the_end ? 0 : asked - before.unread;
  slow.finish(reads_of(wanted, fetched, capacity_of(stream)), 0, fetched);
}

// A line is looked for by filling the buffer, until it is there or the file ends.
void finish_reading_line(SlowCall& slow, const FILE* stream, const Held& before, uint64_t taken) {
  const Held after(stream);
  const uint64_t fetched = fetched_bytes(before, after, taken);
  const uint64_t capacity = capacity_of(stream);
  const uint64_t fills = capacity <= 1 ? fetched : (fetched + capacity - 1) / capacity;
  slow.finish(fills + (after.at_end && !before.at_end ? 1 : 0), 0, fetched);
}

// Work() answers; bytes_of(answer) says how many bytes were taken.
template <typename Work, typename BytesOf>
auto write_to(Usage* usage, FILE* stream, size_t bytes, Work work, BytesOf bytes_of) {
  if (usage == nullptr) return work();
  if (room_for(stream, bytes)) {
    const auto result = copying(*usage, bytes, work);
    count_written(*usage, bytes);
    return result;
  }
  const Held before(stream);
  SlowCall slow(*usage);
  const auto result = work();
  const uint64_t written = bytes_of(result);
  finish_write(slow, stream, before, written);
  count_written(*usage, written);
  if (written < bytes) ++usage->failures;
  return result;
}

template <typename Work, typename BytesOf>
auto read_from(Usage* usage, FILE* stream, size_t bytes, Work work, BytesOf bytes_of) {
  if (usage == nullptr) return work();
  if (holds(stream, bytes)) {
    const auto result = copying(*usage, bytes, work);
    count_bytes(*usage, bytes);
    return result;
  }
  const Held before(stream);
  SlowCall slow(*usage);
  const auto result = work();
  const uint64_t taken = bytes_of(result);
  finish_read(slow, stream, before, bytes, taken);
  count_bytes(*usage, taken);
  return result;
}

// A line: how long it is shows afterwards, and whether the buffer held it.
template <typename Work, typename BytesOf>
auto read_line_from(Usage* usage, FILE* stream, int delimiter, Work work, BytesOf bytes_of) {
  if (usage == nullptr) return work();
  const Held before(stream);
  if (before.unread > 0 && memchr(stream->_IO_read_ptr, delimiter, before.unread) != nullptr) {
    const auto result = copying(*usage, before.unread, work);
    count_bytes(*usage, bytes_of(result));
    return result;
  }
  SlowCall slow(*usage);
  const auto result = work();
  const uint64_t taken = bytes_of(result);
  finish_reading_line(slow, stream, before, taken);
  count_bytes(*usage, taken);
  return result;
}

uint64_t positive(int64_t count) { return count > 0 ? static_cast<uint64_t>(count) : 0; }

// printf and its like: how much it is shows afterwards.
template <typename Work>
int print_to(Usage* usage, FILE* stream, Work work) {
  if (usage == nullptr) return work();
  const Held before(stream);
  const uint64_t start_ns = now_ns();
  const uint64_t start = ticks();
  const int result = work();
  const uint64_t taken = ticks() - start;
  const Held after(stream);
  const uint64_t held = before.pending + positive(result);
  const uint64_t flushed = held > after.pending ? held - after.pending : 0;
  count_written(*usage, positive(result));
  if (result < 0) ++usage->failures;
  if (flushed == 0) {
    ++usage->copies;
    count_timed_copy(*usage, taken, positive(result) * 16, 1);  // formatting takes its time
    return result;
  }
  const uint64_t end_ns = now_ns();
  const uint64_t taken_ns = end_ns - start_ns;
  ++usage->slow_calls;
  usage->slow_ns += taken_ns;
  usage->system_calls += writes_of(flushed, before, capacity_of(stream));
  usage->system_bytes += flushed;
  add_to_moment(start_ns, end_ns, {flushed, 0, 0, taken_ns, 0});
  return result;
}

// fflush, fclose: what is pending is written.
template <typename Work>
int flush(Usage* usage, FILE* stream, Work work) {
  if (usage == nullptr) return work();
  const uint64_t pending = Held(stream).pending;
  SlowCall slow(*usage);
  const int result = work();
  slow.finish(pending > 0 ? 1 : 0, pending, 0);
  if (result != 0) ++usage->failures;
  return result;
}

// A seek writes what is pending; then glibc asks the kernel to seek, inside of its buffer as well.
template <typename Work>
int seek(Usage* usage, FILE* stream, Work work) {
  if (usage == nullptr) return work();
  const Held before(stream);
  SlowCall slow(*usage);
  const int result = work();
  const Held after(stream);
  const uint64_t written = before.pending > after.pending ? before.pending - after.pending : 0;
  slow.finish(1 + (written > 0 ? 1 : 0), written, 0);
  if (result != 0) ++usage->failures;
  return result;
}

template <typename Work>
FILE* open_stream(Work work, const void* caller, const void* frame) {
  const uint64_t start = now_ns();
  FILE* const stream = work();
  const uint64_t taken = now_ns() - start;
  if (record == nullptr || stream == nullptr) return stream;
  const int descriptor = stream->_fileno;
  if (descriptor >= 0) note_opened(descriptor, 0);
  if (Usage* const usage = usage_of_stream(Call::fopen, stream, caller, frame)) {
    ++usage->slow_calls;
    usage->slow_ns += taken;
    ++usage->system_calls;
  }
  return stream;
}

uint64_t length_of(const char* line) { return line == nullptr ? 0 : strlen(line); }

}  // namespace

// ---- writing ----

SLUICE_HOOK size_t fwrite(const void* data, size_t size, size_t count, FILE* stream) {
  Usage* const usage = usage_of_stream(Call::fwrite, stream, SLUICE_CALLER);
  note_written(usage, data, size * count);
  return write_to(
      usage, stream, size * count, [&] { return real().fwrite(data, size, count, stream); },
      [&](size_t result) { return result * size; });
}

SLUICE_HOOK size_t fwrite_unlocked(const void* data, size_t size, size_t count, FILE* stream) {
  Usage* const usage = usage_of_stream(Call::fwrite, stream, SLUICE_CALLER);
  note_written(usage, data, size * count);
  return write_to(
      usage, stream, size * count,
      [&] { return real().fwrite_unlocked(data, size, count, stream); },
      [&](size_t result) { return result * size; });
}

#define SLUICE_PUT(NAME)                                                \
  SLUICE_HOOK int NAME(int byte, FILE* stream) {                        \
    return write_to(                                                    \
        usage_of_stream(Call::fputc, stream, SLUICE_CALLER), stream, 1, \
        [&] { return real().NAME(byte, stream); },                      \
        [](int result) { return uint64_t{result == EOF ? 0u : 1u}; });  \
  }
SLUICE_PUT(fputc)
SLUICE_PUT(fputc_unlocked)
SLUICE_PUT(putc)
SLUICE_PUT(putc_unlocked)

#define SLUICE_PUT_TO_OUTPUT(NAME)                                      \
  SLUICE_HOOK int NAME(int byte) {                                      \
    return write_to(                                                    \
        usage_of_stream(Call::fputc, stdout, SLUICE_CALLER), stdout, 1, \
        [&] { return real().NAME(byte); },                              \
        [](int result) { return uint64_t{result == EOF ? 0u : 1u}; });  \
  }
SLUICE_PUT_TO_OUTPUT(putchar)
SLUICE_PUT_TO_OUTPUT(putchar_unlocked)

#define SLUICE_PUT_TEXT(NAME)                                               \
  SLUICE_HOOK int NAME(const char* text, FILE* stream) {                    \
    const size_t bytes = strlen(text);                                      \
    return write_to(                                                        \
        usage_of_stream(Call::fputs, stream, SLUICE_CALLER), stream, bytes, \
        [&] { return real().NAME(text, stream); },                          \
        [&](int result) { return uint64_t{result == EOF ? 0 : bytes}; });   \
  }
SLUICE_PUT_TEXT(fputs)
SLUICE_PUT_TEXT(fputs_unlocked)

SLUICE_HOOK int puts(const char* text) {
  const size_t bytes = strlen(text) + 1;
  return write_to(
      usage_of_stream(Call::fputs, stdout, SLUICE_CALLER), stdout, bytes,
      [&] { return real().puts(text); },
      [&](int result) { return uint64_t{result == EOF ? 0 : bytes}; });
}

SLUICE_HOOK int vfprintf(FILE* stream, const char* format, va_list list) {
  SLUICE_REAL(vfprintf)
  return print_to(usage_of_stream(Call::fprintf, stream, SLUICE_CALLER), stream,
                  [&] { return real_function(stream, format, list); });
}

SLUICE_HOOK int vprintf(const char* format, va_list list) {
  SLUICE_REAL(vfprintf)
  return print_to(usage_of_stream(Call::fprintf, stdout, SLUICE_CALLER), stdout,
                  [&] { return real_function(stdout, format, list); });
}

SLUICE_HOOK int fprintf(FILE* stream, const char* format, ...) {
  SLUICE_REAL(vfprintf)
  va_list list;
  va_start(list, format);
  const int result = print_to(usage_of_stream(Call::fprintf, stream, SLUICE_CALLER), stream,
                              [&] { return real_function(stream, format, list); });
  va_end(list);
  return result;
}

SLUICE_HOOK int printf(const char* format, ...) {
  SLUICE_REAL(vfprintf)
  va_list list;
  va_start(list, format);
  const int result = print_to(usage_of_stream(Call::fprintf, stdout, SLUICE_CALLER), stdout,
                              [&] { return real_function(stdout, format, list); });
  va_end(list);
  return result;
}

SLUICE_HOOK int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list list) {
  SLUICE_REAL(__vfprintf_chk)
  return print_to(usage_of_stream(Call::fprintf, stream, SLUICE_CALLER), stream,
                  [&] { return real_function(stream, flag, format, list); });
}

SLUICE_HOOK int __vprintf_chk(int flag, const char* format, va_list list) {
  SLUICE_REAL(__vfprintf_chk)
  return print_to(usage_of_stream(Call::fprintf, stdout, SLUICE_CALLER), stdout,
                  [&] { return real_function(stdout, flag, format, list); });
}

SLUICE_HOOK int __fprintf_chk(FILE* stream, int flag, const char* format, ...) {
  SLUICE_REAL(__vfprintf_chk)
  va_list list;
  va_start(list, format);
  const int result = print_to(usage_of_stream(Call::fprintf, stream, SLUICE_CALLER), stream,
                              [&] { return real_function(stream, flag, format, list); });
  va_end(list);
  return result;
}

SLUICE_HOOK int __printf_chk(int flag, const char* format, ...) {
  SLUICE_REAL(__vfprintf_chk)
  va_list list;
  va_start(list, format);
  const int result = print_to(usage_of_stream(Call::fprintf, stdout, SLUICE_CALLER), stdout,
                              [&] { return real_function(stdout, flag, format, list); });
  va_end(list);
  return result;
}

// putc() as gnulib's headers have compiled it into programs, when the buffer is full.
SLUICE_HOOK int __overflow(FILE* stream, int byte) {
  SLUICE_REAL(__overflow)
  return write_to(
      usage_of_stream(Call::fputc, stream, SLUICE_CALLER), stream, 1,
      [&] { return real_function(stream, byte); },
      [](int result) { return uint64_t{result == EOF ? 0u : 1u}; });
}

SLUICE_HOOK int fflush(FILE* stream) {
  SLUICE_REAL(fflush)
  if (stream == nullptr) return real_function(nullptr);
  return flush(usage_of_stream(Call::fflush, stream, SLUICE_CALLER), stream,
               [&] { return real_function(stream); });
}

SLUICE_HOOK int fflush_unlocked(FILE* stream) {
  if (stream == nullptr) return real().fflush_unlocked(nullptr);
  return flush(usage_of_stream(Call::fflush, stream, SLUICE_CALLER), stream,
               [&] { return real().fflush_unlocked(stream); });
}

// ---- reading ----

SLUICE_HOOK size_t fread(void* data, size_t size, size_t count, FILE* stream) {
  Usage* const usage = usage_of_stream(Call::fread, stream, SLUICE_CALLER);
  note_read(usage, data, size * count);
  return read_from(
      usage, stream, size * count, [&] { return real().fread(data, size, count, stream); },
      [&](size_t result) { return result * size; });
}

SLUICE_HOOK size_t fread_unlocked(void* data, size_t size, size_t count, FILE* stream) {
  Usage* const usage = usage_of_stream(Call::fread, stream, SLUICE_CALLER);
  note_read(usage, data, size * count);
  return read_from(
      usage, stream, size * count, [&] { return real().fread_unlocked(data, size, count, stream); },
      [&](size_t result) { return result * size; });
}

SLUICE_HOOK size_t __fread_chk(void* data, size_t data_bytes, size_t size, size_t count,
                               FILE* stream) {
  Usage* const usage = usage_of_stream(Call::fread, stream, SLUICE_CALLER);
  note_read(usage, data, size * count);
  return read_from(
      usage, stream, size * count,
      [&] { return real().__fread_chk(data, data_bytes, size, count, stream); },
      [&](size_t result) { return result * size; });
}

SLUICE_HOOK size_t __fread_unlocked_chk(void* data, size_t data_bytes, size_t size, size_t count,
                                        FILE* stream) {
  Usage* const usage = usage_of_stream(Call::fread, stream, SLUICE_CALLER);
  note_read(usage, data, size * count);
  return read_from(
      usage, stream, size * count,
      [&] { return real().__fread_unlocked_chk(data, data_bytes, size, count, stream); },
      [&](size_t result) { return result * size; });
}

#define SLUICE_GET(NAME)                                                \
  SLUICE_HOOK int NAME(FILE* stream) {                                  \
    return read_from(                                                   \
        usage_of_stream(Call::fgetc, stream, SLUICE_CALLER), stream, 1, \
        [&] { return real().NAME(stream); },                            \
        [](int result) { return uint64_t{result == EOF ? 0u : 1u}; });  \
  }
SLUICE_GET(fgetc)
SLUICE_GET(fgetc_unlocked)
SLUICE_GET(getc)
SLUICE_GET(getc_unlocked)

#define SLUICE_GET_FROM_INPUT(NAME)                                    \
  SLUICE_HOOK int NAME() {                                             \
    return read_from(                                                  \
        usage_of_stream(Call::fgetc, stdin, SLUICE_CALLER), stdin, 1,  \
        [&] { return real().NAME(); },                                 \
        [](int result) { return uint64_t{result == EOF ? 0u : 1u}; }); \
  }
SLUICE_GET_FROM_INPUT(getchar)
SLUICE_GET_FROM_INPUT(getchar_unlocked)

SLUICE_HOOK int __uflow(FILE* stream) {
  SLUICE_REAL(__uflow)
  return read_from(
      usage_of_stream(Call::fgetc, stream, SLUICE_CALLER), stream, 1,
      [&] { return real_function(stream); },
      [](int result) { return uint64_t{result == EOF ? 0u : 1u}; });
}

#define SLUICE_GET_TEXT(NAME)                                              \
  SLUICE_HOOK char* NAME(char* line, int count, FILE* stream) {            \
    return read_line_from(                                                 \
        usage_of_stream(Call::fgets, stream, SLUICE_CALLER), stream, '\n', \
        [&] { return real().NAME(line, count, stream); }, length_of);      \
  }
SLUICE_GET_TEXT(fgets)
SLUICE_GET_TEXT(fgets_unlocked)

#define SLUICE_GET_TEXT_CHECKED(NAME)                                              \
  SLUICE_HOOK char* NAME(char* line, size_t line_bytes, int count, FILE* stream) { \
    return read_line_from(                                                         \
        usage_of_stream(Call::fgets, stream, SLUICE_CALLER), stream, '\n',         \
        [&] { return real().NAME(line, line_bytes, count, stream); }, length_of);  \
  }
SLUICE_GET_TEXT_CHECKED(__fgets_chk)
SLUICE_GET_TEXT_CHECKED(__fgets_unlocked_chk)

SLUICE_HOOK ssize_t getline(char** line, size_t* line_bytes, FILE* stream) {
  return read_line_from(
      usage_of_stream(Call::getline, stream, SLUICE_CALLER), stream, '\n',
      [&] { return real().getline(line, line_bytes, stream); }, positive);
}

#define SLUICE_GET_DELIMITED(NAME)                                                         \
  SLUICE_HOOK ssize_t NAME(char** line, size_t* line_bytes, int delimiter, FILE* stream) { \
    return read_line_from(                                                                 \
        usage_of_stream(Call::getline, stream, SLUICE_CALLER), stream, delimiter,          \
        [&] { return real().NAME(line, line_bytes, delimiter, stream); }, positive);       \
  }
SLUICE_GET_DELIMITED(getdelim)
SLUICE_GET_DELIMITED(__getdelim)

// ---- positions ----

SLUICE_HOOK int fseek(FILE* stream, long offset, int whence) {
  return seek(usage_of_stream(Call::fseek, stream, SLUICE_CALLER), stream,
              [&] { return real().fseek(stream, offset, whence); });
}

SLUICE_HOOK int fseeko(FILE* stream, off_t offset, int whence) {
  return seek(usage_of_stream(Call::fseek, stream, SLUICE_CALLER), stream,
              [&] { return real().fseeko(stream, offset, whence); });
}

SLUICE_HOOK int fseeko64(FILE* stream, off64_t offset, int whence) {
  return seek(usage_of_stream(Call::fseek, stream, SLUICE_CALLER), stream,
              [&] { return real().fseeko64(stream, offset, whence); });
}

// ---- opening and closing ----

SLUICE_HOOK FILE* fopen(const char* name, const char* mode) {
  return open_stream([&] { return real().fopen(name, mode); }, SLUICE_CALLER);
}

SLUICE_HOOK FILE* fopen64(const char* name, const char* mode) {
  return open_stream([&] { return real().fopen64(name, mode); }, SLUICE_CALLER);
}

SLUICE_HOOK FILE* freopen(const char* name, const char* mode, FILE* stream) {
  forget_descriptor(stream->_fileno);
  return open_stream([&] { return real().freopen(name, mode, stream); }, SLUICE_CALLER);
}

SLUICE_HOOK FILE* freopen64(const char* name, const char* mode, FILE* stream) {
  forget_descriptor(stream->_fileno);
  return open_stream([&] { return real().freopen64(name, mode, stream); }, SLUICE_CALLER);
}

SLUICE_HOOK int fclose(FILE* stream) {
  const int descriptor = stream->_fileno;
  Usage* const usage = usage_of_stream(Call::fclose, stream, SLUICE_CALLER);
  if (usage != nullptr && descriptor >= 0) forget_descriptor(descriptor);
  return flush(usage, stream, [&] { return real().fclose(stream); });
}

// ---- the end ----

void count_what_exit_writes() {
  for_each_stream([](FILE* stream, Usage& usage) {
    const uint64_t pending = Held(stream).pending;
    if (pending == 0) return;
    usage.system_bytes += pending;
    ++usage.system_calls;
  });
}

}  // namespace sluice::preload
