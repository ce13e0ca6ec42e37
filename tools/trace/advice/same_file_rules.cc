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

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/place.h"
#include "trace/places/runtime.h"

namespace sluice::trace {
namespace {

// Processes of one program that each read the whole of a file.
struct Runs {
  std::size_t file = 0;
  std::set<int> places{};  // in Profile::processes, counted from 1
  double read_bytes = 0;   // of the file
};

// By the name of the program, and by file.
using AllRuns = std::map<std::pair<std::string, std::size_t>, Runs>;

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

// The reads of files of at least this size, by processes for which is_meant(place) is true.
template <typename IsMeant>
AllRuns runs_of(const Profile& profile, std::uint64_t least_bytes, const IsMeant& is_meant) {
  AllRuns found;
  for (const Use& use : profile.uses) {
    const File& file = profile.files[use.file];
    if (!all_reads.contains(use.call) || !S_ISREG(file.kind)) continue;
    if (file.is_many || file.size_bytes < least_bytes) continue;
    const double bytes = per(static_cast<double>(use.amount.system_bytes), use.threads.size());
    for (const auto& [place, thread] : use.threads) {
      if (process_at(profile, place) == nullptr) continue;
      if (!is_meant(place)) continue;
      Runs& runs = found[{process_of(profile, place).program, use.file}];
      runs.file = use.file;
      runs.read_bytes += bytes;
      runs.places.insert(place);
    }
  }
  return found;
}

// True if there are many, and they have read this share of the file on average.
bool are_many(const Profile& profile, const Runs& runs, double share) {
  const double all_bytes =
      static_cast<double>(runs.places.size()) * size_of(profile.files[runs.file]);
  return runs.places.size() >= many_starts && runs.read_bytes >= share * all_bytes;
}

// What is said of the processes.
struct Words {
  std::string did;
  std::string why;
  std::string fix;
};

// One process reads the file as often as the first of these did.
Advice advice_about(const Profile& profile, const Lives& lives, const Runs& runs,
                    const Words& words) {
  Time calls;
  double begun_s = 0;
  double work_s = 0;
  for (const int place : runs.places) {
    const Process& process = process_of(profile, place);
    calls += process.time;
    begun_s += process.begun_s;
    work_s += std::max(0.0, process.processor_s() - process.begun_s);
  }
  const Process& one = process_of(profile, *runs.places.begin());
  const std::string starter = lives.starter_of(one.number);
  const double all_but_one = 1 - 1 / static_cast<double>(runs.places.size());
  const double calls_s = calls.copying_s + calls.system_s;
  const double around_s = begun_s + std::max(0.0, work_s - calls_s);
  return Advice{
      .kind = {"started-programs"},
      .saved_s = (calls_s + calls.sleep_s + around_s) * all_but_one,
      .seen = fmt::format("{} starts of {}, each of which {}", format_count(runs.places.size()),
                          one.program, words.did),
      .why = words.why,
      .fix = words.fix,
      .check = "the same command under sluice trace: fewer processes",
      .place = starter.empty() ? "programs that are started" : place_of_starts_by(starter),
      .runtime = std::string(runtime_of_code(starter).name),
      .is_of_language = runtime_of_code(starter).kind == Runtime::Kind::language,
      .repeats_work = true,
      .least_saved_s = calls_s * all_but_one,
      .by_runtime_s = around_s * all_but_one,
      .processes = runs.places,
  };
}

// The new files lie in the folder of the old one: else a rename could not put them in its place.
double written_beside(const Profile& profile, const Runs& runs) {
  const auto folder_of = [&](std::size_t file) {
    return std::filesystem::path(profile.files[file].name).parent_path();
  };
  const std::filesystem::path folder = folder_of(runs.file);
  double bytes = 0;
  for (const Use& use : profile.uses) {
    const bool writes = writing_calls.contains(use.call);
    if (writes && folder_of(use.file) == folder) bytes += bytes_by(use, runs.places);
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
                                        const Runs& runs, const std::string& program) {
  constexpr double nearly_all = 0.5;          // the file may grow or shrink
  constexpr double share_of_renewals = 0.25;  // the logs may come in another order
  const File& file = profile.files[runs.file];
  const auto times = static_cast<double>(runs.places.size());
  if (!are_many(profile, runs, nearly_all) || file.renewals < share_of_renewals * times)
    return std::nullopt;
  if (written_beside(profile, runs) < nearly_all * times * size_of(file)) return std::nullopt;
  return advice_about(
      profile, lives, runs,
      {.did = fmt::format("read {} and put a new file in its place", shown_file(file.name)),
       .why =
           "Each of these processes reads and writes the whole file again for one change. The "
           "trace cannot tell how much work a process needs that makes all changes: the upper end "
           "of the prediction includes all but the work of one.",
       .fix = fmt::format("Make all changes by one start of {}{}.", program,
                          of_several_changes(program))});
}

// True if each process also reads a file of its own, such as a text in which it looks for the words
// of the common file.
bool read_files_of_their_own(const Profile& profile, const Runs& runs) {
  std::map<std::size_t, std::set<int>> readers;
  for (const Use& use : profile.uses) {
    const File& file = profile.files[use.file];
    const bool is_meant = S_ISREG(file.kind) && file.size_bytes > 0 && use.file != runs.file;
    if (!is_meant || !all_reads.contains(use.call)) continue;
    for (const auto& [place, thread] : use.threads) readers[use.file].insert(place);
  }
  std::set<int> found;
  for (const auto& [file, places] : readers) {
    if (places.size() == 1 && runs.places.contains(*places.begin())) found.insert(*places.begin());
  }
  return 2 * found.size() > runs.places.size();
}

// How one process does the work of many that read the same file.
std::string once_for_all(const std::string& program, const std::string& file, bool has_own_files) {
  const std::string name = program.substr(program.rfind('/') + 1);
  if (has_own_files) {
    return fmt::format("Let one start of {} take all of the other files, so that {} is read once.",
                       name, file);
  }
  if (name == "sed") {
    return fmt::format(
        "Let one sed do all of it: `sed -n -e FIRST -e SECOND {}`. To write several "
        "files, give each expression a `w FILE`.",
        file);
  }
  if (name == "grep" || name == "egrep" || name == "fgrep") {
    return fmt::format(
        "Give one grep all patterns: `grep -e FIRST -e SECOND {}`, or `-f FILE` with a pattern on "
        "each line, where one result for all of them will do. (One awk that counts the lines of "
        "each "
        "pattern may take longer than all the greps.)",
        file);
  }
  if (runtime_of_code(program).name == "awk") {
    return fmt::format(
        "Let one {} do all of it: keep what it finds in arrays, and print it in "
        "`END`.",
        name);
  }
  return fmt::format(
      "Let one start of {} do all of it if it can, or read {} once in the program "
      "that starts it, and keep what it needs.",
      name, file);
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

// True if nobody writes the file after the first of these processes has begun: it has the same
// bytes for all of them. A writer without a log is not seen.
bool stays_the_same(const Profile& profile, const Runs& runs) {
  double first_s = std::numeric_limits<double>::infinity();
  for (const int place : runs.places) first_s = std::min(first_s, started_at_s(profile, place));
  constexpr CallSet changes =
      all_writes | CallSet{preload::Call::fflush, preload::Call::ftruncate,
                           preload::Call::copy_file_range, preload::Call::sendfile};
  for (const Use& use : profile.uses) {
    if (use.file != runs.file || !changes.contains(use.call)) continue;
    for (const auto& [place, thread] : use.threads) {
      if (process_at(profile, place) == nullptr) return false;  // nobody knows when
      if (last_written_s(profile, place) > first_s) return false;
    }
  }
  return profile.files[runs.file].renewals <= 1;  // the first log counts as one
}

// True if most of what these processes read is this file, and they do not copy it.
bool are_for_the_file(const Profile& profile, const Runs& runs) {
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

std::optional<Advice> read_by_many(const Profile& profile, const Lives& lives, const Runs& runs,
                                   const std::string& program) {
  constexpr double nearly_all = 0.8;  // a program may stop at what it looks for
  if (!are_many(profile, runs, nearly_all) || !are_for_the_file(profile, runs)) return std::nullopt;
  if (!stays_the_same(profile, runs)) return std::nullopt;
  const std::string file = shown_file(profile.files[runs.file].name);
  return advice_about(
      profile, lives, runs,
      {.did = fmt::format("read all of {}", file),
       .why =
           "Each of these processes reads the whole file again. The trace cannot tell how much "
           "work a process needs that does all of it: the upper end of the prediction includes all "
           "but the work of one.",
       .fix = once_for_all(program, file, read_files_of_their_own(profile, runs))});
}

void take_larger(std::optional<Advice>& most, std::optional<Advice> advice) {
  if (advice && (!most || advice->saved_s > most->saved_s)) most = std::move(advice);
}

}  // namespace

std::optional<Advice> programs_for_one_file(const Profile& profile, const Lives& lives) {
  constexpr std::uint64_t least_bytes = 4096;         // a smaller file takes no time
  constexpr std::uint64_t least_read_bytes = 262144;  // else it is the start that takes the time
  std::optional<Advice> most;
  const std::set<int> renaming = renaming_processes(profile);
  const auto renames = [&](int place) { return renaming.contains(place); };
  for (const auto& [key, runs] : runs_of(profile, least_bytes, renames)) {
    take_larger(most, rewritten_by_many(profile, lives, runs, key.first));
  }
  const auto only_reads = [&](int place) { return !renaming.contains(place); };
  for (const auto& [key, runs] : runs_of(profile, least_read_bytes, only_reads)) {
    take_larger(most, read_by_many(profile, lives, runs, key.first));
  }
  return most;
}

}  // namespace sluice::trace
