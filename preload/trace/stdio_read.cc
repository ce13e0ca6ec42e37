// Reading from streams.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "account.h"
#include "files.h"
#include "hook.h"
#include "inlined.h"
#include "pieces.h"
#include "real.h"
#include "stream.h"
#include "stream_calls.h"

namespace sluice::preload {
namespace {

// The number of read(2) calls that glibc makes for `wanted` bytes beyond those that it holds, of
// which `fetched` came. It reads whole multiples of the buffer directly and the rest by filling the
// buffer. A read of 0 bytes is the end.
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

// glibc fills the buffer until it holds a whole line or the file ends.
void finish_reading_line(SlowCall& slow, const FILE* stream, const Held& before, uint64_t taken) {
  const Held after(stream);
  const uint64_t fetched = fetched_bytes(before, after, taken);
  const uint64_t capacity = capacity_of(stream);
  const uint64_t fills = capacity <= 1 ? fetched : (fetched + capacity - 1) / capacity;
  slow.finish(fills + (after.at_end && !before.at_end ? 1 : 0), 0, fetched);
}

// Work beyond a copy. It is a function of its own, so that a copy keeps its arguments in registers.
template <Locking locking, typename Work, typename BytesOf>
[[gnu::noinline]] auto read_slowly(Usage* usage, FILE* stream, size_t bytes, Work work,
                                   BytesOf bytes_of) {
  return held_still<locking>(stream, [&](const Waited& waited) {
    if (holds(stream, bytes)) {
      const auto result = copying(*usage, bytes, work, waited.ticks);
      count_bytes(*usage, bytes);
      return result;
    }
    const Held before(stream);
    SlowCall slow(*usage, waited.ns);
    const auto result = work();
    const uint64_t taken = bytes_of(result);
    finish_read(slow, stream, before, bytes, taken);
    count_bytes(*usage, taken);
    return result;
  });
}

template <Locking locking, typename Work, typename BytesOf>
auto read_from(Usage* usage, FILE* stream, size_t bytes, Work work, BytesOf bytes_of) {
  if (usage == nullptr) return work();
  if ((locking == Locking::by_call && is_shared(stream)) || !holds(stream, bytes)) {
    return read_slowly<locking>(usage, stream, bytes, work, bytes_of);
  }
  const auto result = copying(*usage, bytes, work);
  count_bytes(*usage, bytes);
  return result;
}

// A line: only afterwards it shows how long it is, and whether the buffer held it.
template <Locking locking, typename Work, typename BytesOf>
auto read_line_from(Usage* usage, FILE* stream, int delimiter, Work work, BytesOf bytes_of) {
  if (usage == nullptr) return work();
  return held_still<locking>(stream, [&](const Waited& waited) {
    const Held before(stream);
    const uint64_t there = distance(stream->_IO_read_ptr, stream->_IO_read_end);
    if (there > 0 && memchr(stream->_IO_read_ptr, delimiter, there) != nullptr) {
      const auto result = copying(*usage, there, work, waited.ticks);
      count_bytes(*usage, bytes_of(result));
      return result;
    }
    SlowCall slow(*usage, waited.ns);
    const auto result = work();
    const uint64_t taken = bytes_of(result);
    finish_reading_line(slow, stream, before, taken);
    count_bytes(*usage, taken);
    return result;
  });
}

uint64_t length_of(const char* line) { return line == nullptr ? 0 : strlen(line); }

}  // namespace

SLUICE_HOOK size_t fread(void* data, size_t size, size_t count, FILE* stream) {
  Usage* const usage = usage_of_stream(Call::fread, stream, SLUICE_CALLER);
  note_read(usage, data, size * count);
  return read_from<Locking::by_call>(
      usage, stream, size * count, [=] { return real().fread(data, size, count, stream); },
      [=](size_t result) { return result * size; });
}

SLUICE_HOOK size_t fread_unlocked(void* data, size_t size, size_t count, FILE* stream) {
  Usage* const usage = usage_of_stream(Call::fread, stream, SLUICE_CALLER);
  note_read(usage, data, size * count);
  return read_from<Locking::by_caller>(
      usage, stream, size * count, [=] { return real().fread_unlocked(data, size, count, stream); },
      [=](size_t result) { return result * size; });
}

SLUICE_HOOK size_t __fread_chk(void* data, size_t data_bytes, size_t size, size_t count,
                               FILE* stream) {
  Usage* const usage = usage_of_stream(Call::fread, stream, SLUICE_CALLER);
  note_read(usage, data, size * count);
  return read_from<Locking::by_call>(
      usage, stream, size * count,
      [=] { return real().__fread_chk(data, data_bytes, size, count, stream); },
      [=](size_t result) { return result * size; });
}

SLUICE_HOOK size_t __fread_unlocked_chk(void* data, size_t data_bytes, size_t size, size_t count,
                                        FILE* stream) {
  Usage* const usage = usage_of_stream(Call::fread, stream, SLUICE_CALLER);
  note_read(usage, data, size * count);
  return read_from<Locking::by_caller>(
      usage, stream, size * count,
      [=] { return real().__fread_unlocked_chk(data, data_bytes, size, count, stream); },
      [=](size_t result) { return result * size; });
}

#define SLUICE_GET(LOCKING, NAME)                                       \
  SLUICE_HOOK int NAME(FILE* stream) {                                  \
    return read_from<Locking::LOCKING>(                                 \
        usage_of_stream(Call::fgetc, stream, SLUICE_CALLER), stream, 1, \
        [=] { return real().NAME(stream); },                            \
        [](int result) { return uint64_t{result == EOF ? 0u : 1u}; });  \
  }
SLUICE_GET(by_call, fgetc)
SLUICE_GET(by_caller, fgetc_unlocked)
SLUICE_GET(by_call, getc)
SLUICE_GET(by_caller, getc_unlocked)

#define SLUICE_GET_FROM_INPUT(LOCKING, NAME)                           \
  SLUICE_HOOK int NAME() {                                             \
    return read_from<Locking::LOCKING>(                                \
        usage_of_stream(Call::fgetc, stdin, SLUICE_CALLER), stdin, 1,  \
        [=] { return real().NAME(); },                                 \
        [](int result) { return uint64_t{result == EOF ? 0u : 1u}; }); \
  }
SLUICE_GET_FROM_INPUT(by_call, getchar)
SLUICE_GET_FROM_INPUT(by_caller, getchar_unlocked)

// getc_unlocked() as the C library's headers have compiled it into programs, for an empty buffer.
SLUICE_HOOK int __uflow(FILE* stream) {
  SLUICE_REAL(__uflow)
  Usage* const usage = usage_of_stream(Call::fgetc, stream, SLUICE_CALLER);
  if (usage != nullptr) count_inlined_reads(*usage, stream);
  return read_from<Locking::by_caller>(
      usage, stream, 1, [=] { return real_function(stream); },
      [](int result) { return uint64_t{result == EOF ? 0u : 1u}; });
}

#define SLUICE_GET_TEXT(LOCKING, NAME)                                     \
  SLUICE_HOOK char* NAME(char* line, int count, FILE* stream) {            \
    return read_line_from<Locking::LOCKING>(                               \
        usage_of_stream(Call::fgets, stream, SLUICE_CALLER), stream, '\n', \
        [&] { return real().NAME(line, count, stream); }, length_of);      \
  }
SLUICE_GET_TEXT(by_call, fgets)
SLUICE_GET_TEXT(by_caller, fgets_unlocked)

#define SLUICE_GET_TEXT_CHECKED(LOCKING, NAME)                                     \
  SLUICE_HOOK char* NAME(char* line, size_t line_bytes, int count, FILE* stream) { \
    return read_line_from<Locking::LOCKING>(                                       \
        usage_of_stream(Call::fgets, stream, SLUICE_CALLER), stream, '\n',         \
        [&] { return real().NAME(line, line_bytes, count, stream); }, length_of);  \
  }
SLUICE_GET_TEXT_CHECKED(by_call, __fgets_chk)
SLUICE_GET_TEXT_CHECKED(by_caller, __fgets_unlocked_chk)

SLUICE_HOOK ssize_t getline(char** line, size_t* line_bytes, FILE* stream) {
  return read_line_from<Locking::by_call>(
      usage_of_stream(Call::getline, stream, SLUICE_CALLER), stream, '\n',
      [&] { return real().getline(line, line_bytes, stream); }, positive);
}

#define SLUICE_GET_DELIMITED(LOCKING, NAME)                                                \
  SLUICE_HOOK ssize_t NAME(char** line, size_t* line_bytes, int delimiter, FILE* stream) { \
    return read_line_from<Locking::LOCKING>(                                               \
        usage_of_stream(Call::getline, stream, SLUICE_CALLER), stream, delimiter,          \
        [&] { return real().NAME(line, line_bytes, delimiter, stream); }, positive);       \
  }
SLUICE_GET_DELIMITED(by_call, getdelim)
SLUICE_GET_DELIMITED(by_call, __getdelim)

}  // namespace sluice::preload
