// Reading from streams.
#include <stdio.h>
#include <string.h>

#include "account.h"
#include "files.h"
#include "hook.h"
#include "inlined.h"
#include "real.h"
#include "stdio_calls.h"
#include "stream.h"
#include "stream_calls.h"

namespace sluice::preload {
namespace {

// The number of bytes that glibc asks the kernel for next: it fills the buffer for fewer bytes than
// the buffer has room for, and reads directly what is more, in whole buffers unless the buffer is
// tiny.
uint64_t next_read(uint64_t wanted, uint64_t capacity) {
  constexpr uint64_t tiny = 128;
  if (wanted < capacity) return capacity;
  return capacity < tiny ? wanted : wanted - wanted % capacity;
}

// The number of read(2) calls that glibc makes for `wanted` bytes beyond those that it holds, of
// which `fetched` came. A read of 0 bytes is the end.
uint64_t reads_of(uint64_t wanted, uint64_t fetched, uint64_t capacity) {
  uint64_t calls = 0;
  while (wanted > 0) {
    const uint64_t piece = next_read(wanted, capacity);
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

struct Reading {
  static constexpr bool is_writing = false;
  static constexpr Call call = Call::fgetc;
  static bool copies(const FILE* stream, size_t bytes) { return holds(stream, bytes); }
  static bool fits(const FILE* stream, Piece piece) { return copies(stream, piece.bytes); }
  static Transfer transfer(const FILE* stream, const Held& before, uint64_t asked, uint64_t taken) {
    const Held after(stream);
    const uint64_t fetched = fetched_bytes(before, after, taken);
    const bool knew_the_end = before.at_end && fetched == 0;
    const bool may_read = (stream->_flags & stream_no_reads) == 0;
    const bool needs_none = knew_the_end || !may_read || asked <= before.unread;
    const uint64_t wanted = needs_none ? 0 : asked - before.unread;
    return {reads_of(wanted, fetched, capacity_of(stream)), 0, fetched};
  }
  static void count(Usage& usage, uint64_t bytes) { count_bytes(usage, bytes); }
  static bool counts_alone() { return true; }
  static bool copies_byte(const FILE* stream) { return has_byte(stream); }
  template <typename... Arguments>
  static Piece piece(const Arguments&...) {
    return {1};
  }
  template <typename... Arguments>
  static int move_byte(FILE* stream, Arguments...) {
    return take_byte(stream);
  }
};

// Only after the call the hook knows how long the line is.
struct LineReading : Reading {
  // True if the buffer holds the whole line, or the bytes that the call takes of it. glibc looks at
  // no more bytes either: further ones may lie behind the end of a mapped file.
  static bool fits(const FILE* stream, Piece line) {
    const uint64_t there = distance(stream->_IO_read_ptr, stream->_IO_read_end);
    if (there >= line.bytes) return true;
    return there > 0 && memchr(stream->_IO_read_ptr, line.delimiter, there) != nullptr;
  }
  static Transfer transfer(const FILE* stream, const Held& before, uint64_t, uint64_t taken) {
    const Held after(stream);
    const uint64_t fetched = fetched_bytes(before, after, taken);
    return {fills_of(fetched, stream, before, after), 0, fetched};
  }
};

template <Locking locking, typename Work, typename BytesOf>
auto read_line_from(Usage* usage, FILE* stream, int delimiter, uint64_t most, Work work,
                    BytesOf bytes_of) {
  const Piece line{most, nullptr, delimiter};
  return move<LineReading, locking>(usage, stream, line, work, bytes_of, work);
}

uint64_t length_of(const char* line) { return line == nullptr ? 0 : strlen(line); }

// getline() takes no byte of a stream that has failed.
uint64_t most_of_getline(const FILE* stream) {
  return (stream->_flags & _IO_ERR_SEEN) != 0 ? 0 : UINT64_MAX;
}

}  // namespace

#define SLUICE_READ_BLOCK(LOCKING, NAME, PARAMETERS, ARGUMENTS, MOST)                         \
  SLUICE_HOOK size_t NAME PARAMETERS {                                                        \
    return move_piece<Reading, Locking::LOCKING>(                                             \
        Call::fread, SLUICE_FRAMELESS_CALLER, stream, {size * count},                         \
        [=] { return real().NAME ARGUMENTS; }, [=](size_t result) { return result * size; }); \
  }
SLUICE_BLOCK_READS(SLUICE_READ_BLOCK)

#define SLUICE_READ_BYTE(LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM) \
  SLUICE_HOOK int NAME PARAMETERS {                                    \
    return move_byte<Reading, Locking::LOCKING, &RealFunctions::NAME>( \
        STREAM, __builtin_return_address(0) SLUICE_BEHIND ARGUMENTS);  \
  }
SLUICE_BYTE_READS(SLUICE_READ_BYTE)

// getc_unlocked() as the C library's headers have compiled it into programs, for an empty buffer.
SLUICE_HOOK int __uflow(FILE* stream) {
  Usage* const usage = usage_of_stream(Call::fgetc, stream, SLUICE_CALLER);
  if (usage != nullptr) count_inlined_reads(*usage, stream);
  const auto work = [=] { return real().__uflow(stream); };
  return move<Reading, Locking::by_caller>(usage, stream, {1}, work, one_unless_end, work);
}

#define SLUICE_READ_LINE(LOCKING, NAME, PARAMETERS, ARGUMENTS, MOST)                     \
  SLUICE_HOOK char* NAME PARAMETERS {                                                    \
    return read_line_from<Locking::LOCKING>(                                             \
        usage_of_stream(Call::fgets, stream, SLUICE_CALLER), stream, '\n',               \
        positive(int64_t{count} - 1), [&] { return real().NAME ARGUMENTS; }, length_of); \
  }
SLUICE_LINE_READS(SLUICE_READ_LINE)

#define SLUICE_READ_DELIMITED(LOCKING, NAME, PARAMETERS, ARGUMENTS, DELIMITER)     \
  SLUICE_HOOK ssize_t NAME PARAMETERS {                                            \
    return read_line_from<Locking::LOCKING>(                                       \
        usage_of_stream(Call::getline, stream, SLUICE_CALLER), stream, DELIMITER,  \
        most_of_getline(stream), [&] { return real().NAME ARGUMENTS; }, positive); \
  }
SLUICE_DELIMITED_READS(SLUICE_READ_DELIMITED)

}  // namespace sluice::preload
