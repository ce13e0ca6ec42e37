#include "trace/advice/same_file_rules.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/interpreters.h"
#include "trace/places/place.h"
#include "trace/places/runtime.h"

namespace sluice::trace {
namespace {

// Fewer starts than elsewhere are enough, because each of them reads whole files.
constexpr std::size_t several_starts = 5;

// The share of a file that each process reads at least.
constexpr double least_if_replaced = 0.5;  // the file may grow or shrink
constexpr double least_if_read = 0.8;      // a program may stop at what it looks for

// Processes of one program that each read the whole of the same files.
struct Runs {
  std::string program{};
  std::set<int> places{};  // in Profile::processes, counted from 1
  std::set<std::size_t> files{};
  std::size_t largest = 0;  // of the files
  double size_bytes = 0;    // of all files
  double read_bytes = 0;    // of these files, by all processes

  void add(const Profile& profile, std::size_t file, double bytes) {
    const auto size = [&](std::size_t of) { return profile.files[of].size_bytes; };
    if (files.empty() || size(file) > size(largest)) largest = file;
    files.insert(file);
    size_bytes += static_cast<double>(size(file));
    read_bytes += bytes;
  }
};

// The processes of one program that read one file.
struct Readers {
  std::set<int> places{};
  double bytes = 0;
};

const Process& process_of(const Profile& profile, int place) {
  return profile.processes[static_cast<std::size_t>(place) - 1];
}

std::set<int> renaming_processes(const Profile& profile) {
  std::set<int> places;
  for (const Use& use : profile.uses) {
    if (use.call != preload::Call::rename) continue;
    for (const auto& [place, thread] : use.threads) places.insert(place);
  }
  return places;
}

// The share of the threads of the use that are in these processes.
double share_in(const Use& use, const std::set<int>& places) {
  const auto is_in = [&](const auto& thread) { return places.contains(thread.first); };
  return per(static_cast<double>(std::ranges::count_if(use.threads, is_in)), use.threads.size());
}

double bytes_by(const Use& use, const std::set<int>& places) {
  return share_in(use, places) * static_cast<double>(use.amount.system_bytes);
}

// The readers of each file for which is_meant(place) is true, by the name of the program. A text of
// the kernel has no size.
template <typename IsMeant>
std::map<std::pair<std::string, std::size_t>, Readers> readers_of(const Profile& profile,
                                                                  const IsMeant& is_meant) {
  std::map<std::pair<std::string, std::size_t>, Readers> found;
  for (const Use& use : profile.uses) {
    const File& file = profile.files[use.file];
    if (!all_reads.contains(use.call) || !S_ISREG(file.kind) || file.is_many) continue;
    if (file.size_bytes == 0 || is_of_programs(file.name)) continue;
    const bool may_be_code = is_script(file.name);
    const double bytes = per(static_cast<double>(use.amount.system_bytes), use.threads.size());
    for (const auto& [place, thread] : use.threads) {
      if (process_at(profile, place) == nullptr || !is_meant(place)) continue;
      const std::string& program = process_of(profile, place).program;
      if (may_be_code && !interpreter_in(program).empty()) continue;
      Readers& readers = found[{program, use.file}];
      readers.places.insert(place);
      readers.bytes += bytes;
    }
  }
  return found;
}

// The ranks of a job are started once, and share its work.
bool have_ranks(const Profile& profile, const std::set<int>& places) {
  return std::ranges::any_of(
      places, [&](int place) { return process_of(profile, place).rank.has_value(); });
}

// Several processes with files of which each of them reads at least this share, such as those of a
// folder.
template <typename IsMeant>
std::vector<Runs> runs_of(const Profile& profile, double share, const IsMeant& is_meant) {
  std::map<std::pair<std::string, std::set<int>>, Runs> by_places;
  for (const auto& [key, readers] : readers_of(profile, is_meant)) {
    const auto& [program, file] = key;
    const std::size_t times = readers.places.size();
    if (times < several_starts || have_ranks(profile, readers.places)) continue;
    const double size = size_of(profile.files[file]);
    if (readers.bytes < share * static_cast<double>(times) * size) continue;
    Runs& runs = by_places[{program, readers.places}];
    runs.program = program;
    runs.places = readers.places;
    runs.add(profile, file, readers.bytes);
  }
  constexpr std::size_t most_runs = 10;  // each is compared with all uses
  std::vector<Runs> all;
  for (auto& [key, runs] : by_places) all.push_back(std::move(runs));
  std::ranges::stable_sort(all, std::greater(), &Runs::read_bytes);
  if (all.size() > most_runs) all.resize(most_runs);
  return all;
}

// The largest file, and how many there are beside it, behind the words "all of".
std::string files_text(const Profile& profile, const Runs& runs) {
  const std::string name = shown_file(profile.files[runs.largest].name);
  if (runs.files.size() == 1) return name;
  return fmt::format("{} and of {} other file{}", name, format_count(runs.files.size() - 1),
                     runs.files.size() == 2 ? "" : "s");
}

// What is said of the processes.
struct Words {
  std::string did;
  std::string why;
  std::string fix;
};

// What the processes spend on the files.
struct Spent {
  double calls_s = 0;
  double waits_s = 0;
  double around_s = 0;  // to start, and to work on the bytes
  double all_s() const { return calls_s + waits_s + around_s; }
};

double all_of_processes_s(const Profile& profile, const Runs& runs) {
  double sum_s = 0;
  for (const int place : runs.places) {
    const Process& process = process_of(profile, place);
    sum_s += process.processor_s() + process.time.sleep_s;
  }
  return sum_s;
}

// For processes that do nothing else.
Spent spent_by_processes(const Profile& profile, const Runs& runs) {
  Spent spent;
  for (const int place : runs.places) {
    const Process& process = process_of(profile, place);
    const double calls_s = process.time.copying_s + process.time.system_s;
    spent.calls_s += calls_s;
    spent.waits_s += process.time.sleep_s;
    spent.around_s +=
        process.begun_s + std::max(0.0, process.processor_s() - process.begun_s - calls_s);
  }
  return spent;
}

// For processes that may also do other things: the calls on these files, and the work before reads.
Spent spent_on_files(const Profile& profile, const Runs& runs) {
  Spent spent;
  for (const int place : runs.places) spent.around_s += process_of(profile, place).begun_s;
  for (const Use& use : profile.uses) {
    if (!runs.files.contains(use.file)) continue;
    const double share = share_in(use, runs.places);
    spent.calls_s += share * (use.amount.time.copying_s + use.amount.time.system_s);
    spent.waits_s += share * use.amount.time.sleep_s;
    if (all_reads.contains(use.call)) spent.around_s += share * use.amount.work_before_s;
  }
  return spent;
}

// One process reads the file as often as the first of these did.
Advice advice_about(const Profile& profile, const Lives& lives, const Runs& runs,
                    const Spent& spent, const Words& words) {
  constexpr double nearly_all_of_time = 0.8;
  const Process& one = process_of(profile, *runs.places.begin());
  const std::string starter = lives.starter_of(one.number);
  const double all_s = all_of_processes_s(profile, runs);
  const double at_once = std::max(1.0, profile.wall_s > 0 ? all_s / profile.wall_s : 0);
  const double share = (1 - 1 / static_cast<double>(runs.places.size())) / at_once;
  const bool do_nothing_else = spent.all_s() >= nearly_all_of_time * all_s;
  return Advice{
      .kind = {"started-programs"},
      .saved_s = spent.all_s() * share,
      .seen = fmt::format("{} starts of {}, each of which {}", format_count(runs.places.size()),
                          one.program, words.did),
      .why = words.why,
      .fix = words.fix,
      .check = "the same command under sluice trace: fewer processes",
      .place = starter.empty() ? "programs that are started" : place_of_starts_by(starter),
      .runtime = std::string(runtime_of_code(starter).name),
      .is_of_language = runtime_of_code(starter).kind == Runtime::Kind::language,
      .repeats_work = true,
      .least_saved_s = spent.calls_s * share,
      .by_runtime_s = spent.around_s * share,
      .processes = do_nothing_else ? runs.places : std::set<int>{},
      .at_once = at_once,
  };
}

// The new files lie in the folders of the old ones: else a rename could not put them in their
// places.
double written_beside(const Profile& profile, const Runs& runs) {
  const auto folder_of = [&](std::size_t file) {
    return std::filesystem::path(profile.files[file].name).parent_path();
  };
  std::set<std::filesystem::path> folders;
  for (const std::size_t file : runs.files) folders.insert(folder_of(file));
  double bytes = 0;
  for (const Use& use : profile.uses) {
    const bool writes = writing_calls.contains(use.call);
    if (writes && folders.contains(folder_of(use.file))) bytes += bytes_by(use, runs.places);
  }
  return bytes;
}

std::string_view of_several_changes(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);
  if (name == "sed") return ", with all expressions: `sed -i -e FIRST -e SECOND FILE`";
  if (name == "perl") return ", with all of its code: `perl -pi -e 'FIRST; SECOND' FILE`";
  return "";
}

std::optional<Advice> rewritten_by_many(const Profile& profile, const Lives& lives,
                                        const Runs& runs) {
  constexpr double least_bytes = 4096;        // smaller files take no time
  constexpr double share_of_renewals = 0.25;  // the logs may come in another order
  const auto times = static_cast<double>(runs.places.size());
  if (runs.size_bytes < least_bytes) return std::nullopt;
  const bool replace_files = std::ranges::all_of(runs.files, [&](std::size_t file) {
    return profile.files[file].renewals >= share_of_renewals * times;
  });
  if (!replace_files || written_beside(profile, runs) < least_if_replaced * times * runs.size_bytes)
    return std::nullopt;
  return advice_about(
      profile, lives, runs, spent_by_processes(profile, runs),
      {.did = fmt::format("read all of {}, and replaced {}", files_text(profile, runs),
                          runs.files.size() == 1 ? "this file" : "these files"),
       .why =
           "Each of these processes reads and writes everything again for one change. The "
           "trace cannot tell how much work a process needs that makes all changes: the upper end "
           "of the prediction includes all but the work of one.",
       .fix = fmt::format("Make all changes by one start of {}{}.", runs.program,
                          of_several_changes(runs.program))});
}

// True if each process also reads a file of its own, such as a text in which it looks for the words
// of the common file.
bool read_files_of_their_own(const Profile& profile, const Runs& runs) {
  std::map<std::size_t, std::set<int>> readers;
  for (const Use& use : profile.uses) {
    const File& file = profile.files[use.file];
    const bool is_meant =
        S_ISREG(file.kind) && file.size_bytes > 0 && !runs.files.contains(use.file);
    if (!is_meant || !all_reads.contains(use.call)) continue;
    for (const auto& [place, thread] : use.threads) readers[use.file].insert(place);
  }
  std::set<int> found;
  for (const auto& [file, places] : readers) {
    if (places.size() == 1 && runs.places.contains(*places.begin())) found.insert(*places.begin());
  }
  return 2 * found.size() > runs.places.size();
}

// How one process does the work of many that read the same files.
std::string once_for_all(const Profile& profile, const Runs& runs) {
  const std::string name = runs.program.substr(runs.program.rfind('/') + 1);
  const bool is_one = runs.files.size() == 1;
  const std::string file = is_one ? shown_file(profile.files[runs.largest].name) : "FILE...";
  if (read_files_of_their_own(profile, runs)) {
    return fmt::format("Let one start of {} take all of the other files, so that {} is read once.",
                       name, file);
  }
  if (name == "sed") {
    return fmt::format(
        "Let one sed do all of it: `sed -n -e FIRST -e SECOND {}`. To write several files, give "
        "each expression a `w FILE`.",
        file);
  }
  if (name == "grep" || name == "egrep" || name == "fgrep") {
    return fmt::format(
        "Give one grep all patterns: `grep -e FIRST -e SECOND {}`, or `-f FILE` with a pattern on "
        "each line, where one result for all of them will do. Where each pattern is a whole field, "
        "one awk can count all of them in an array, such as `count[$3]++`. (An awk that tries each "
        "pattern on each line may take longer than all the greps.)",
        file);
  }
  if (runtime_of_code(runs.program).name == "awk") {
    return fmt::format(
        "Let one {} do all of it: keep what it finds in arrays, and print it in `END`.", name);
  }
  return fmt::format(
      "Let one start of {} do all of it if it can, or read {} once in the program that starts it, "
      "and keep what it needs.",
      name, is_one ? file : "the files");
}

const ProcessMoments& moments_of(const Profile& profile, int place) {
  return profile.moments[static_cast<std::size_t>(place) - 1];
}

// By the clock of all processes, as the next one.
double started_at_s(const Profile& profile, int place) {
  return static_cast<double>(moments_of(profile, place).start_ns) * 1e-9;
}

// When the process has surely written its last bytes, to whatever file.
double last_written_s(const Profile& profile, int place) {
  const ProcessMoments& all = moments_of(profile, place);
  const auto writes = [](const Moment& moment) { return moment.written_bytes > 0; };
  const auto last = std::find_if(all.moments.rbegin(), all.moments.rend(), writes);
  const auto moments = static_cast<double>(all.moments.rend() - last);
  const double by_moments_s = moments * static_cast<double>(all.moment_ns) * 1e-9;
  const double lasts_s = process_of(profile, place).wall_s;
  return started_at_s(profile, place) +
         (all.moments.empty() ? lasts_s : std::min(lasts_s, by_moments_s));
}

// True if nobody writes a file after the first of these processes has begun: it has the same bytes
// for all of them. A writer without a log is not seen.
bool stays_the_same(const Profile& profile, const Runs& runs) {
  double first_s = std::numeric_limits<double>::infinity();
  for (const int place : runs.places) first_s = std::min(first_s, started_at_s(profile, place));
  constexpr CallSet changes =
      all_writes | CallSet{preload::Call::fflush, preload::Call::ftruncate,
                           preload::Call::copy_file_range, preload::Call::sendfile};
  for (const Use& use : profile.uses) {
    if (!changes.contains(use.call) || !runs.files.contains(use.file)) continue;
    for (const auto& [place, thread] : use.threads) {
      if (process_at(profile, place) == nullptr) return false;  // nobody knows when
      if (last_written_s(profile, place) > first_s) return false;
    }
  }
  return std::ranges::all_of(runs.files, [&](std::size_t file) {
    return profile.files[file].renewals <= 1;  // the first log counts as one
  });
}

// True if most of what these processes read are these files, and they do not copy them.
bool are_for_the_files(const Profile& profile, const Runs& runs) {
  constexpr double least_of_reads = 0.6;
  constexpr double most_written = 0.5;
  double read_bytes = 0;
  double written_bytes = 0;
  for (const Use& use : profile.uses) {
    if (all_reads.contains(use.call)) read_bytes += bytes_by(use, runs.places);
    if (writing_calls.contains(use.call)) {
      written_bytes += bytes_by(use, runs.places);
    }
  }
  return runs.read_bytes >= least_of_reads * read_bytes &&
         written_bytes <= most_written * runs.read_bytes;
}

std::optional<Advice> read_by_many(const Profile& profile, const Lives& lives, const Runs& runs) {
  constexpr double least_bytes = 262144;  // else it is the start that takes the time
  if (runs.size_bytes < least_bytes) return std::nullopt;
  if (!are_for_the_files(profile, runs) || !stays_the_same(profile, runs)) return std::nullopt;
  // Compilers read the same headers, and nobody can give them several sources.
  if (runs.files.size() > 1 && read_files_of_their_own(profile, runs)) return std::nullopt;
  return advice_about(
      profile, lives, runs, spent_on_files(profile, runs),
      {.did = fmt::format("read all of {}", files_text(profile, runs)),
       .why = fmt::format(
           "Each of these processes reads the whole {} again. The trace cannot tell how much work "
           "a process needs that does all of it: the upper end of the prediction includes all but "
           "the work of one.",
           runs.files.size() == 1 ? "file" : "files"),
       .fix = once_for_all(profile, runs)});
}

void take_larger(std::optional<Advice>& most, std::optional<Advice> advice) {
  if (advice && (!most || advice->saved_s > most->saved_s)) most = std::move(advice);
}

}  // namespace

std::optional<Advice> programs_for_the_same_files(const Profile& profile, const Lives& lives) {
  std::optional<Advice> most;
  const std::set<int> renaming = renaming_processes(profile);
  const auto renames = [&](int place) { return renaming.contains(place); };
  for (const Runs& runs : runs_of(profile, least_if_replaced, renames)) {
    take_larger(most, rewritten_by_many(profile, lives, runs));
  }
  const auto only_reads = [&](int place) { return !renaming.contains(place); };
  for (const Runs& runs : runs_of(profile, least_if_read, only_reads)) {
    take_larger(most, read_by_many(profile, lives, runs));
  }
  return most;
}

}  // namespace sluice::trace
