// Writing to streams.
#include <stdarg.h>
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

bool ends_line(Piece piece) {
  if (piece.bytes == 1) return *static_cast<const char*>(piece.data) == '\n';
  return memchr(piece.data, '\n', piece.bytes) != nullptr;
}

// True if the piece, which ends no line, stays in such a buffer.
bool stays_in_line(const FILE* stream, Piece piece) {
  return piece.data != nullptr && keeps_lines(stream) && byte_oriented(stream) &&
         piece.bytes - 1 < room_for_lines(stream) && !ends_line(piece);
}

struct Writing {
  static constexpr bool is_writing = true;
  static constexpr Call call = Call::fputc;
  static bool fits(const FILE* stream, Piece piece) {
    return room_for(stream, piece.bytes) || stays_in_line(stream, piece);
  }
  static bool copies(const FILE* stream, size_t bytes) { return room_for(stream, bytes); }
  static Transfer transfer(const FILE* stream, const Held& before, uint64_t, uint64_t written) {
    const uint64_t held = before.pending + written;
    const uint64_t pending = Held(stream).pending;
    const uint64_t flushed = held > pending ? held - pending : 0;
    return {writes_of(flushed, before, capacity_of(stream)), flushed, 0};
  }
  static void count(Usage& usage, uint64_t bytes) { count_written(usage, bytes); }
  static bool counts_alone() { return sizes == nullptr; }
  static bool copies_byte(const FILE* stream) { return has_room_for_byte(stream); }
  template <typename... Stream>
  static Piece piece(const int& byte, Stream...) {
    return {1, &byte};  // its first byte in memory is the lowest one
  }
  template <typename... Stream>
  static int move_byte(FILE* stream, int byte, Stream...) {
    return put_byte(stream, byte);
  }
};

// printf and similar functions. The number of bytes is known only after the call.
template <typename Work>
int print_to(Usage* usage, FILE* stream, Work work) {
  if (usage == nullptr) return work();
  return held_still<Locking::by_call>(stream, [&](uint64_t waited_ticks) {
    const Held before(stream);
    const uint64_t left = keeps_lines(stream) ? 0 : before.room;
    return print_or_scan(*usage, waited_ticks, left, work, [&](int result) {
      count_written(*usage, positive(result));
      if (result < 0) ++usage->failures;
      return Writing::transfer(stream, before, 0, positive(result));
    });
  });
}

}  // namespace

#define SLUICE_WRITE_BLOCK(LOCKING, NAME, PARAMETERS, ARGUMENTS)                              \
  SLUICE_HOOK size_t NAME PARAMETERS {                                                        \
    return move_piece<Writing, Locking::LOCKING>(                                             \
        Call::fwrite, SLUICE_FRAMELESS_CALLER, stream, {size * count, data},                  \
        [=] { return real().NAME ARGUMENTS; }, [=](size_t result) { return result * size; }); \
  }
SLUICE_BLOCK_WRITES(SLUICE_WRITE_BLOCK)

#define SLUICE_WRITE_BYTE(LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM) \
  SLUICE_HOOK int NAME PARAMETERS {                                     \
    return move_byte<Writing, Locking::LOCKING, &RealFunctions::NAME>(  \
        STREAM, __builtin_return_address(0) SLUICE_BEHIND ARGUMENTS);   \
  }
SLUICE_BYTE_WRITES(SLUICE_WRITE_BYTE)

#define SLUICE_WRITE_TEXT(LOCKING, NAME, PARAMETERS, ARGUMENTS, STREAM, ENDS)                \
  SLUICE_HOOK int NAME PARAMETERS {                                                          \
    const size_t bytes = strlen(text) + (ENDS);                                              \
    return move_piece<Writing, Locking::LOCKING>(                                            \
        Call::fputs, SLUICE_FRAMELESS_CALLER, STREAM, {bytes, (ENDS) == 0 ? text : nullptr}, \
        [=] { return real().NAME ARGUMENTS; },                                               \
        [=](int result) { return uint64_t{result == EOF ? 0 : bytes}; });                    \
  }
SLUICE_TEXT_WRITES(SLUICE_WRITE_TEXT)

#define SLUICE_PRINTED(STREAM, REAL, ...)                                 \
  print_to(usage_of_stream(Call::fprintf, STREAM, SLUICE_CALLER), STREAM, \
           [&] { return real().REAL(STREAM, __VA_ARGS__, list); })
#define SLUICE_PRINT(STREAM) SLUICE_PRINTED(STREAM, vfprintf, format)
#define SLUICE_CHECKED_PRINT(STREAM) SLUICE_PRINTED(STREAM, __vfprintf_chk, flag, format)
#define SLUICE_FLAG int flag,
SLUICE_FORMATTED(print, "", "printf", , stdout, SLUICE_PRINT)
SLUICE_FORMATTED(checked_print, "__", "printf_chk", SLUICE_FLAG, stdout, SLUICE_CHECKED_PRINT)

// putc_unlocked() as the C library's headers have compiled it into programs, for a full buffer.
SLUICE_HOOK int __overflow(FILE* stream, int byte) {
  Usage* const usage = usage_of_stream(Call::fputc, stream, SLUICE_CALLER);
  if (usage != nullptr) count_inlined_writes(*usage, stream);
  const Piece piece{1, byte == EOF ? nullptr : &byte};  // EOF empties the buffer
  const auto work = [=] { return real().__overflow(stream, byte); };
  return move<Writing, Locking::by_caller>(usage, stream, piece, work, one_unless_end, work);
}

}  // namespace sluice::preload
