// Programs that ask the kernel again and again where in a file they are.
#include <fcntl.h>
#include <fmt/format.h>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"

namespace sluice::trace {

using preload::Call;

namespace {

constexpr std::uint64_t many_questions = 100;

// True if a C++ program reads on between its questions, and does not wait for a file to grow.
bool goes_through(const Situation& at, const SumOfCalls& reads) {
  constexpr std::uint64_t least_bytes = 2;  // a letter and the end of a line, for each question
  return at.is_by_iostream() && reads.bytes >= least_bytes * at.amount.calls;
}

}  // namespace

// True if the program asks for its position again and again while it reads or writes, and hardly
// moves: a seek that leads elsewhere has a read or a write behind it. (A library may seek several
// times around a read.)
bool asks_for_positions(const Situation& at) {
  const SumOfCalls written = at.written_to_file();
  const SumOfCalls read = at.of_file(all_reads);
  const std::uint64_t by_openings = 4 * at.file.opens;
  if (at.use.call != Call::lseek || at.amount.calls < by_openings + many_questions) return false;
  if (written.system_bytes + read.system_bytes == 0) return false;
  // A program in C that only reads may ask for the end of a file that grows.
  if (written.system_bytes == 0 && !at.is_by_language() && !goes_through(at, read)) return false;
  if (2 * written.system_calls + 8 * read.system_calls > at.amount.calls) return false;
  return !is_renewed_in_place(at) && 2 * at.amount.far_calls < at.amount.calls;
}

Advice asked_positions(const Situation& at) {
  const std::uint64_t reads = at.of_file(all_reads).system_calls;
  const std::uint64_t writes = at.written_to_file().system_calls;
  return {
      .kind = kinds::asked_positions,
      .saved_s = at.amount.time.total_s(),
      .use = at.index,
      .seen = fmt::format("{} questions for the position, {} {} of the same file",
                          format_count(at.amount.calls), format_count(reads + writes),
                          reads == 0    ? "writes"
                          : writes == 0 ? "reads"
                                        : "reads and writes"),
      .why = "Each question is a system call, also if the bytes are still in a buffer.",
      .fix = fmt::format(
          "Count the bytes that the program {}, and ask for the position ({}, ftell, lseek) only "
          "once.",
          reads > writes ? "reads" : "writes", reads > writes ? "tellg" : "tellp"),
      .check = "the same command under sluice trace: fewer seeks, the same bytes",
  };
}

namespace {

// The seek of Lua asks for the position too.
bool asks_behind_seeks(const Situation& at) {
  return 2 * at.calls_of_file({Call::fseek}) > at.amount.calls;
}

// The C library knows the position, and takes the stream's lock to tell it.
Advice known_positions(const Situation& at) {
  constexpr double least_share = 0.5;  // such a call seems to take longer than it adds
  Advice advice = asked_positions(at);
  advice.saved_s = at.amount.time.copying_s;
  advice.least_saved_s = least_share * advice.saved_s;
  advice.why = "Each question takes the lock of the stream, and goes through several functions.";
  return advice;
}

}  // namespace

// The C library does not know the position of a stream that has never been sought in, nor the end
// of a file to which others may append.
std::optional<Advice> positions_of_stream(const Situation& at) {
  const std::uint64_t by_openings = 4 * at.file.opens;
  if (at.use.call != Call::ftell || !at.is_regular() || at.file.is_many) return std::nullopt;
  if (at.amount.copies > at.amount.calls / 2) {
    if (asks_behind_seeks(at)) return std::nullopt;
    return known_positions(at);
  }
  if (at.amount.system_calls < by_openings + many_questions) return std::nullopt;
  Advice advice = asked_positions(at);
  advice.saved_s = at.amount.time.system_s;
  if ((at.file.flags & O_APPEND) == 0) {
    advice.fix =
        "Call fseek(stream, 0, SEEK_CUR) once before the first read or write: the C library then "
        "knows the position, and each further ftell is no system call. Or count the bytes.";
  }
  return advice;
}

}  // namespace sluice::trace
