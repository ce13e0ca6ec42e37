// The kinds of advice, and what other code has to know of a kind.
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::trace {

struct KindOfAdvice {
  enum Trait : std::uint16_t {
    each_call = 1 << 0,    // the time grows with the number of calls
    openings = 1 << 1,     // the calls open files
    questions = 1 << 2,    // the calls ask about names or open files
    keeps_state = 1 << 3,  // the program is to keep its state in memory
    small_writes = 1 << 4,
    fewer_reads = 1 << 5,  // one of several ways to read with fewer calls
    one_change = 1 << 6,   // one change is for all calls, in all files and in both of two programs

    // What the calibration asks.
    never_followed = 1 << 7,  // no program was measured that follows it
    estimated = 1 << 8,       // by the time of work between the calls
    in_buffer = 1 << 9,       // most of the calls stay in the buffer
  };

  std::string_view id;  // a fixed name for scripts that read the JSON
  unsigned traits = 0;  // of Trait

  constexpr bool is(Trait trait) const { return (traits & trait) != 0; }
  constexpr bool operator==(const KindOfAdvice& other) const { return id == other.id; }
};

namespace kinds {

using enum KindOfAdvice::Trait;
using Kind = const KindOfAdvice;

inline constexpr Kind asked_again{"asked-again", each_call | questions};
inline constexpr Kind asked_in_a_row{"asked-in-a-row", each_call | questions};
inline constexpr Kind asked_positions{"asked-positions", each_call};
inline constexpr Kind char_at_a_time{"char-at-a-time", each_call | in_buffer};
inline constexpr Kind cold_mapping{"cold-mapping", never_followed};
inline constexpr Kind flush_after_each{"flush-after-each", each_call | small_writes};
inline constexpr Kind formatted_reads{"formatted-reads", estimated};
inline constexpr Kind here_strings{"here-strings", each_call};
inline constexpr Kind kept_state{"kept-state", each_call | openings | keeps_state};
inline constexpr Kind locked_for_each{"locked-for-each", each_call};
inline constexpr Kind looked_up_again{"looked-up-again", each_call | questions};
inline constexpr Kind overlap{"overlap", never_followed};
inline constexpr Kind pipe_pieces{"pipe-pieces", each_call | estimated};
inline constexpr Kind read_again{"read-again", fewer_reads};
inline constexpr Kind read_back{"read-back", estimated};
inline constexpr Kind reopened{"reopened", each_call | openings};
inline constexpr Kind rewritten_part{"rewritten-part", each_call};
inline constexpr Kind round_trips{"round-trips", each_call | one_change};
inline constexpr Kind scanned_lines{"scanned-lines", estimated};
inline constexpr Kind scattered_reads{"scattered-reads", each_call | fewer_reads};
inline constexpr Kind seek_before_read{"seek-before-read", each_call};
inline constexpr Kind small_buffer{"small-buffer", fewer_reads};
inline constexpr Kind small_copies{"small-copies", one_change};
inline constexpr Kind stream_bytes{"stream-bytes", estimated};
inline constexpr Kind stream_pieces{"stream-pieces", estimated};
inline constexpr Kind stream_without_buffer{"stream-without-buffer", small_writes};
inline constexpr Kind string_stream{"string-stream", estimated};
inline constexpr Kind synchronous_writes{"synchronous-writes", never_followed};
inline constexpr Kind temporary_files{"temporary-files", each_call | openings | keeps_state};
inline constexpr Kind tiny_copies{"tiny-copies", each_call};
inline constexpr Kind tiny_prints{"tiny-prints", each_call | in_buffer};
inline constexpr Kind tiny_reads{"tiny-reads", each_call | fewer_reads};
inline constexpr Kind tiny_stdio_reads{"tiny-stdio-reads", each_call | in_buffer};
inline constexpr Kind tiny_stdio_writes{"tiny-stdio-writes", each_call | in_buffer};
inline constexpr Kind tiny_writes{"tiny-writes", each_call | small_writes};
inline constexpr Kind turns_of_threads{"turns-of-threads", never_followed};
inline constexpr Kind unbuffered_stream{"unbuffered-stream", each_call | small_writes};
inline constexpr Kind unused_openings{"unused-openings", each_call | openings};

}  // namespace kinds

}  // namespace sluice::trace
