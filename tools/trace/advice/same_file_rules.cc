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
#include "trace/places/place.h"
#include "trace/places/runtime.h"

namespace sluice::trace {
namespace {

// So few may do: each reads all of the files.
constexpr std::size_t several_starts = 5;

// Shares of a file.
constexpr double most_of_file = 0.5;  // a file that is replaced may grow or shrink
constexpr double nearly_all = 0.8;    // a program may stop at what it looks for

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
    if (file.size_bytes == 0 || is_of_program(file.name)) continue;
    const double bytes = per(static_cast<double>(use.amount.system_bytes), use.threads.size());
    for (const auto& [place, thread] : use.threads) {
      if (process_at(profile, place) == nullptr || !is_meant(place)) continue;
      Readers& readers = found[{process_of(profile, place).program, use.file}];
      readers.places.insert(place);
      readers.bytes += bytes;
    }
  }
  return found;
}

// Several processes with files of which each of them reads at least this share, such as those of a
// folder.
template <typename IsMeant>
std::vector<Runs> runs_of(const Profile& profile, double share, const IsMeant& is_meant) {
  std::map<std::pair<std::string, std::set<int>>, Runs> by_places;
  for (const auto& [key, readers] : readers_of(profile, is_meant)) {
    const auto& [program, file] = key;
    const std::size_t times = readers.places.size();
    if (times < several_starts) continue;
    const double size = size_of(profile.files[file]);
    if (readers.bytes < share * static_cast<double>(times) * size) continue;
    Runs& runs = by_places[{program, readers.places}];
    runs.program = program;
    runs.places = readers.places;
    runs.add(profile, file, readers.bytes);
  }
  std::vector<Runs> all;
  for (auto& [key, runs] : by_places) all.push_back(std::move(runs));
  return all;
}

// The largest file, and how many there are beside it if they matter.
std::string files_text(const Profile& profile, const Runs& runs) {
  const File& largest = profile.files[runs.largest];
  const std::string name = shown_file(largest.name);
  if (size_of(largest) >= nearly_all * runs.size_bytes) return name;
  return fmt::format("{} and of {} other file{}", name, format_count(runs.files.size() - 1),
                     runs.files.size() == 2 ? "" : "s");
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
  if (!replace_files || written_beside(profile, runs) < most_of_file * times * runs.size_bytes)
    return std::nullopt;
  return advice_about(
      profile, lives, runs,
      {.did = fmt::format("read all of {}, and put new files in place of what it read",
                          files_text(profile, runs)),
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
    return fmt::format("Let one start of {} take all of the other files, so that {} {} read once.",
                       name, is_one ? file : "these", is_one ? "is" : "are");
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
        "each line, where one result for all of them will do. (One awk that counts the lines of "
        "each pattern may take longer than all the greps.)",
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
  return advice_about(
      profile, lives, runs,
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
  for (const Runs& runs : runs_of(profile, most_of_file, renames)) {
    take_larger(most, rewritten_by_many(profile, lives, runs));
  }
  const auto only_reads = [&](int place) { return !renaming.contains(place); };
  for (const Runs& runs : runs_of(profile, nearly_all, only_reads)) {
    take_larger(most, read_by_many(profile, lives, runs));
  }
  return most;
}

}  // namespace sluice::trace
