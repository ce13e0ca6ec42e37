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

// To map up to this many bytes, to touch each page once and to end the mapping takes so many times
// as long as the call of mmap alone (docs/measured/mapped-pieces.txt).
constexpr double most_of_a_small_mapping = 65536;
constexpr double least_for_a_mapping = 2.8;
constexpr double most_for_a_mapping = 5.4;

constexpr std::uint64_t many_opens = 100;
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

// A larger file would take too much memory.
constexpr double max_kept_bytes = 256.0 * 1024 * 1024;

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

// How many times each thread reads as many bytes as the file has.
double times_read(const Situation& at) {
  const auto bytes = static_cast<double>(at.of_file(all_reads).system_bytes);
  return per(bytes, at.file_amounts.threads_of(at.use.file, all_reads)) / size_of(at.file);
}

bool is_of_database_or_tool(const Situation& at) {
  const Runtime::Kind kind = runtime_of_stack(at.profile.sites[at.use.site].frames).kind;
  return kind == Runtime::Kind::database || kind == Runtime::Kind::tool;
}

// True if the program reads the same bytes so often that it surely need not, also if it works on
// them for much longer than it reads them.
bool is_read_very_often(const Situation& at) {
  constexpr double very_many_times = 100;
  if (at.file.size_bytes == 0 || at.file.is_many || is_of_database_or_tool(at)) return false;
  return at.calls_of_file({Call::flock}) == 0 && times_read(at) >= very_many_times;
}

