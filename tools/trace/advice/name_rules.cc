// Rules about names that a program looks up, and about locks of files.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/runtime.h"

namespace sluice::trace {

using preload::Call;

namespace {

constexpr std::uint64_t many = 100;

// A name that is looked up a few times may have been looked up for several reasons.
constexpr double few_times = 5;

// What a program may do with a file that it has opened.
constexpr CallSet using_calls =
    all_reads | all_writes |
    CallSet{Call::fflush, Call::fclose, Call::sendfile, Call::mmap, Call::dup, Call::flock};

// These ask for what one answer of stat has.
constexpr CallSet of_status = {Call::stat, Call::access};

// The number of names of these look-ups, at most.
std::uint64_t names_of(const Amount& look_ups) {
  return look_ups.calls - std::min(look_ups.calls - 1, look_ups.repeated);
}

std::string look_ups_text(const Use& use) {
  const std::string count = format_count(use.amount.calls);
  if (use.call == Call::failed_open) return fmt::format("{} openings that failed", count);
  if (!looks_up(use.call)) return fmt::format("{} openings", count);
  return fmt::format("{} calls of {}", count, name_of(use.call));
}

// The lists of folders of the processes of a use. No log has the folder of a call of readdir. A
// folder may also be opened by open, for fdopendir.
struct Lists {
  std::uint64_t openings = 0;
  std::uint64_t readings = 0;  // at least two for each list: the last one finds nothing
  double readings_s = 0;
};

bool opens_folder(const Use& use, const Profile& profile) {
  if (use.call == Call::opendir) return true;
  return openings_of_files.contains(use.call) && S_ISDIR(profile.files[use.file].kind);
}

Lists lists_beside(const Situation& at) {
  Lists lists;
  for (const Use& use : at.profile.uses) {
    if (!use.shares_a_process_with(at.use)) continue;
    if (opens_folder(use, at.profile)) lists.openings += use.amount.calls;
    if (use.call != Call::getdents) continue;
    lists.readings += use.amount.calls;
    lists.readings_s += use.amount.time.total_s();
  }
  return lists;
}

// The share of these openings of a folder in the time of reading its names.
double listing_s(const Situation& at) {
  if (!opens_folder(at.use, at.profile)) return 0;
  const Lists lists = lists_beside(at);
  return lists.readings_s * per(static_cast<double>(at.amount.calls), lists.openings);
}

// True if the program opens a folder again and again, and lists its names each time.
bool lists_again_by_opening(const Situation& at) {
  constexpr double least_readings = 1.5;  // for each opening
  // A folder is also opened to be synced, to look names up in it, or to come back to it.
  if (at.use.call == Call::opendir || !opens_folder(at.use, at.profile)) return false;
  if (at.file.is_many || at.calls_of_each() < many) return false;
  if (at.calls_of_file({Call::fsync, Call::fdatasync}) > 0) return false;
  const Lists lists = lists_beside(at);
  // The lists may be those of folders that another place opens.
  if (10 * at.file_amounts.openings_at(at.use.site) < 8 * lists.openings) return false;
  return static_cast<double>(lists.readings) >=
         least_readings * static_cast<double>(lists.openings);
}

// The words of a runtime about look-ups do not suit lists of folders. What a program makes of the
// names, as a language makes a string of each that readdir returns, and std::filesystem a path, is
// not known. (In docs/measured, in cascade-lake-mended-blind-fifth.json and -sixth.json, two
// programs in Python saved about 3 and 4 times as long as the lists took.)
void be_about_folders(Advice& advice, bool makes_strings) {
  const double work_s = (makes_strings ? 3 : 1) * advice.saved_s;
  advice.kind = {"listed-again"};
  advice.why =
      "Each list asks the kernel for all names of the folder, and most are known already. The "
      "program makes something of each name too: the upper end of the prediction includes " +
      std::string(makes_strings ? "three times the time of the lists"
                                : "the time of the lists once") +
      " for this.";
  advice.fix =
      "List the folder once, and keep its names in a set; list it again only when it may have "
      "changed. inotify reports changes, so that the program need not ask.";
  advice.check = "the same command under sluice trace: the folder is listed seldom";
  advice.add_by_runtime(work_s);
}

// The calls work out the time too.
void be_about_time_zone(Advice& advice, const Situation& at) {
  advice.kind = {"time-zone"};
  advice.seen = fmt::format("{} calls of localtime, mktime or tzset without a time zone in TZ",
                            format_count(at.amount.calls));
  advice.why =
      "As long as the environment has no TZ, each of these calls asks the kernel for the status of "
      "/etc/localtime.";
  advice.fix =
      "Start the program with `TZ=:/etc/localtime` in its environment. Or change the program: call "
      "setenv(\"TZ\", \":/etc/localtime\", 0) once, before the first of these calls, or use "
      "localtime_r, which asks only once.";
  advice.is_of_options = true;
  advice.check = "the same command with TZ=:/etc/localtime";
  advice.least_saved_s = advice.saved_s / 2;
}

// A list of the system that the C library searches anew in each of these calls.
struct SearchedList {
  std::string_view file;
  std::string_view id;
  std::string_view functions;
  std::string_view entry;
};
constexpr SearchedList searched_lists[] = {
    {preload::users_list, "users-again", "getpwuid, getpwnam, getgrgid or getgrnam",
     "user or group"},
    {preload::services_list, "services-again", "getservbyport or getservbyname", "service"},
    {preload::hosts_list, "hosts-again", "gethostbyname or getaddrinfo", "host"},
};

void be_about_list(Advice& advice, const SearchedList& list, const Situation& at) {
  advice.kind = {list.id};
  advice.seen = fmt::format("{} calls of {}: {} times for a {} that it had asked for before",
                            format_count(at.amount.calls), list.functions,
                            format_count(at.amount.repeated), list.entry);
  advice.why =
      "Each of these calls searches a list of the system from its beginning, or asks a server for "
      "the entry.";
  advice.fix = "Keep the answer for each name or number, or at least the last answer.";
  advice.check = fmt::format("the same command under sluice trace: a call for each {}", list.entry);
}

// True if the program asks until another program has made the file: nearly all questions fail, and
// each name is found once.
bool waits_for_files(const Amount& look_ups) {
  const std::uint64_t found = look_ups.calls - std::min(look_ups.calls, look_ups.failures);
  return found > 0 && found <= names_of(look_ups) && names_of(look_ups) <= 2;
}

// True if the program sleeps between its questions, as one that looks now and then whether
// something has changed: with fewer questions it ends no sooner. It may ask for several names
// before it sleeps again. A program that waits for its children does not sleep.
bool sleeps_between(const Situation& at) {
  constexpr double most_questions = 4;  // for each name and each sleep
  const double least_sleeps = at.calls_of_each() / most_questions /
                              static_cast<double>(std::max(names_of(at.amount), std::uint64_t{1}));
  return std::ranges::any_of(at.use.threads, [&](const auto& thread) {
    const Process* const process = process_at(at.profile, thread.first);
    if (process == nullptr || !process->ended || !waits_outside_of_calls(*process)) return false;
    if (static_cast<double>(process->voluntary_switches) < least_sleeps) return false;
    return std::ranges::find(at.profile.processes, process->number, &Process::parent) ==
           at.profile.processes.end();
  });
}

// True if these look-ups are many, and each name comes again several times.
bool is_about_few_names(const Amount& look_ups) {
  return look_ups.repeated >= many &&
         static_cast<double>(look_ups.calls) >= few_times * static_cast<double>(names_of(look_ups));
}

}  // namespace

bool asks_by_opening(const Situation& at) {
  if (!at.is(openings_of_files) || at.calls_of_each() < few_times) return false;
  const std::uint64_t openings = at.calls_of_file(openings_of_files);
  if (10 * at.of_file(using_calls).system_calls > openings) return false;
  return at.file_amounts.often_fails_at(at.use.site);
}

// One place in the program looks the same names up many times.
std::optional<Advice> looked_up_again(const Situation& at) {
  const bool is_question =
      looks_up(at.use.call) && is_about_few_names(at.amount) && !waits_for_files(at.amount);
  const bool lists_anew = lists_again_by_opening(at);
  if (!is_question && !lists_anew && !asks_by_opening(at)) return std::nullopt;
  if (sleeps_between(at)) return std::nullopt;
  const std::uint64_t names = is_question ? names_of(at.amount) : 1;
  const double times = per(static_cast<double>(at.amount.calls), names);
  const SumOfCalls closings = is_question ? SumOfCalls{} : at.of_file({Call::close, Call::fclose});
  const double share =
      per(static_cast<double>(at.amount.calls), at.calls_of_file(openings_of_files));
  Advice advice{
      .kind = kinds::looked_up_again,
      .saved_s = (at.amount.time.total_s() + share * closings.time.total_s() + listing_s(at)) *
                 (1 - 1 / times),
      .use = at.index,
      .seen = fmt::format("{}; {}{} of them ask for a name once more ({}{})", look_ups_text(at.use),
                          names == 1 ? "" : "at least ", format_count(at.amount.calls - names),
                          names == 1 ? "" : "at most ", format_count(names, "name")),
      .why = "Each look-up is a system call that mostly finds what the program knows already.",
      .fix =
          "Keep the answer for each name, and ask again only when it may have changed: once for "
          "many records, or once in a second. inotify reports changes, so that the program need "
          "not ask.",
      .check = "the same command under sluice trace: fewer look-ups",
  };
  if (at.is(openings_of_files | Call::failed_open)) {
    advice.fix += " A program that looks for a free name keeps the number of the last one.";
  }
  if (at.file.name == preload::time_zone_file) be_about_time_zone(advice, at);
  const auto* const list = std::ranges::find(searched_lists, at.file.name, &SearchedList::file);
  if (list != std::end(searched_lists) && at.use.call == Call::stat)
    be_about_list(advice, *list, at);
  if (lists_anew || at.use.call == Call::opendir) {
    const double by_readdir_s = listing_s(at) * (1 - 1 / times);
    const bool makes_strings =
        (at.is_by_language() || at.is_by_iostream()) && 2 * by_readdir_s > advice.saved_s;
    be_about_folders(advice, makes_strings);
  }
  return advice;
}

// A program asks several questions about one file after the other, also from several places.
std::optional<Advice> asked_in_a_row(const Situation& at) {
  if (!at.is(of_status) || at.amount.in_a_row < many) return std::nullopt;
  if (is_about_few_names(at.amount) || sleeps_between(at)) return {};  // see looked_up_again
  const double share = per(static_cast<double>(at.amount.in_a_row), at.amount.calls);
  return Advice{
      .kind = kinds::asked_in_a_row,
      .saved_s = at.amount.time.total_s() * share,
      .use = at.index,
      .seen = fmt::format("{}, {} of them about the same name as the question before",
                          look_ups_text(at.use), format_count(at.amount.in_a_row)),
      .why = "Each question is a system call, and one answer of stat has all that is asked for.",
      .fix =
          "Ask once for each name by stat, and take kind, size, times and rights from its answer. "
          "nftw and fts hand this answer over.",
      .check = "the same command under sluice trace: fewer look-ups",
  };
}

// The recorder leaves out the first questions about each descriptor.
std::optional<Advice> asked_again(const Situation& at) {
  if (at.use.call != Call::fstat || at.calls_of_each() < many) return std::nullopt;
  return Advice{
      .kind = kinds::asked_again,
      .saved_s = at.amount.time.total_s() * (1 - 1 / at.calls_of_each()),
      .use = at.index,
      .seen = fmt::format("{} calls of fstat or isatty on the open file",
                          format_count(at.amount.calls)),
      .why = "Each question is a system call that mostly finds what the program knows already.",
      .fix =
          "Keep the answer, and ask again only when the file may have changed: at its end, or once "
          "for many records. A program that reads up to the end needs no size: the read there "
          "returns nothing. A terminal stays one: ask isatty once.",
      .check = "the same command under sluice trace: fewer calls of fstat or isatty",
  };
}

// A database removes its journal after each transaction. This is a part of the advice about them,
// which has the same fix.
std::optional<Advice> removed_by_database(const Situation& at) {
  if (at.use.call != Call::unlink || at.calls_of_each() < many) return std::nullopt;
  const Runtime& runtime = runtime_of_stack(at.profile.sites[at.use.site].frames);
  if (runtime.kind != Runtime::Kind::database) return std::nullopt;
  return Advice{
      .kind = {"removed-again"},
      .saved_s = at.amount.time.total_s() * (1 - 1 / at.calls_of_each()),
      .use = at.index,
      .seen = fmt::format("{} files removed", format_count(at.amount.calls)),
      .why = "Each removal changes the folder, and may wait for the disk.",
      .fix = "",  // see database_cures.h
      .check = "the same command under sluice trace: fewer calls",
  };
}

// A program makes a folder before each record, although it is there.
std::optional<Advice> made_again(const Situation& at) {
  constexpr double most = 0.9;
  const auto calls = static_cast<double>(at.amount.calls);
  const auto failures = static_cast<double>(at.amount.failures);
  if (at.use.call != Call::mkdir || at.calls_of_each() < many || failures < most * calls) return {};
  return Advice{
      .kind = {"made-again"},
      .saved_s = at.amount.time.total_s() * failures / calls,
      .use = at.index,
      .seen = fmt::format("{} of mkdir, of which {} failed", format_count(at.amount.calls, "call"),
                          format_count(at.amount.failures)),
      .why = "A folder that is there cannot be made again, and each attempt is a system call.",
      .fix =
          "Make each folder once, before its first file, and remember that it is there. Or make it "
          "when an opening in it fails.",
      .check = "the same command under sluice trace: fewer calls of mkdir",
  };
}

namespace {

// The log ahead of a SQLite database whose locks are these. Nothing if it was not used.
std::optional<std::size_t> log_beside(const Situation& at) {
  constexpr std::string_view end = "-shm";
  if (!at.file.name.ends_with(end)) return std::nullopt;
  const std::string name = at.file.name.substr(0, at.file.name.size() - end.size()) + "-wal";
  const auto found = std::ranges::find(at.profile.files, name, &File::name);
  if (found == at.profile.files.end()) return std::nullopt;
  return static_cast<std::size_t>(found - at.profile.files.begin());
}

}  // namespace

// With a log ahead, a transaction of SQLite waits for no disk, but takes and gives back several
// locks, and writes its pages to the log. (SQLite 3.40 made six calls for locks and two writes.)
std::optional<Advice> locked_by_database(const Situation& at) {
  constexpr std::uint64_t most_locks = 8;  // for each write
  if (at.use.call != Call::flock || at.calls_of_each() < many) return std::nullopt;
  const std::optional<std::size_t> log = log_beside(at);
  if (!log) return std::nullopt;
  const SumOfCalls locks = at.of_file({Call::flock});
  const SumOfCalls written = at.written_to(*log);
  if (most_locks * written.system_calls < locks.calls) return std::nullopt;  // it mostly reads
  const double share = per(static_cast<double>(at.amount.calls), locks.calls);
  return Advice{
      .kind = kinds::locked_for_each,
      .saved_s =
          (at.amount.time.system_s + share * written.time.system_s) * (1 - 1 / at.calls_of_each()),
      .use = at.index,
      .seen = fmt::format("{} locks and unlocks, {} writes to the log of the database",
                          format_count(locks.calls), format_count(written.system_calls)),
      .why = "Each transaction takes several locks, and writes its pages to the log.",
      .fix = "",  // see database_cures.h
      .check = "the same command under sluice trace: fewer calls",
  };
}

namespace {

// A counter that several processes may use, or a small table.
Advice state_locked_for_each(const Situation& at) {
  constexpr double changes_at_once = 100;
  const SumOfCalls locks = at.of_file({Call::flock});
  const SumOfCalls all = at.of_file(
      openings_of_files | all_reads | all_writes |
      CallSet{Call::flock, Call::fflush, Call::fseek, Call::lseek, Call::close, Call::fclose});
  const double share = per(static_cast<double>(at.amount.calls), locks.calls);
  const double waits_s = locks.time.sleep_s;  // for others, which may then wait for longer
  return Advice{
      .kind = kinds::locked_for_each,
      .saved_s = share * (all.time.total_s() - waits_s) * (1 - 1 / changes_at_once),
      .use = at.index,
      .seen =
          fmt::format("{} locks and unlocks; {} were written over the {} of the file",
                      format_count(locks.calls), format_bytes(at.written_to_file().system_bytes),
                      format_bytes(at.file.size_bytes)),
      .why = "For each change the program locks the file, reads it, writes it and unlocks it.",
      .fix =
          "Take more at a time: where the file has a counter, one change can take a block of 100 "
          "numbers, and other changes can be gathered and made under one lock. If no other process "
          "uses the file, lock it once and keep its contents in memory. That changes what survives "
          "a crash. The prediction is for 100 changes under one lock.",
      .check = "the same command under sluice trace: fewer lock calls (flock, lockf, fcntl)",
      .cure_id = "state-locked-for-each",
  };
}

// A seek writes the buffer too, so the records gather only without it.
std::string fix_of_locks(const Situation& at, const SumOfCalls& locks) {
  const bool reads = at.calls_of_file(all_reads) > 0;  // then the seeks may lead to places
  const bool seeks = !reads && 4 * at.calls_of_file({Call::lseek, Call::fseek}) >= locks.calls;
  return fmt::format(
      "Lock the file once, for all records or for many, if no other process has to write in "
      "between; and let the records gather in a buffer, without a flush for each.{} The prediction "
      "is for all these changes.",
      seeks
          ? " Leave the seeks to the end out too: a file that is opened to append needs none, and "
            "each of them writes the buffer."
          : "");
}

}  // namespace

// A program locks a file for each record that it writes. Waiting for a lock that others hold is not
// counted: they may hold it longer if they lock for many records.
std::optional<Advice> locked_for_each(const Situation& at) {
  if (at.use.call != Call::flock) return std::nullopt;
  if (is_state_under_locks(at)) {
    if (at.calls_of_each() < many) return std::nullopt;
    return state_locked_for_each(at);
  }
  const SumOfCalls locks = at.of_file({Call::flock});
  const SumOfCalls written = at.written_to_file();
  if (!is_locked_for_records(at)) return std::nullopt;
  const double share = per(static_cast<double>(at.amount.calls), locks.calls);
  const double once = 1 - 1 / at.calls_of_each();
  const double locks_s = at.amount.time.system_s;
  const double seeks_s = share * at.of_file({Call::lseek, Call::fseek}).time.total_s();
  const double writes_s = share * (written.time.system_s + written.time.sleep_s);
  const double written_piece = average_system_bytes(written);
  return Advice{
      .kind = kinds::locked_for_each,
      .saved_s = (locks_s + seeks_s + writes_s * share_of_calls(written_piece)) * once,
      .use = at.index,
      .seen =
          fmt::format("{} locks and unlocks, {} writes of {:.1f} bytes to the same file",
                      format_count(locks.calls), format_count(written.system_calls), written_piece),
      .why =
          "Each lock and each unlock is a system call, and what was written in between leaves the "
          "buffer before the unlock.",
      .fix = fix_of_locks(at, locks),
      .check =
          "the same command under sluice trace: fewer lock calls (flock, lockf, fcntl), and larger "
          "writes",
      .least_saved_s = (locks_s + writes_s * least_share_of_writes(written_piece)) * once,
  };
}

}  // namespace sluice::trace
