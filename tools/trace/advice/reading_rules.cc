// Programs that read the same bytes again and again.
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/runtime.h"

namespace sluice::trace {

using preload::Call;

namespace {

// The bytes that were read of the file, also those of a stream that stay in its buffer.
double bytes_read(const Situation& at) {
  const SumOfCalls reads = at.of_file(all_reads);
  return static_cast<double>(std::max(reads.system_bytes, reads.bytes));
}

}  // namespace

double times_read(const Situation& at) {
  return per(bytes_read(at), at.file_amounts.threads_of(at.use.file, all_reads)) / size_of(at.file);
}

// With its usual buffer, zlib reads 8 KiB of a compressed file at a time, and copies the last 32
// KiB of the text for each of them. With `gzbuffer(file, 1 << 18)` programs took 10 to 21
// microseconds less for each of these reads, and 17 to 23 % less in all
// (docs/measured/amd-zen4-gzbuffer.txt). Of a file that is not compressed zlib reads 16 KiB at a
// time, and gains nothing.
void count_decompression(Advice& advice, const Situation& at) {
  constexpr double least_for_a_read_s = 8e-6;
  constexpr double most_for_a_read_s = 20e-6;
  constexpr double most_share = 0.25;
  constexpr double usual_bytes = 8192;
  if (!at.reads_directly() || average_system_bytes(at.amount) > usual_bytes) return;
  if (runtime_of_stack(at.profile.sites[at.use.site].frames).name != "zlib") return;
  const auto reads = static_cast<double>(at.amount.system_calls);
  const double most_s = std::min(most_share * at.amount.work_before_s, most_for_a_read_s * reads);
  const double least_s = std::min(most_s, least_for_a_read_s * reads);
  advice.least_saved_s = advice.least_s() + least_s;
  advice.saved_s += most_s;
  advice.by_runtime_s += most_s - least_s;
  advice.why +=
      " zlib also copies the last 32 KiB of the text for each read, and decompresses large pieces "
      "faster: the prediction includes 8 to 20 us for each read.";
}

bool is_of_database_or_tool(const Situation& at) {
  const Runtime::Kind kind = runtime_of_stack(at.profile.sites[at.use.site].frames).kind;
  return kind == Runtime::Kind::database || kind == Runtime::Kind::tool;
}

std::string times_text(double times) {
  constexpr double many = 100;
  return times < many ? fmt::format("{:.1f}", times)
                      : format_count(static_cast<std::uint64_t>(std::llround(times)));
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

// True if the program seeks in a stream about as often as it reads the whole file: it goes back to
// the start for each time.
bool seeks_for_each_time(const Situation& at) {
  const auto seeks = static_cast<double>(at.calls_of_file({Call::fseek}));
  return seeks >= many_times && 2 * seeks >= times_read(at);
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

// How often each thread opens the file, if it reads all of it each time; else 0.
double whole_readings(const Situation& at) {
  constexpr double nearly_all = 0.9;
  const double openings = per(static_cast<double>(at.calls_of_file(openings_of_files)),
                              at.file_amounts.threads_of(at.use.file, openings_of_files));
  return times_read(at) >= nearly_all * openings ? openings : 0;
}

// The share of these reads in the openings and closings, and in the seeks behind the openings.
double reopening_s(const Situation& at) {
  const bool is_due_to_openings = is_read_whole_each_time(at) || is_read_anew(at) ||
                                  (whole_readings(at) >= 2 && !is_filled_anew(at));
  if (!is_due_to_openings) return 0;
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

// True if it opens and reads the whole file each time, as in a function that looks for something in
// it. If it works for longer than this for each byte, it computes something else meanwhile. (The
// limit is an estimate: Python's configparser takes 0.6 us for each byte of its settings.)
bool repeats_its_work(const Situation& at) {
  constexpr double a_few_times = 4;
  constexpr double most_s = 2e-6;
  return !is_filled_anew(at) && goes_through(at, a_few_times) &&
         whole_readings(at) >= a_few_times &&
         work_on_bytes_s(at) <= most_s * static_cast<double>(at.amount.system_bytes);
}

bool repeats_its_work_a_few_times(const Situation& at) {
  return repeats_its_work(at) && times_read(at) < enough_times(at);
}

// A loop over kept bytes takes less than half of the time of the C library's calls for them. (This
// is an estimate.)
constexpr double least_share_of_copying = 0.5;

double least_work_on_bytes_s(const Situation& at, double work_s) {
  if (!goes_through_again(at)) return 0;
  const std::uint64_t bytes = std::max(at.amount.system_bytes, at.amount.bytes);
  const double most_s = static_cast<double>(bytes) * most_for_a_byte_s(at);
  const bool begins_anew = is_opened_anew(at) || seeks_for_each_time(at);
  const double copying_s = begins_anew ? at.amount.time.copying_s : 0;
  return std::max(least_share_of_work * std::min(work_s, most_s),
                  least_share_of_copying * std::min(work_s, copying_s));
}

const char* why_read_again(const Situation& at, bool saves_work, bool goes_through) {
  if (is_filled_anew(at)) {
    return "The program writes the same part of a file again and again, and reads it again each "
           "time. It may save its work on the bytes too: the upper end of the prediction includes "
           "all of it.";
  }
  if (repeats_its_work_a_few_times(at)) {
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
  return "Keep the bytes in memory, or what the program makes of them: read the file once, by one "
         "fread of its size or by sluice::read_file.";
}

// An archive's list of members is small, so the times of its size alone do not tell the cause.
std::string openings_text(const Situation& at) {
  if (!is_archive_opened_anew(at)) return "";
  return fmt::format("; the archive was opened {} times",
                     format_count(at.calls_of_file(openings_of_files)));
}

}  // namespace

bool is_read_anew(const Situation& at) {
  return (is_opened_anew(at) || seeks_for_each_time(at)) && goes_through_again(at);
}

// One thread reads a file several times, at one or more places. (One process cannot keep bytes for
// another process.)
std::optional<Advice> read_again(const Situation& at) {
  if (!at.is(all_reads) || !at.is_regular() || at.file.size_bytes == 0) return std::nullopt;
  if (is_made_unseen(at)) return std::nullopt;  // see unseen_temporary_files
  if (is_shared_by_locks(at) || is_state_under_locks(at)) return std::nullopt;
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
      .kind = kinds::read_again,
      .saved_s = by_bytes_s + by_results_s,
      .use = at.index,
      .seen = fmt::format("{} were read of a file of {}, which is {} times its size{}",
                          format_bytes(static_cast<std::uint64_t>(bytes_read(at))),
                          format_bytes(at.file.size_bytes), times_text(times), openings_text(at)),
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

}  // namespace sluice::trace