std::string times_text(double times) {
  constexpr double many = 100;
  return times < many ? fmt::format("{:.1f}", times)
                      : format_count(static_cast<std::uint64_t>(std::llround(times)));
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
  if (is_made_unseen(at)) return std::nullopt;  // see unseen_temporary_files
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
      .id = "seek-before-read",
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

constexpr double many_times = 10;

// The part of the work on the bytes that is surely saved. In docs/measured/mended-calibration.json
// the programs that read a file so many times saved 0.18 to 0.51 of it.
constexpr double least_share_of_work = 0.15;

double times_written(const Situation& at) {
  return static_cast<double>(at.written_to_file().system_bytes) / size_of(at.file);
}

// True if the program also writes the file again and again.
bool is_rewritten(const Situation& at) { return times_written(at) >= many_times; }

// True if the bytes are others each time, as those of a temporary file with the same name.
bool is_made_anew(const Situation& at) {
  constexpr double least_share = 0.1;  // of the size at the end, which may be a large one
  const auto openings = static_cast<double>(at.calls_of_file(openings_of_files));
  return openings >= many_times && times_written(at) >= least_share * openings;
}

// True if the program opens an archive for each member, to take it out or to add it. It may have
// made the archive before.
bool is_archive_opened_anew(const Situation& at) {
  const SumOfCalls openings = at.of_file(openings_of_files);
  const double openings_of_each = per(static_cast<double>(openings.calls),
                                      at.file_amounts.threads_of(at.use.file, openings_of_files));
  // For each opening. With small members, a list of members that is written anew is most of it.
  constexpr double most_of_it_written = 0.3;
  return is_archive(at.file) && openings_of_each >= many_opens &&
         at.of_file(all_reads).calls >= openings.calls &&
         times_written(at) < most_of_it_written * openings_of_each;
}

// True if the program fills the file anew, so that the bytes may be others each time.
bool is_filled_anew(const Situation& at) {
  const auto written = static_cast<double>(at.written_to_file().system_bytes);
  const auto read = static_cast<double>(at.of_file(all_reads).system_bytes);
  const bool is_full_anew = written >= 1.5 * size_of(at.file) && written >= 0.5 * read;
  return (is_rewritten(at) || is_full_anew) && !is_archive_opened_anew(at);
}

// True if the program opens the file many times, and hardly writes it, or an archive for each
// member.
bool is_opened_anew(const Situation& at) {
  const std::uint64_t openings = at.calls_of_file(openings_of_files);
  if (openings < many_opens) return false;
  return at.written_to_file().system_calls <= openings / 10 || is_archive_opened_anew(at);
}

// A file that is read a few times may be read for several reasons. An archive that is opened for
// each member has one: its list of members is read each time.
double enough_times(const Situation& at) {
  constexpr double a_few_times = 2;
  return is_archive_opened_anew(at) ? a_few_times : many_times;
}

// A program that seeks before most of its reads, or names their positions, looks records up, and
// works on each of them.
bool looks_records_up(const Situation& at) {
  const SumOfCalls reads = at.of_file(all_reads);
  const std::uint64_t at_positions = at.calls_of_file({Call::pread, Call::preadv});
  const std::uint64_t seeks = at.calls_of_file({Call::lseek, Call::fseek});
  if (2 * at_positions > reads.calls) return true;
  return seeks >= reads.calls / 4 && !is_opened_anew(at) && !is_rewritten(at);
}

// True if a process waits for most of its time, as one that looks now and then whether a file has
// changed; or if it was killed, and nobody knows.
bool waits_for_changes(const Situation& at) {
  return std::ranges::any_of(at.use.threads, [&](const auto& thread) {
    const Process* const process = process_at(at.profile, thread.first);
    return process != nullptr && (!process->ended || waits_outside_of_calls(*process));
  });
}

// True if the program goes through the same bytes at least so many times. Others may change a file
// that is locked.
bool goes_through(const Situation& at, double times) {
  const bool is_large = size_of(at.file) > max_kept_bytes || at.file.is_many;
  if (at.file.size_bytes == 0 || is_large || times_read(at) < times) return false;
  if (at.calls_of_file({Call::flock}) > 0 || is_of_database_or_tool(at)) return false;
  if (is_made_anew(at) && !is_archive_opened_anew(at)) return false;
  return !looks_records_up(at) && !waits_for_changes(at);
}

// True if it surely does so for one reason.
bool goes_through_again(const Situation& at) { return goes_through(at, enough_times(at)); }

// True if it opens the file a few times and reads all of it each time, as in a function that looks
// for something else each time it is called.
bool repeats_its_work(const Situation& at) {
  constexpr double a_few_times = 4;
  constexpr double nearly_all = 0.9;
  const double openings = per(static_cast<double>(at.calls_of_file(openings_of_files)),
                              at.file_amounts.threads_of(at.use.file, openings_of_files));
  return times_read(at) < enough_times(at) && goes_through(at, a_few_times) &&
         openings >= a_few_times && times_read(at) >= nearly_all * openings;
}

// The share of these reads in the openings and closings, and in the seeks behind the openings.
double reopening_s(const Situation& at) {
  if (!is_read_whole_each_time(at) && !is_read_anew(at)) return 0;
  const SumOfCalls all = at.of_file(
      {Call::fopen, Call::open, Call::fclose, Call::close, Call::fcntl, Call::lseek, Call::fseek});
  const SumOfCalls reads = at.of_file(all_reads);
  return all.time.total_s() * per(static_cast<double>(at.amount.system_bytes), reads.system_bytes);
}

// What the program makes of the bytes between the calls on the file. It saves this work too if it
// keeps the results in place of the bytes. If it also changes them there, it writes them once.
double work_on_bytes_s(const Situation& at) {
  const SumOfCalls reads = at.of_file(all_reads);
  constexpr CallSet closings = {Call::fclose, Call::close};
  // If the trace sees no closings, this work comes before the next opening.
  const bool sees_closings = at.calls_of_file(closings) > 0;
  const SumOfCalls between = at.of_file((sees_closings ? closings : openings_of_files) |
                                        CallSet{Call::fseek, Call::lseek, Call::ftruncate});
  double work_s = reads.work_before_s + reads.time.copying_s + between.work_before_s;
  if (is_rewritten(at)) {
    const SumOfCalls writes = at.of_file(all_writes | Call::fflush);
    work_s += writes.work_before_s + writes.time.total_s();
  }
  return work_s * per(static_cast<double>(at.amount.system_bytes), reads.system_bytes);
}

// A loop over kept bytes takes less than half of the time of the C library's calls for them. (This
// is an estimate.)
constexpr double least_share_of_copying = 0.5;

double least_work_on_bytes_s(const Situation& at, double work_s) {
  if (!goes_through_again(at)) return 0;
  const double most_s = static_cast<double>(at.amount.system_bytes) * most_for_a_byte_s(at);
  const double copying_s = is_opened_anew(at) ? at.amount.time.copying_s : 0;
  return std::max(least_share_of_work * std::min(work_s, most_s),
                  least_share_of_copying * std::min(work_s, copying_s));
}

const char* why_read_again(const Situation& at, bool saves_work, bool goes_through) {
  if (is_filled_anew(at)) {
    return "The program writes the same part of a file again and again, and reads it again each "
           "time. It may save its work on the bytes too: the upper end of the prediction includes "
           "all of it.";
  }
  if (repeats_its_work(at)) {
    return "The program reads the same bytes several times, and works on them each time. If it "
           "keeps what it makes of the bytes, or does in one pass what it does in several, it "
           "saves a part of this work: the upper end of the prediction includes all of it.";
  }
  if (!saves_work) {
    return "The program reads the same bytes again and again. The prediction counts only the "
           "reading: one pass that does the work of several passes saves more.";
  }
  return goes_through
             ? "The program reads the same bytes again and again, and works on them each "
               "time. A program that keeps what it makes of the bytes saves this work "
               "too: the upper end of the prediction includes all of it, and the lower end a "
               "small part."
             : "The program reads the same bytes again and again. A program that keeps "
               "what it makes of the bytes also saves this work: the upper end of the "
               "prediction includes all of it.";
}

// A program that needs the members reads a part of the archive each time. One that copies it or
// adds its bytes up reads all.
bool reads_list_of_members(const Situation& at) {
  constexpr double most_share = 0.5;
  const auto openings = static_cast<double>(at.calls_of_file(openings_of_files));
  return is_archive_opened_anew(at) && times_read(at) < most_share * openings;
}

std::string fix_of_read_again(const Situation& at) {
  if (is_filled_anew(at)) {
    return "Keep the bytes in memory, make the changes there, and write the file at the end, or "
           "now and then. That changes what survives a crash.";
  }
  if (reads_list_of_members(at)) {
    return "Open the archive once, before the first member, and take all members from it, or add "
           "all members to it: each opening reads the list of its members.";
  }
  if (is_opened_anew(at)) {
    return "Open and read the file once, before the first record, by one fread of its size or by "
           "sluice::read_file, and keep what the program makes of the bytes. If others may change "
           "the file meanwhile, read it again only when stat tells of a later time.";
  }
  return "Keep the bytes in memory: read the file once, by one fread of its size or by "
         "sluice::read_file.";
}

// An archive's list of members is small, so the times of its size alone do not tell the cause.
std::string openings_text(const Situation& at) {
  if (!is_archive_opened_anew(at)) return "";
  return fmt::format("; the archive was opened {} times",
                     format_count(at.calls_of_file(openings_of_files)));
}

}  // namespace

