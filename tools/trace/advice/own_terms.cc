#include "trace/advice/own_terms.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/costs/language_costs.h"

namespace sluice::trace {

OwnTerms::OwnTerms(const Profile& profile, const FileAmounts& amounts)
    : profile_(profile),
      amounts_(amounts),
      runtimes_(profile),
      work_on_file_s_(profile.files.size()) {
  std::map<int, std::uint64_t> calls;
  for (const Use& use : profile.uses) {
    work_on_file_s_[use.file] += use.amount.work_before_s;
    if (!use.threads.empty()) calls[use.threads.begin()->first] += use.amount.calls;
  }
  for (int place = 0; const Process& process : profile.processes) {
    ++place;
    const double work_s = std::max(0.0, process.user_s - process.time.copying_s);
    work_around_call_s_[place] = per(work_s, calls[place]);
  }
}

// The user time of the program outside of its calls, as the share of one call.
double OwnTerms::work_around_call_s(const Use& use) const {
  if (use.threads.empty()) return 0;
  const auto found = work_around_call_s_.find(use.threads.begin()->first);
  return found == work_around_call_s_.end() ? 0 : found->second;
}

namespace {

// A path, and an object of the file's status or of an error.
constexpr double most_for_a_look_up_s = 1500e-9;

// True if following the advice may save all of the runtime's work beside its calls.
bool saves_all_work(const Advice& advice) {
  const bool is_in_shell = advice.runtime == "shell";
  if (is_in_shell) return advice.keeps_file;
  return advice.kind.is(kinds::openings) || advice.reads_again;
}

// False if the work between the calls is no work for each of them, as that of a pool of processes
// which hands each piece from thread to thread.
bool has_share_for_each_call(const Advice& advice) {
  return !advice.keeps_file && !advice.kind.is(kinds::openings) &&
         advice.kind != kinds::round_trips;
}

// True if the runtime makes an object of what a look-up has found, or of its error.
bool makes_an_answer(const Advice& advice) {
  return advice.kind.is(kinds::questions) && advice.runtime != "shell";
}

}  // namespace

// The calls that a program makes beside small writes, and leaves out with them: it seeks to the
// place of each write, or asks where it is.
double OwnTerms::seeks_around_writes_s(const Advice& advice) const {
  const Use& use = profile_.uses[advice.use];
  if (advice.kind != kinds::tiny_writes || at_positions.contains(use.call)) return 0;
  double seeks_s = 0;
  for (const Use& other : profile_.uses) {
    if (other.file != use.file || other.call != preload::Call::lseek) continue;
    seeks_s += other.amount.time.total_s();
  }
  return share_of_file(use) * seeks_s;
}

// True if code of a language opens a file for each record that it writes, and reads nothing. (A
// module that compresses makes its tables for each opening.)
bool OwnTerms::is_about_appending(const Advice& advice) const {
  const Use& use = profile_.uses[advice.use];
  const File& file = profile_.files[use.file];
  if (advice.kind != kinds::reopened || !advice.is_of_language || advice.reads_again) return false;
  return !runtimes_.of(use).hands_over && !is_compressed(file) && !is_archive(file) &&
         amounts_.of(use.file, all_reads).bytes == 0;
}

// Each place that makes the same call on the file has its share of what the file takes.
double OwnTerms::share_of_file(const Use& use) const {
  return per(static_cast<double>(use.amount.calls), amounts_.of(use.file, {use.call}).calls);
}

// The runtime of a language works for each call before and behind the call: it takes arguments
// apart, finds the file, makes a string of the bytes. Fewer calls save this work too. The trace
// shows only how much the process works between its calls to the kernel, for itself and for the
// runtime. The upper end of the range has all work before the calls on the file, up to what the
// dearest function of the language is known to need for a call: a program that asks for one record
// after the other does little else.
// For each opening a runtime also makes and ends its own object of the file. A program that reads
// the file each time may save all work on it, and so does a command that reads lines in place of a
// shell: there the range has all of it.
double OwnTerms::work_of_runtime_s(const Advice& advice) const {
  const Use& use = profile_.uses[advice.use];
  if (use.amount.copies > use.amount.calls / 2) return work_around_copies_s(use);
  const double on_file_s = share_of_file(use) * work_on_file_s_[use.file];
  if (is_about_appending(advice)) {
    return std::min(on_file_s, static_cast<double>(use.amount.calls) *
                                   most_work_around_opening_s(advice.runtime));
  }
  if (!has_share_for_each_call(advice)) return on_file_s * (saves_all_work(advice) ? 1 : 0.5);
  const auto calls = static_cast<double>(use.amount.calls);
  if (makes_an_answer(advice)) {
    return std::min(use.amount.work_before_s, calls * most_for_a_look_up_s);
  }
  const double most_s = calls * most_for_a_call_s(advice);
  return std::min(on_file_s, most_s) + seeks_around_writes_s(advice);
}

// Calls that stay in the buffer are many, and no clock is read around them: each has its share of
// the work of the process, and no more than a runtime is likely to need for it. (Of the programs in
// benchmarks/mended, such a call cost 40 to 280 ns more than its C function.)
double OwnTerms::work_around_copies_s(const Use& use) const {
  constexpr double most_for_a_call_s = 300e-9;
  return static_cast<double>(use.amount.calls) *
         std::min(work_around_call_s(use) / 2, most_for_a_call_s);
}

namespace {

constexpr double least_for_a_turn_s = 10e-6;
constexpr double most_for_a_turn_s = 40e-6;

bool is_about_tell(const Advice& advice) {
  return advice.kind == kinds::asked_positions && advice.runtime == "Python";
}

}  // namespace

// A program that waits for a call of another thread goes through its loop of events and makes the
// objects of a promise or of a stream for each call. In one program this took 40 to 57 us
// (docs/measured/node-turns.txt), and others do less: the lower limit is an estimate. (The
// calibration raises the upper one.)
double OwnTerms::most_for_a_call_s(const Advice& advice) const {
  // A text's `tell` decodes the bytes before the position again. Some letters outside of ASCII take
  // longer than this (docs/measured/python-tell.txt).
  constexpr double most_for_a_tell_s = 20e-6;
  const Use& use = profile_.uses[advice.use];
  if (runtimes_.of(use).hands_over) return most_for_a_turn_s;
  if (is_about_tell(advice)) return most_for_a_tell_s;
  return most_work_around_call_s(advice.runtime, use.call);
}

std::string OwnTerms::part_in_words(const Advice& advice) const {
  const Use& use = profile_.uses[advice.use];
  const Amount& amount = use.amount;
  if (is_about_appending(advice)) {
    return fmt::format("up to {:.1f} us for each opening",
                       most_work_around_opening_s(advice.runtime) * 1e6);
  }
  if (amount.copies > amount.calls / 2) return "half of it, but no more than 300 ns for each call";
  if (saves_all_work(advice) && !is_about_tell(advice)) return "all of it";
  if (!has_share_for_each_call(advice)) return "half of it";
  if (makes_an_answer(advice)) return "up to 1.5 us for each call";
  const double most_us = most_for_a_call_s(advice) * 1e6;
  if (is_about_tell(advice)) {
    return fmt::format("up to {:.0f} us for each `tell`, if the file is read as text", most_us);
  }
  if (runtimes_.of(use).hands_over) {
    return fmt::format("up to {:.0f} us for each turn of the program's loop of events", most_us);
  }
  return fmt::format("up to {:.1f} us for each call{}", most_us,
                     advice.is_of_database ? "" : ", as slow functions of the language take");
}

// A command such as awk does the work of a shell's loop in about a tenth of the time
// (docs/measured/amd-zen4-shell-loops.txt), as long as the loop starts hardly any commands.
// Out of a pipe a shell reads each byte by a call.
bool OwnTerms::is_loop_of_shell(const Advice& advice) const {
  constexpr std::size_t lines_for_a_process = 1'000;
  constexpr std::size_t bytes_of_line = 40;
  const bool reads_bytes = advice.kind == kinds::tiny_reads;
  if (advice.runtime != "shell" || (!reads_bytes && advice.kind != kinds::seek_before_read))
    return false;
  const std::size_t calls_for_a_process = lines_for_a_process * (reads_bytes ? bytes_of_line : 1);
  const std::size_t processes = profile_.processes.size() + profile_.processes_left_out;
  return processes * calls_for_a_process <= profile_.uses[advice.use].amount.calls;
}

bool OwnTerms::count_work_of_runtime(Advice& advice) const {
  constexpr double surely_saved_of_loop = 0.6;
  const double added_s = work_of_runtime_s(advice);
  if (added_s <= 0) return false;
  const double of_runtime_s = added_s - advice.by_runtime_s;  // which is a part of its work
  advice.add_by_runtime(of_runtime_s);
  if (is_loop_of_shell(advice)) {
    *advice.least_saved_s += surely_saved_of_loop * of_runtime_s;
    advice.by_runtime_s -= surely_saved_of_loop * of_runtime_s;
    advice.why +=
        " The shell itself works for each line, and awk does such work in about a tenth of the "
        "time: the prediction includes it.";
    return true;
  }
  advice.why += fmt::format(
      " The work of {} itself for each call comes on top. The trace cannot tell how much of this "
      "work is saved: the upper end of the prediction includes {}.",
      advice.runtime == "shell" ? "the shell" : advice.runtime, part_in_words(advice));
  return true;
}

// True for std::filesystem. A stream whose file cannot be opened makes no path.
bool asks_by_path(const Profile& profile, const Use& use) {
  return profile.sites[use.site].by_iostream && looks_up(use.call) &&
         use.call != preload::Call::failed_open;
}

// std::filesystem makes a path out of a text for each question, and an object of the answer. (Two
// questions for a name took 1.2 us each beside their calls, in benchmarks/mended/falcon.before.cc.)
void OwnTerms::count_work_of_paths(Advice& advice) const {
  const Use& use = profile_.uses[advice.use];
  const double added_s = std::min(use.amount.work_before_s,
                                  static_cast<double>(use.amount.calls) * most_for_a_look_up_s);
  if (added_s <= 0) return;
  advice.add_by_runtime(added_s);
  advice.why +=
      " The C++ library makes a path for each question too: the upper end of the prediction "
      "includes up to 1.5 us for each.";
}

// For each flush the library ends a block, and begins the next one with nothing known of the data.
void OwnTerms::count_compression(Advice& advice) const {
  const double added_s = profile_.uses[advice.use].amount.work_before_s;
  if (added_s <= 0) return;
  advice.add_by_runtime(added_s);
  advice.why +=
      " The compression for each flush comes on top: the upper end of the prediction includes all "
      "work between these calls.";
}

// The threads wake each other for each call. The log has one half of this. The kernel's work for
// the rest is seen only in the time of the process.
void OwnTerms::count_handing_over(Advice& advice) const {
  const Use& use = profile_.uses[advice.use];
  std::uint64_t wakes = 0;
  double wakes_s = 0;
  for (const Use& other : profile_.uses) {
    if (profile_.files[other.file].name != waking_file || !other.shares_a_process_with(use))
      continue;
    wakes_s += other.amount.time.system_s;
    if (other.call == preload::Call::write) wakes += other.amount.calls;
  }
  const Process* const process = first_process_of(profile_, use);
  const double outside_s =
      process == nullptr ? 0 : std::max(0.0, process->system_s - process->time.system_s);
  const double share =
      std::min(1.0, per(static_cast<double>(use.amount.calls), std::max<std::uint64_t>(wakes, 1)));
  const double turns_s = std::min(use.amount.work_before_s,
                                  static_cast<double>(use.amount.calls) * least_for_a_turn_s);
  advice.least_saved_s = advice.least_s() + share * wakes_s + turns_s;
  advice.saved_s += share * (wakes_s + outside_s);
  advice.by_runtime_s += share * outside_s;
  advice.why +=
      " A thread makes each call for another one, and the two wake each other: the upper end of "
      "the prediction also includes the kernel's work outside of the calls.";
}

// A command that is given more memory fills it, and that may take as long as files which the kernel
// keeps in its own memory. (`sort -S 64M` spent as long in the kernel as `sort -S 1M`, in
// docs/measured/sort-memory.txt.)
void OwnTerms::leave_out_memory(Advice& advice) const {
  const Use& use = profile_.uses[advice.use];
  const double waits_s =
      share_of_file(use) * amounts_.of(use.file, all_reads | all_writes).time.sleep_s;
  advice.least_saved_s = std::min(advice.least_s(), waits_s);
  advice.by_runtime_s = advice.saved_s - *advice.least_saved_s;
  advice.why +=
      " More memory may take as long as files that need not wait for a disk: the lower end of the "
      "prediction includes only the waiting.";
}

namespace {

// A program that can make no larger pieces saves only what `sluice run` saves.
void leave_to_run(Advice& advice) {
  advice.saved_s = advice.by.empty() ? 0 : advice.run_saves_s.value_or(advice.saved_s);
  advice.least_saved_s.reset();
  advice.is_of_language = false;
}

}  // namespace

// What several processes gather is written in other pieces than before.
void OwnTerms::keep_lines_whole(Advice& advice) const {
  const Use& use = profile_.uses[advice.use];
  const File& file = profile_.files[use.file];
  const bool gathers = advice.kind.is(kinds::small_writes) || advice.kind == kinds::reopened;
  if (!gathers || !S_ISREG(file.kind) || file.is_many || advice.runtime == "shell") return;
  if (advice.is_of_options || !amounts_.are_processes_at_once(use.file, all_writes)) return;
  advice.fix +=
      " Several processes write this file at once: flush at the end of a line or a record, before "
      "the buffer is full, so that it stays whole.";
}

// The bytes that a program changes in memory are lost if it crashes.
void OwnTerms::warn_of_crashes(Advice& advice) const {
  const Use& use = profile_.uses[advice.use];
  const bool is_read_and_written = (profile_.files[use.file].flags & O_ACCMODE) == O_RDWR;
  const bool is_changed = is_read_and_written && amounts_.of(use.file, all_writes).bytes > 0;
  if (!advice.keeps_file || !is_changed || advice.fix.find("crash") != std::string::npos) return;
  advice.fix += " Changes that are made in memory alone are lost in a crash.";
}

namespace {

// To read a large file for a few of its bytes takes longer than to seek. Without a saving, if the
// language has no better call. (Perl's still seeks.)
void leave_file_where_it_is(Advice& advice, const Runtime& runtime) {
  constexpr std::string_view id = "pieces-of-large-file";
  if (advice.kind != kinds::seek_before_read || advice.keeps_file || runtime.seeks_back) return;
  if (has_own_cure(runtime, id)) advice.cure_id = id;
  const bool still_seeks = runtime.name == "Perl";
  if (!has_own_cure(runtime, id) && advice.is_of_language) advice.saved_s = 0;
  if (still_seeks || advice.saved_s == 0) advice.least_saved_s = 0;
}

}  // namespace

// True if the program opens a database again and again, and not a journal for each transaction, or
// the folder, in which the journal's name is synced. Each connection asks for the names of its
// files too.
bool OwnTerms::is_of_connection(const Advice& advice) const {
  constexpr std::uint64_t many = 100;
  const auto connects = [&](const Use& use) {
    return preload::Call::open == use.call && use.amount.calls >= many &&
           runtimes_.of(use).kind == Runtime::Kind::database &&
           !profile_.files[use.file].name.ends_with("-journal") &&
           !S_ISDIR(profile_.files[use.file].kind);
  };
  if (advice.kind == kinds::reopened) return connects(profile_.uses[advice.use]);
  return advice.kind == kinds::looked_up_again && std::ranges::any_of(profile_.uses, connects);
}

// Sets what the advice says, and in which terms.
void OwnTerms::take_words(Advice& advice, const Runtime& runtime) const {
  advice.runtime = runtime.name;
  advice.is_of_language = runtime.kind == Runtime::Kind::language;
  advice.is_of_database = runtime.kind == Runtime::Kind::database;
  leave_file_where_it_is(advice, runtime);
  if (advice.is_of_database && is_of_connection(advice)) advice.cure_id = "connected-again";
  advice.cure = cure_in(runtime, advice.cure_id.empty() ? advice.kind.id : advice.cure_id);
  if (!advice.cure.empty()) advice.fix = advice.cure;
  if (runtime.kind == Runtime::Kind::command && !advice.cure.empty()) {
    advice.is_of_options = true;
    advice.by = "";
    advice.run_saves_s.reset();
    advice.check = "the same command with other options: it ends sooner";
    if (advice.kind == kinds::read_back || advice.kind == kinds::temporary_files)
      leave_out_memory(advice);
  }
  if (runtime.seeks_back && advice.kind == kinds::seek_before_read) {
    advice.keeps_file = true;  // the reads have the cause of the seeks
    advice.check = "the same command under sluice trace: fewer reads and seeks";
  }
  if (runtime.kind == Runtime::Kind::tool && advice.by.empty()) {
    advice.check = "the other program under sluice trace: fewer calls";
  }
}

// The work that goes with the calls, and that no hook sees.
void OwnTerms::count_work(Advice& advice, const Runtime& runtime) const {
  const Use& use = profile_.uses[advice.use];
  count_work_of_streams(advice);
  if (runtime.name == "awk" && advice.kind == kinds::tiny_stdio_writes) leave_to_run(advice);
  advice.reads_again = (advice.reads_again && runtime.works_for_each_seek) || is_about_tell(advice);
  const bool is_about_each_call = advice.kind.is(kinds::each_call);
  const bool compresses =
      runtime.compresses || (advice.kind == kinds::tiny_writes && advice.repeats_work);
  if (advice.is_of_language && is_about_each_call && !compresses) {
    count_work_of_runtime(advice);
  }
  if (makes_an_answer(advice) && asks_by_path(profile_, use)) count_work_of_paths(advice);
  const bool hands_openings_over =
      runtime.name == "Node" && advice.kind.is(kinds::openings) && runtimes_.is_handed_over(use);
  if (hands_openings_over || (runtime.hands_over && is_about_each_call)) {
    count_handing_over(advice);
  }
  if (compresses && is_about_each_call) count_compression(advice);
  if (runtime.name == "zlib" && advice.repeats_work) count_work_of_runtime(advice);
}

// A database sorts in files of its own, and moves each page at least once. With more memory, an
// import that did no more than this took longer, and so did queries that sort
// (docs/measured/amd-zen4-sqlite-memory.txt).
bool OwnTerms::is_needed_by_database(const Advice& advice) const {
  constexpr double hardly_more_than_once = 1.5;
  constexpr std::string_view file_of_sorts = "/etilqs_";  // of SQLite
  if (advice.kind == kinds::read_back) return true;
  const Use& use = profile_.uses[advice.use];
  if (profile_.files[use.file].name.find(file_of_sorts) != std::string::npos) return true;
  const SumOfCalls moved =
      amounts_.of(use.file, all_reads.contains(use.call) ? all_reads : all_writes);
  return advice.kind == kinds::small_buffer &&
         static_cast<double>(moved.system_bytes) <=
             hardly_more_than_once * size_of(profile_.files[use.file]);
}

void OwnTerms::be_about_database(Advice& advice) const {
  advice.by.clear();
  if (is_needed_by_database(advice)) advice.saved_s = 0;
  if (advice.saved_s == 0) advice.least_saved_s = 0;
  advice.check = "the same command under sluice trace: fewer calls";
  const bool counts_work = advice.kind.is(kinds::openings) || advice.kind == kinds::locked_for_each;
  if (!counts_work || !count_work_of_runtime(advice)) {
    advice.why += " The database's own work for these calls comes on top, and is not counted.";
  }
}

void OwnTerms::say(Advice& advice) const {
  const Runtime& runtime = runtimes_.of(profile_.uses[advice.use]);
  take_words(advice, runtime);
  count_work(advice, runtime);
  if (advice.is_of_database) be_about_database(advice);
  keep_lines_whole(advice);
  warn_of_crashes(advice);
}

}  // namespace sluice::trace
