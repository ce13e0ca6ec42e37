// Small pieces that go through a pipe or a socket to another program, or to a person.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/runtime.h"

namespace sluice::trace {

using preload::Call;

namespace {

// A person who watches the pipe, or a program that does something for each piece, needs no more.
constexpr std::uint64_t too_many_for_a_watcher = 10'000;
constexpr double small_bytes = 512;
constexpr double few_answers = 0.1;  // to each piece

bool is_channel(const File& file) { return S_ISFIFO(file.kind) || S_ISSOCK(file.kind); }

// A socket for messages gives and takes one message in each call.
bool takes_pieces_of_any_size(const File& file) {
  return S_ISFIFO(file.kind) || (S_ISSOCK(file.kind) && file.first_bytes == SOCK_STREAM);
}

bool writes_to(const Use& use, std::size_t file) {
  return use.file == file && (all_writes.contains(use.call) || use.call == Call::fflush);
}

// True if a traced process reads the one channel and writes the other one. If no traced process has
// their other ends, nobody knows, and a filter between two programs is the likelier case for
// standard input.
bool may_be_answered(const Situation& at, const Use& reads) {
  bool is_known = false;
  for (const Use& there : at.profile.uses) {
    const bool is_there = all_reads.contains(there.call) && there.file == at.use.file &&
                          !there.shares_a_process_with(at.use);
    const bool is_source = writes_to(there, reads.file) && !there.shares_a_process_with(at.use);
    is_known = is_known || is_there || is_source;
    if (!is_there) continue;
    const auto answers = [&](const Use& use) {
      return writes_to(use, reads.file) && use.shares_a_process_with(there);
    };
    if (std::ranges::any_of(at.profile.uses, answers)) return true;
  }
  return !is_known && !reads.amount.standard;
}

// A socket has both directions, and a pipe only one.
bool may_answer(const Situation& at, const Use& use) {
  const File& file = at.profile.files[use.file];
  if (!all_reads.contains(use.call) || !is_channel(file) || !use.shares_a_process_with(at.use))
    return false;
  return S_ISSOCK(file.kind) || (use.file != at.use.file && may_be_answered(at, use));
}

// The reads by which the program may wait for an answer to its pieces.
Amount answers_to(const Situation& at) {
  Amount answers;
  for (const Use& use : at.profile.uses) {
    if (may_answer(at, use)) answers += use.amount;
  }
  return answers;
}

double answers_to_each(const Situation& at) {
  return per(static_cast<double>(answers_to(at).system_calls), at.amount.system_calls);
}

// How often the processes of these calls have waited, for whatever it was. Nothing if one of them
// has not ended: it counts its waits at its end.
std::optional<std::uint64_t> waits_of_processes(const Situation& at) {
  std::uint64_t waits = 0;
  for (int last = 0; const auto& [place, thread] : at.use.threads) {
    const Process* const process = process_at(at.profile, place);
    if (std::exchange(last, place) == place) continue;
    if (process == nullptr || !process->ended) return {};
    waits += process->voluntary_switches;
  }
  return waits;
}

// True if the program takes a few bytes at a time out of a pipe that has more of them. If it waits
// for each piece, or if the writer writes small pieces, no more bytes are there. Where the trace
// does not see the writer: a reader that hardly waits would find many pieces together, if it asked
// for more. (The share of its time that it may wait is an estimate.)
bool takes_little_from_a_pipe(const Situation& at) {
  constexpr double few_bytes = 16;
  constexpr std::uint64_t many_reads = 10'000;
  if (!at.reads_directly() || !S_ISFIFO(at.file.kind)) return false;
  const double piece = at.bytes_moved();
  if (piece >= usual_page_bytes / 2 || at.amount.system_calls < many_reads) return false;
  const double written_bytes = average_system_bytes(at.written_to_file());
  const double most_share = piece > few_bytes ? 0.25 : 1;
  if (written_bytes == 0) return at.amount.time.sleep_s < most_share * at.amount.time.system_s;
  return written_bytes > 4 * piece;
}

// True if the program takes a few bytes at a time out of a socket, and mostly finds them there: its
// processes have hardly waited. (What is written to the other end has another file.)
bool takes_little_from_a_socket(const Situation& at) {
  constexpr double few_bytes = 512;
  constexpr std::uint64_t many_reads = 10'000;
  constexpr std::uint64_t reads_for_each_wait = 4;
  const bool is_socket = S_ISSOCK(at.file.kind) && takes_pieces_of_any_size(at.file);
  if (!at.reads_directly() || !is_socket || at.bytes_moved() >= few_bytes) return false;
  const std::uint64_t reads = at.amount.system_calls;
  const std::optional<std::uint64_t> waits = waits_of_processes(at);
  return reads >= many_reads && waits && reads >= reads_for_each_wait * *waits;
}

}  // namespace

bool takes_little_of_what_is_there(const Situation& at) {
  return takes_little_from_a_pipe(at) || takes_little_from_a_socket(at);
}

// Each piece is a system call of the writer. Mostly it is also one of the reader, and the kernel
// wakes the reader and lets it sleep again: a piece cost 0.4 to 3.6 microseconds of both processes
// more than its share of a full pipe (docs/measured/pipe-pieces.txt). A writer that waits for a
// slower reader may gain nothing.
std::optional<Advice> small_pieces_to_pipe(const Situation& at) {
  constexpr double most_piece_s = 4e-6;
  if (!at.writes_directly() && at.use.call != Call::fflush) return std::nullopt;
  if (!takes_pieces_of_any_size(at.file)) return std::nullopt;
  if (at.amount.system_calls < too_many_for_a_watcher) return std::nullopt;
  const double piece = average_system_bytes(at.amount);
  const auto pieces = static_cast<double>(at.amount.system_calls);
  if (piece >= small_bytes || answers_to_each(at) > few_answers) return std::nullopt;
  const char* const channel = S_ISFIFO(at.file.kind) ? "pipe" : "socket";
  // What is read of the same socket comes from the other program.
  const SumOfCalls reads = S_ISFIFO(at.file.kind) ? at.of_file(all_reads) : SumOfCalls{};
  const std::uint64_t all_pieces = at.written_to_file().system_calls;  // of all call sites
  const double calls_s = at.amount.time.system_s * share_of_calls(piece);
  const double reads_s =
      reads.time.system_s * share_of_calls(average_system_bytes(reads)) * per(pieces, all_pieces);
  const bool reads_many_at_once = reads.calls > 0 && 4 * reads.system_calls < all_pieces;
  return Advice{
      .kind = kinds::pipe_pieces,
      .saved_s = reads_many_at_once ? calls_s : std::max(most_piece_s * pieces, calls_s + reads_s),
      .use = at.index,
      .seen = fmt::format("{} pieces of {:.1f} bytes through a {}",
                          format_count(at.amount.system_calls), piece, channel),
      .why = reads_many_at_once
                 ? "Each piece is a system call. The other program reads many of them at once."
                 : fmt::format("Each piece is a system call here, and mostly one of the program "
                               "that reads the {} too, which the kernel wakes for it.",
                               channel),
      .fix =
          "Gather the pieces in a buffer of 64 KiB, and leave the flush after each piece out, "
          "where the other program need not see each piece at once.",
      .check = "the same command under sluice trace: fewer calls, the same bytes",
      .least_saved_s = std::max(0.0, calls_s - at.amount.time.sleep_s),
  };
}

// The program waits for an answer to each piece that it sends to another program, or answers each
// piece that it gets. With many questions in one piece, the calls and the waits are fewer. At least
// the time in which the kernel works for this program is saved.
std::optional<Advice> round_trips(const Situation& at) {
  constexpr std::uint64_t many_questions = 1000;
  constexpr double least_answers = 0.7;  // to each piece
  if (!at.writes_directly() && !at.writes_to_stream() && at.use.call != Call::fflush) return {};
  if (!is_channel(at.file) || at.amount.system_calls < many_questions) return std::nullopt;
  const double piece = average_system_bytes(at.amount);
  const double answers = answers_to_each(at);
  if (piece >= small_bytes || answers < least_answers) return std::nullopt;
  const double share = std::min(1.0, 1 / answers);
  const Time reads = answers_to(at).time;
  const double system_s = at.amount.time.system_s + share * reads.system_s;
  return Advice{
      .kind = kinds::round_trips,
      .saved_s = system_s + at.amount.time.sleep_s + share * reads.sleep_s,
      .use = at.index,
      .seen = fmt::format("{} pieces of {:.1f} bytes to another program, and an answer to each",
                          format_count(at.amount.system_calls), piece),
      .why =
          "One program waits for the other after each piece: both make system calls, and the "
          "kernel lets one of them sleep and wakes the other.",
      .fix =
          "Send many questions in one piece, and then read all their answers. If each question "
          "needs the answer to the one before, do the work of the other program in this one, by a "
          "function.",
      .check = "the same command under sluice trace: fewer calls, and less waiting",
      .least_saved_s = system_s,
  };
}

// A shell writes the text of a here-string into a pipe, and takes it out byte by byte.
std::optional<Advice> here_strings(const Situation& at) {
  const bool may_be_pipe = S_ISFIFO(at.file.kind) || at.file.is_many;  // each text has its own
  if (!at.is(all_reads) || !may_be_pipe) return std::nullopt;
  if (runtime_of_stack(at.profile.sites[at.use.site].frames).name != "shell") return std::nullopt;
  const SumOfCalls written = at.written_to_file();
  const SumOfCalls reads = at.of_file(all_reads);
  const bool is_own = at.file_amounts.threads_of(at.use.file, all_reads | all_writes) == 1;
  const double share = per(static_cast<double>(reads.bytes), written.bytes);
  if (!is_own || share < 0.9 || share > 1.1) return std::nullopt;
  const SumOfCalls all = at.of_file(all_reads | all_writes |
                                    CallSet{Call::dup, Call::fcntl, Call::close, Call::lseek});
  return Advice{
      .kind = kinds::here_strings,
      .saved_s = all.time.total_s() * per(static_cast<double>(at.amount.bytes), reads.bytes),
      .use = at.index,
      .seen = fmt::format("{} of a text of {}, which the shell has written itself",
                          calls_text(at.use), format_bytes(written.bytes)),
      .why =
          "The shell writes the text of a here-string (`<<< \"$text\"`) or here-document into a "
          "pipe, and reads it byte by byte.",
      .fix = "",  // see cures.h
      .check = "the same command under sluice trace: far fewer calls of read",
      .keeps_file = true,
  };
}

// Messages through a stream without a buffer, such as standard error, to anything but a file. A
// program that gathers them still makes their texts.
std::optional<Advice> unbuffered_messages(const Situation& at) {
  if (!at.writes_to_stream() || at.is_regular()) return std::nullopt;
  const bool each_is_one = at.amount.system_calls >= at.amount.calls * 9 / 10;
  if (!each_is_one || at.amount.system_calls < too_many_for_a_watcher) return std::nullopt;
  const double piece = average_system_bytes(at.amount);
  if (piece >= small_bytes || answers_to_each(at) > few_answers) return std::nullopt;
  const double calls_s = at.amount.time.system_s * share_of_calls(piece);
  return Advice{
      .kind = {"unbuffered-messages"},
      .saved_s = at.amount.time.total_s(),
      .use = at.index,
      .seen = fmt::format("{}, nearly every one a system call", calls_text(at.use)),
      .why = "Standard error has no buffer, and a stream to a terminal has one for a line.",
      .fix =
          "Show progress when it has changed, or now and then, and not for each record. Gather "
          "messages that nobody waits for: setvbuf(stream, buffer, _IOFBF, 65536).",
      .check = "the same command under sluice trace: fewer system calls",
      .least_saved_s = std::max(0.0, calls_s - at.amount.most_texts_s),
  };
}

}  // namespace sluice::trace