bool is_read_anew(const Situation& at) { return is_opened_anew(at) && goes_through_again(at); }

// One thread reads a file several times, at one or more places. (One process cannot keep bytes for
// another process.)
std::optional<Advice> read_again(const Situation& at) {
  if (!at.is(all_reads) || !at.is_regular() || at.file.size_bytes == 0) return std::nullopt;
  if (is_made_unseen(at)) return std::nullopt;  // see unseen_temporary_files
  if (is_shared_by_locks(at)) return std::nullopt;
  const std::uint64_t read_bytes = at.of_file(all_reads).system_bytes;
  const double times = times_read(at);
  if (times < 2) return std::nullopt;
  // To read a large file into new memory costs more than to read it through a buffer again. (The
  // size is an estimate.)
  constexpr double stays_in_cache_bytes = 16.0 * 1024 * 1024;
  if (times < many_times && size_of(at.file) > stays_in_cache_bytes) return std::nullopt;
  const double again = 1 - 1 / times;
  const double by_bytes_s =
      (at.amount.time.system_s + at.amount.time.sleep_s + reopening_s(at)) * again;
  const bool repeats_work = repeats_its_work(at);
  const bool saves_work = repeats_work || times >= enough_times(at);
  const double by_results_s = saves_work ? work_on_bytes_s(at) * again : 0;
  const double least_by_results_s = least_work_on_bytes_s(at, by_results_s);
  // A program that does not use the bytes where they are still copies them, in its own memory.
  const double copied_s =
      at.amount.time.system_s * (1 - share_of_calls(average_system_bytes(at.amount))) * again;
  return Advice{
      .id = "read-again",
      .saved_s = by_bytes_s + by_results_s,
      .use = at.index,
      .seen = fmt::format("{} were read of a file of {}, which is {} times its size{}",
                          format_bytes(read_bytes), format_bytes(at.file.size_bytes),
                          times_text(times), openings_text(at)),
      .why = why_read_again(at, by_results_s > 0, least_by_results_s > 0),
      .fix = fix_of_read_again(at),
      .check = "the same command under sluice trace: the file's size is read once",
      .cure_id = reads_list_of_members(at) ? "archive-opened-again" : "",
      .keeps_file = is_read_anew(at),
      .repeats_work = repeats_work,
      .least_saved_s = by_bytes_s - copied_s + least_by_results_s,
      .by_runtime_s = by_results_s - least_by_results_s,
  };
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
      .id = "read-back",
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
      .id = "mapped-anew",
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
      .id = "mapped-pieces",
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
