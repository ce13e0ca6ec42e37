// Rules about how a program uses a file: at which positions, and how often.
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/runtime.h"

namespace sluice::trace {

using preload::Call;

namespace {

// To map up to this many bytes, to touch each page once and to end the mapping takes at least so
// many times as long as the call of mmap alone (docs/measured/mapped-pieces.txt).
constexpr double most_of_a_small_mapping = 65536;
constexpr double least_for_a_mapping = 2.8;

constexpr std::uint64_t many_seeks = 10;

}  // namespace

// The part of the measured time of a stream's seeks that `sluice run` saves if the seeks stay in
// the buffer. A seek that is timed on its own seems to take longer than it adds to the program. In
// docs/measured/predictions.json, where nearly all seeks stay in the buffer, 0.77 of the measured
// time was saved.
constexpr double felt_share_of_seeks = 0.75;
constexpr double min_share_for_run = 0.25;

// The share of the seeks that stay in the buffer. A seek that leaves the buffer causes a read at
// its target, in the call of the seek or in the next read.
double share_in_buffer(const SumOfCalls& seeks, const SumOfCalls& reads) {
  const std::uint64_t by_seeks = seeks.system_calls - std::min(seeks.system_calls, seeks.calls);
  const double fetched = per(static_cast<double>(reads.system_calls + by_seeks), seeks.calls);
  return std::max(0.0, 1 - fetched);
}

// The share of the seeks in the file that are made by this use.
double share_of_seeks(const Situation& at) {
  return per(static_cast<double>(at.amount.calls), at.calls_of_file({at.use.call}));
}

// The time of these seeks and of their share of the file's reads that is saved if the file is kept
// in memory. 0 if the file is too large.
double saved_by_keeping(const Situation& at, const SumOfCalls& reads) {
  if (size_of(at.file) > max_kept_bytes || at.file.size_bytes == 0) return 0;
  return at.amount.time.total_s() +
         share_of_seeks(at) * (reads.time.total_s() - read_byte_s * size_of(at.file));
}

// Bytes that are not in memory are waited for however a program asks for them.
double sleep_s(const Situation& at, const SumOfCalls& reads) {
  return at.amount.time.sleep_s + share_of_seeks(at) * reads.time.sleep_s;
}
double awake_s(const Time& time) { return time.total_s() - time.sleep_s; }

// If seeks leave the buffer, pread saves one of two system calls.
constexpr double saved_by_pread = 0.5;

double saved_share_of_seeks(bool streams, double in_buffer) {
  if (!streams) return 1;
  return in_buffer < min_share_for_run ? saved_by_pread : felt_share_of_seeks * in_buffer;
}

// What pread saves beyond that of seeks that leave the buffer of a stream: the bytes that fill the
// buffer and are not used, and all of a seek behind which the next call reads.
double more_by_pread(const Situation& at, const SumOfCalls& reads) {
  const SumOfCalls seeks = at.of_file({at.use.call});
  const bool only_seeks = 2 * seeks.system_calls < 3 * seeks.calls;
  const double seeks_s = only_seeks ? awake_s(at.amount.time) * (1 - saved_by_pread) : 0;
  const double fetched = per(static_cast<double>(reads.system_bytes), seeks.calls);
  const double used = per(static_cast<double>(reads.bytes), seeks.calls);
  if (fetched < usual_page_bytes / 2 || 2 * used > fetched) return seeks_s;
  const double copies_s = reads.time.system_s * (1 - share_of_calls(fetched));
  return seeks_s + share_of_seeks(at) * copies_s * (1 - used / fetched);
}

// The most that a piece at a position saves beyond the seeks, if a C++ stream or a language fills a
// buffer after each of them. The trace does not see how much of it the program uses.
double most_of_filled_buffers_s(const Situation& at, const SumOfCalls& reads) {
  const double fetched = per(static_cast<double>(reads.system_bytes), reads.system_calls);
  const bool has_buffer = at.is_by_iostream() || at.is_by_language();
  constexpr double large_buffer_bytes = 16384;  // larger reads are the program's own
  if (at.use.call != Call::lseek || !has_buffer) return 0;
  if (fetched < usual_page_bytes / 2 || fetched > large_buffer_bytes) return 0;
  return share_of_seeks(at) * reads.time.system_s * (1 - share_of_calls(fetched));
}

// Keeping the file in memory is a larger change of the program than pread, so it must save more
// than pread by this factor.
constexpr double worth_keeping = 1.25;

struct Seeks {
  bool streams;
  bool stays;   // nearly all of them lead to bytes that the stream has
  bool keeps;   // the file is better read whole
  bool writes;  // in place
  bool by_run;
};

std::string fix_of(const Seeks& seeks) {
  if (seeks.stays && !seeks.keeps && !seeks.writes) {
    return "Keep the last bytes that the program has read, or read up to the end of the next piece "
           "by one fread, in place of the seeks: most of them lead to bytes that are in the "
           "stream's buffer.";
  }
  if (!seeks.keeps) {
    return fmt::format(
        "Use pread{}, which takes the position as an argument; or keep in memory "
        "what the program has read before.",
        seeks.streams ? " of fileno(stream)" : "");
  }
  const std::string keep = fmt::format(
      "Read the whole file into memory once, by one fread or by sluice::read_file, and take the "
      "pieces from there.{}",
      seeks.writes ? " Make the changes there too, and write them in order at the end." : "");
  return seeks.by_run ? keep : keep + " Using pread instead of seeks alone saves a part of this.";
}

// A library may fill its buffer anew after each seek, which costs more than the seek.
std::string why_of_seeks(bool streams, const SumOfCalls& seeks, const SumOfCalls& reads) {
  constexpr double least_fetched_bytes = 4096;
  const bool stays = streams && share_in_buffer(seeks, reads) > 0;
  std::string why =
      stays ? "glibc asks the kernel to seek each time, also when the target is in its buffer."
            : "Each seek is a system call that moves nothing.";
  if (reads.time.total_s() <= seeks.time.total_s()) return why;
  const double fetched = per(static_cast<double>(reads.system_bytes), seeks.calls);
  const double used = per(static_cast<double>(reads.bytes), seeks.calls);
  if (fetched >= least_fetched_bytes) {
    why = fmt::format("For each seek, {} are read from the kernel",
                      format_bytes(static_cast<std::uint64_t>(fetched)));
    if (2 * used < fetched) {
      why += fmt::format(", of which the program uses {}",
                         format_bytes(static_cast<std::uint64_t>(used)));
    }
    why += '.';
  }
  return why + fmt::format(" The reads take {:.3f} s, and the seeks themselves {:.3f} s.",
                           reads.time.total_s(), seeks.time.total_s());
}

// True if the program reads the same bytes so often that it surely need not, also if it works on
// them for much longer than it reads them.
bool is_read_very_often(const Situation& at) {
  constexpr double very_many_times = 100;
  if (at.file.size_bytes == 0 || at.file.is_many || is_of_database_or_tool(at)) return false;
  return at.calls_of_file({Call::flock}) == 0 && times_read(at) >= very_many_times;
}

// How often, if it is surely too often.
std::string often_text(const Situation& at) {
  if (!is_read_very_often(at)) return "";
  return fmt::format(", which read {} times its size", times_text(times_read(at)));
}

// True if the program also writes to the file that it reads.
bool is_changed_in_place(const Situation& at) {
  return (at.file.flags & O_ACCMODE) == O_RDWR && at.written_to_file().bytes > 0;
}

bool is_read_whole_each_time(const Situation& at) {
  const SumOfCalls openings = at.of_file(openings_of_files);
  const SumOfCalls reads = at.of_file(all_reads);
  const std::uint64_t writes = at.written_to_file().system_calls;
  if (at.file.size_bytes == 0 || writes > openings.calls / 10) return false;
  const double times = static_cast<double>(reads.system_bytes) / size_of(at.file);
  return openings.calls >= many_opens && times >= 0.9 * static_cast<double>(openings.calls);
}

// True if there are many seeks for so many reads, or if they take much time beside them: a program
// that goes back by a few lines reads each of them.
bool matters_beside(const SumOfCalls& seeks, const SumOfCalls& reads) {
  return seeks.calls >= reads.calls / 4 ||
         (seeks.calls >= many_opens && seeks.time.total_s() >= reads.time.total_s() / 4);
}

// True if a language asks for the position when it opens the file or reads it whole.
bool is_of_library(const Situation& at) {
  return at.is_by_language() &&
         at.calls_of_file({Call::lseek}) <= 2 * at.calls_of_file(openings_of_files);
}

std::optional<Advice> seek_before_each_read(const Situation& at) {
  const bool streams = at.use.call == Call::fseek;
  if ((!streams && at.use.call != Call::lseek) || !at.is_regular()) return std::nullopt;
  if (at.calls_of_file({at.use.call}) < many_seeks) return std::nullopt;
  if (at.file.is_many) return std::nullopt;  // a few of each file
  if (!streams && is_of_library(at)) return std::nullopt;
  const SumOfCalls reads = at.of_file(streams ? stream_reads : CallSet{Call::read, Call::readv});
  if (is_read_whole_each_time(at) || is_read_anew(at)) return std::nullopt;  // see read_again
  if (is_made_unseen(at)) return std::nullopt;        // see unseen_temporary_files
  if (is_state_under_locks(at)) return std::nullopt;  // see locked_for_each
  const std::uint64_t cuts = at.calls_of_file({Call::ftruncate});
  if (is_cut_anew(at) && 2 * reads.calls <= 3 * cuts) return std::nullopt;  // see cut_each_time
  if (asks_for_positions(at)) return asked_positions(at);
  if (reads.calls == 0 || !matters_beside(at.amount, reads)) return std::nullopt;
  const double in_buffer = streams ? share_in_buffer(at.amount, reads) : 0;
  const bool stays = in_buffer >= min_share_for_run;
  constexpr double nearly_all = 0.75;
  const bool by_run = stays && !at.amount.takes_locks;
  double by_seeks_s = awake_s(at.amount.time) * saved_share_of_seeks(streams, in_buffer);
  const double by_keeping_s = saved_by_keeping(at, reads);
  const bool keeps = by_keeping_s > 0 && (stays || by_keeping_s > worth_keeping * by_seeks_s);
  if (streams && !keeps && !stays) by_seeks_s += more_by_pread(at, reads);
  Advice advice{
      .kind = kinds::seek_before_read,
      .saved_s = keeps ? std::max(by_keeping_s, by_seeks_s) : by_seeks_s,
      .use = at.index,
      .seen = fmt::format("{} seeks, {} reads of the same file{}", format_count(at.amount.calls),
                          format_count(reads.calls), often_text(at)),
      .why = why_of_seeks(streams, at.of_file({at.use.call}), reads),
      .fix = fix_of({streams, in_buffer >= nearly_all, keeps, is_changed_in_place(at), by_run}),
      .check = by_run ? "sluice run --summary -- the same command"
                      : "the same command under sluice trace: fewer seeks, the same bytes",
      .by = by_run ? "run" : "",
      .keeps_file = keeps,
      .reads_again = keeps && is_read_very_often(at),
  };
  if (keeps) advice.least_saved_s = std::max(0.0, advice.saved_s - sleep_s(at, reads));
  if (!keeps && most_of_filled_buffers_s(at, reads) > 0) {
    advice.least_saved_s = by_seeks_s;
    advice.saved_s += most_of_filled_buffers_s(at, reads);
  }
  if (by_run) advice.run_saves_s = by_seeks_s;
  if (10 * at.calls_of_file({at.use.call}) >= 19 * reads.calls) {
    advice.fix += " If it seeks to the end for the size, ask only once for the size.";
  }
  return advice;
}

namespace {

// A file of which the name is gone may be the program's result, which has another name now. It may
// have been removed if any program of the run removes files, or if it never had a name.
bool may_be_removed(const Situation& at) {
  constexpr std::string_view of_nameless = " (deleted)";  // by the kernel
  return at.file.name.ends_with(of_nameless) ||
         std::ranges::find(at.profile.uses, Call::unlink, &Use::call) != at.profile.uses.end();
}

}  // namespace

// The program writes a file and reads it back: a C++ stream then makes text of each value, and a
// value of the text, between the calls that move its buffer.
std::optional<Advice> read_back(const Situation& at) {
  constexpr double most_kept_bytes = 64.0 * 1024 * 1024;
  if (!at.is(all_reads) || !at.is_regular() || at.file.remains || at.file.is_many) return {};
  if (at.calls_of_file(openings_of_files) >= many_opens) return std::nullopt;  // see reopened
  if (is_made_unseen(at)) return std::nullopt;  // see unseen_temporary_files
  const SumOfCalls reads = at.of_file(all_reads);
  const SumOfCalls writes = at.written_to_file();
  const auto read = static_cast<double>(reads.system_bytes);
  const auto written = static_cast<double>(writes.system_bytes);
  if (written == 0 || written > most_kept_bytes || read < 0.9 * written || read > 1.1 * written)
    return std::nullopt;
  if (!at.file_amounts.is_read_where_written(at.use.file) || !may_be_removed(at)) return {};
  const double share = per(static_cast<double>(at.amount.system_bytes), reads.system_bytes);
  const double calls_s = share * (reads.time.total_s() + writes.time.total_s());
  const bool is_text = at.is_by_iostream();
  const double work_s = is_text ? share * (reads.work_before_s + writes.work_before_s) : 0;
  return Advice{
      .kind = kinds::read_back,
      .saved_s = calls_s + work_s,
      .use = at.index,
      .seen = fmt::format("{} written and read back, of a file that is gone at the end",
                          format_bytes(reads.system_bytes)),
      .why = fmt::format(
          "The program hands values to itself through a file.{}",
          is_text
              ? " The stream makes text of each value, and a value of the text. The trace does "
                "not see how long this takes: the upper end of the prediction includes all work "
                "between the calls."
              : ""),
      .fix = "Keep the values in memory, in an array, if they fit, and write no file.",
      .check = "the same command under sluice trace: no calls on this file",
      .least_saved_s = calls_s,
  };
}

// A program enlarges a file for each record that it adds, and maps all of it anew. The page faults
// of each mapping are work of the kernel outside of the calls.
std::optional<Advice> mapped_anew(const Situation& at) {
  if (at.use.call != Call::mmap || !at.is_regular() || at.file.is_many) return std::nullopt;
  const SumOfCalls enlargements = at.of_file({Call::ftruncate, Call::fallocate});
  if (at.calls_of_each() < many_opens || 2 * enlargements.calls < at.amount.calls) return {};
  const double once = 1 - 1 / at.calls_of_each();
  const double calls_s = (at.amount.time.total_s() + enlargements.time.total_s()) * once;
  const double faults_s = at.amount.time.total_s() * once * (most_for_a_mapping - 1);
  return Advice{
      .kind = {"mapped-anew"},
      .saved_s = calls_s + faults_s,
      .use = at.index,
      .seen = fmt::format("{} mappings of the file, which was enlarged {} times",
                          format_count(at.amount.calls), format_count(enlargements.calls)),
      .why =
          "Each time the kernel changes the file's size, makes a new mapping, and interrupts the "
          "program at its first use.",
      .fix =
          "Make the file twice as large whenever it is full, map it once for each such step, and "
          "cut it at the end. Or write the records by sluice::Writer or a FILE.",
      .check = "the same command under sluice trace: few calls of mmap and ftruncate",
      .least_saved_s = calls_s,
      .by_runtime_s = faults_s,
  };
}

// One thread maps a file in small pieces.
std::optional<Advice> mapped_in_pieces(const Situation& at) {
  if (at.use.call != Call::mmap || !at.is_regular() || at.file.is_many) return std::nullopt;
  const double piece = average_bytes(at.amount);
  if (at.calls_of_each() < many_opens || piece > most_of_a_small_mapping) return std::nullopt;
  if (2 * piece > size_of(at.file)) return std::nullopt;
  const double calls_s = at.amount.time.total_s() * (1 - 1 / at.calls_of_each());
  return Advice{
      .kind = {"mapped-pieces"},
      .saved_s = calls_s * most_for_a_mapping,
      .use = at.index,
      .seen = fmt::format("{} mappings of {:.0f} bytes on average, of a file of {}",
                          format_count(at.amount.calls), piece, format_bytes(at.file.size_bytes)),
      .why =
          "Each mapping is a system call, its first use interrupts the program, and its end makes "
          "all processors forget its addresses.",
      .fix =
          "Map the whole file once, or pieces of many megabytes; or read it in large pieces with "
          "sluice::Reader.",
      .check = "the same command under sluice trace: few calls of mmap",
      .least_saved_s = calls_s * least_for_a_mapping,
      .by_runtime_s = calls_s * (most_for_a_mapping - 1),
  };
}

}  // namespace sluice::trace
