// Programs that another program starts again and again, each for a little work.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/places/place.h"
#include "trace/places/runtime.h"

namespace sluice::trace {
namespace {

constexpr std::size_t many_starts = 10;
constexpr std::size_t many_rewritings = 10;  // of one file
constexpr double most_of_a_short_life_s = 0.05;

// Starting a program is what costs if it is at least this share of the program's work.
constexpr double least_share_of_start = 0.2;

// What a program works for itself to start another one, as a multiple of the smallest program's
// time. (Of the programs in benchmarks/mended: up to 1.5 in Python.)
constexpr double most_of_starting = 1.5;

double processor_s(const Process& process) { return process.user_s + process.system_s; }

// A process with all programs that it became.
struct Life {
  const Process* last = nullptr;
  std::size_t programs = 0;
  double wall_s = 0;

  void add(const Process& process) {
    // The processor time before a log grows from program to program.
    if (last == nullptr || process.begun_s >= last->begun_s) last = &process;
    ++programs;
    wall_s += process.wall_s;
  }
  bool is_short() const { return wall_s <= most_of_a_short_life_s && last->ended; }
  double work_s() const { return std::max(0.0, processor_s(*last) - last->begun_s); }
};

class Lives {
 public:
  explicit Lives(const Profile& profile) : least_begun_s_(profile.start_cost.begun_s) {
    for (const Process& process : profile.processes) lives_[process.number].add(process);
    for (const auto& [number, life] : lives_) {
      if (!is_copy(life)) ++starts_[starter_of(life)];
    }
  }

  const std::map<int, Life>& all() const { return lives_; }
  const Life& of(int number) const { return lives_.at(number); }

  // True for a process that fork made, and that became no other program: a subshell. It begins its
  // log after less work than any program.
  bool is_copy(const Life& life) const {
    const auto parent = lives_.find(life.last->parent);
    return parent != lives_.end() && life.programs == 1 && life.last->begun_s < least_begun_s_ &&
           life.last->program == parent->second.last->program;
  }

  // The program that has started this process. Empty if it has no log.
  std::string starter_of(int number) const {
    const int starter = starter_of(of(number));
    return starter == 0 ? "" : of(starter).last->program;
  }

  // The process that has started many programs, of which this process is one or works for one. 0 if
  // there is none.
  int origin_of(const Life& life) const {
    int number = starter_of(life);
    while (number != 0 && !starts_many(number)) {
      const Life& starter = of(number);
      if (!starter.is_short()) return 0;
      number = starter_of(starter);
    }
    return number;
  }

 private:
  bool starts_many(int number) const {
    const auto found = starts_.find(number);
    return found != starts_.end() && found->second >= many_starts;
  }

  // The nearest process before it that is no copy. 0 if it has no log.
  int starter_of(const Life& life) const {
    int number = life.last->parent;
    for (std::size_t steps = 0; steps < lives_.size(); ++steps) {
      const auto found = lives_.find(number);
      if (found == lives_.end()) return 0;
      if (!is_copy(found->second)) return number;
      number = found->second.last->parent;
    }
    return 0;
  }

  const double least_begun_s_;
  std::map<int, Life> lives_;
  std::map<int, std::size_t>
      starts_;  // by process: the programs that it or its copies have started
};

// Processes of one program that have one origin, or the copies of a program.
struct Habit {
  std::size_t starts = 0;
  std::size_t paced = 0;  // starts with a wait since the one before
  double start_s = 0;     // from the start of each process until its log began
  double work_s = 0;      // after that

  // The recorder made a log for each program that the process was before.
  void add(const Life& life, const StartCost& cost) {
    const double recorder_s = cost.recorder_s() * static_cast<double>(life.programs - 1);
    ++starts;
    start_s += std::max(0.0, life.last->begun_s - recorder_s);
    work_s += life.work_s();
  }
  void add(const Habit& other) {
    starts += other.starts;
    paced += other.paced;
    start_s += other.start_s;
    work_s += other.work_s;
  }
};

using Habits = std::map<std::pair<std::string, bool>, Habit>;  // by program; true: copies of it

struct Origin {
  Habits habits{};
  double processor_s = 0;  // its own
  double own_work_s = 0;   // outside of its calls
  double wall_s = 0;
};

// Programs that are started to wait.
constexpr std::string_view waiting[] = {"sleep", "timeout", "inotifywait"};

bool only_waits(const Life& life) {
  return std::ranges::find(waiting, life.last->program) != std::end(waiting);
}

// How often a process has started a program that only waits: so far, and when it last started each
// other program.
struct Pace {
  std::size_t waits = 0;
  std::map<std::string, std::size_t> waits_before{};

  // True if the process has waited since it last started this program.
  bool has_waited_for(const std::string& program) {
    const auto [before, is_first] = waits_before.try_emplace(program, waits);
    return std::exchange(before->second, waits) < waits;
  }
};

// By the name of the program. The numbers of processes tell the order of their starts.
std::map<std::string, Origin> origins_of(const Lives& lives, const StartCost& cost) {
  std::map<std::string, Origin> origins;
  std::map<int, bool> counted;
  std::map<int, Pace> paces;
  for (const auto& [number, life] : lives.all()) {
    const int origin_number = life.is_short() || only_waits(life) ? lives.origin_of(life) : 0;
    if (origin_number == 0) continue;
    Pace& pace = paces[origin_number];
    if (only_waits(life)) {
      ++pace.waits;
      continue;
    }
    const Process& process = *lives.of(origin_number).last;
    Origin& origin = origins[process.program];
    Habit& habit = origin.habits[{life.last->program, lives.is_copy(life)}];
    habit.add(life, cost);
    if (pace.has_waited_for(life.last->program)) ++habit.paced;
    if (std::exchange(counted[origin_number], true)) continue;
    origin.processor_s += processor_s(process);
    origin.own_work_s += std::max(0.0, processor_s(process) - process.begun_s -
                                           process.time.system_s - process.time.copying_s);
    origin.wall_s += process.wall_s;
  }
  return origins;
}

// Leaves out programs that work for much longer than their starts take, and such as are seldom
// started, or in a loop that waits. A copy has no program to load, and shares its work with the
// program that it waits for.
void keep_habits(Habits& habits, const StartCost& cost) {
  std::erase_if(habits, [&](const auto& named) {
    const Habit& habit = named.second;
    if (4 * habit.paced > habit.starts) return true;  // fewer starts would not end the loop sooner
    const double start_s = std::max(habit.start_s * cost.share_without_trace(),
                                    cost.plain_s * static_cast<double>(habit.starts));
    return habit.starts < many_starts || start_s < least_share_of_start * (start_s + habit.work_s);
  });
}

Habit sum_of(const Habits& habits, bool copies) {
  Habit sum;
  for (const auto& [name, habit] : habits) {
    if (name.second == copies) sum.add(habit);
  }
  return sum;
}

std::string counts_text(const Habits& habits) {
  std::vector<std::pair<std::size_t, std::string>> counts;
  for (const auto& [name, habit] : habits) {
    const char* const what = name.second ? "copies of" : "starts of";
    counts.emplace_back(habit.starts,
                        fmt::format("{} {} {}", format_count(habit.starts), what, name.first));
  }
  std::ranges::sort(counts, std::greater());
  std::string text;
  for (std::size_t i = 0; i < counts.size() && i < 4; ++i) {
    text += (i == 0 ? "" : ", ") + counts[i].second;
  }
  return text;
}

// Commands that are told what to start. Others start a program by their own code.
struct Starter {
  std::string_view program;
  std::string_view fix;
};
constexpr Starter starters[] = {
    {"find",
     "Give the command many files at once, `-exec COMMAND {} +` in place of `-exec COMMAND {} "
     "\\;`, "
     "or leave it out: `-printf` and `-delete` need no command."},
    {"xargs",
     "Give the command many arguments at once: leave out `-n 1` and `-L 1`. In place of `-I {}`, "
     "let the command take the names last, as `cp -t FOLDER` and `mv -t FOLDER` do."},
    {"split",
     "Give each piece more lines or bytes (`-l`, `-b`, `-n`), so that `--filter` starts fewer "
     "commands."},
    {"make",
     "Let one recipe make many files, by commands that take many: make starts a program for each "
     "recipe."},
};

constexpr std::string_view shells_of_make =
    " Join the lines of a recipe by `&&`, so that they share a shell. Give a variable its "
    "`$(shell ...)` by `:=`, so that the command runs once.";

constexpr std::string_view shells[] = {"sh", "dash", "bash"};

// What a shell can do itself.
constexpr std::string_view replaced_by_shell[] = {"basename", "dirname", "cut",  "awk",  "gawk",
                                                  "mawk",     "grep",    "sed",  "expr", "date",
                                                  "cat",      "tr",      "test", "["};

template <std::size_t count>
bool starts_one_of(const Habits& habits, const std::string_view (&names)[count]) {
  return std::ranges::any_of(habits, [&](const auto& named) {
    return !named.first.second && std::ranges::find(names, named.first.first) != std::end(names);
  });
}

std::string fix_of(const std::string& program, const Habits& habits, const Runtime& runtime) {
  const auto* const starter = std::ranges::find(starters, program, &Starter::program);
  if (starter != std::end(starters)) {
    const bool has_shells = program == "make" && starts_one_of(habits, shells);
    return std::string(starter->fix).append(has_shells ? shells_of_make : "");
  }
  if (runtime.name == "shell" && !starts_one_of(habits, replaced_by_shell)) {
    return "Give one command all files or values at once, or let it read them from its standard "
           "input, in place of a command for each of them.";
  }
  const std::string cure = cure_in(runtime, "started-programs");
  if (!cure.empty()) return cure;
  return "Do this work in the program itself: functions such as fopen, mkdir, rename and strftime "
         "in place of commands that system() or popen() starts. Or start one command, by popen(), "
         "and hand it all records.";
}

Advice advice_about(const std::string& program, const Origin& origin, const Profile& profile) {
  const Habit programs = sum_of(origin.habits, false);
  const Habit copies = sum_of(origin.habits, true);
  const double start_s =
      (programs.start_s + copies.start_s) * profile.start_cost.share_without_trace();
  const double starting_s =
      std::min(origin.own_work_s, most_of_starting * profile.start_cost.plain_s *
                                      static_cast<double>(programs.starts));
  const double work_s = programs.work_s + copies.work_s + starting_s;
  const double seen_s =
      programs.start_s + programs.work_s + copies.start_s + copies.work_s + origin.processor_s;
  // Processes after the last one with a log are taken for such as were seen.
  const double all = 1 + static_cast<double>(profile.processes_left_out) /
                             static_cast<double>(profile.processes.size());
  const double at_once = std::max(1.0, seen_s / origin.wall_s);
  const Runtime& runtime = runtime_of_code(program);
  return Advice{
      .id = "started-programs",
      .saved_s = (start_s + work_s) * all / at_once,
      .seen = fmt::format("{}; each lasted {:.1f} ms of processor time on average",
                          counts_text(origin.habits),
                          (start_s + programs.work_s + copies.work_s) * 1e3 /
                              static_cast<double>(programs.starts + copies.starts)),
      .why = fmt::format(
          "Each start makes a process, loads a program with its libraries, and ends them. On this "
          "machine that takes at least {:.2f} ms. The trace cannot tell how much of the programs' "
          "own work has to be done in another way: the upper end of the prediction includes all of "
          "it.",
          profile.start_cost.plain_s * 1e3),
      .fix = fix_of(program, origin.habits, runtime),
      .check = "the same command under sluice trace: fewer processes",
      .place = fmt::format("programs that {} starts", program),
      .runtime = std::string(runtime.name),
      .is_of_language = runtime.kind == Runtime::Kind::language,
      .least_saved_s = start_s * all / at_once,
      .by_runtime_s = work_s * all / at_once,
      .at_once = at_once,
  };
}

// Processes of one program that each read the whole of a file, and put a new one in its place.
struct Rewriting {
  std::size_t file = 0;
  std::set<int> places{};  // in Profile::processes, counted from 1
  double read_bytes = 0;
};

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

// By the name of the program, and by file.
std::map<std::pair<std::string, std::size_t>, Rewriting> rewritings_of(const Profile& profile) {
  const std::set<int> renaming = renaming_processes(profile);
  std::map<std::pair<std::string, std::size_t>, Rewriting> found;
  if (renaming.size() < many_rewritings) return found;
  for (const Use& use : profile.uses) {
    if (!all_reads.contains(use.call) || profile.files[use.file].size_bytes == 0) continue;
    const double bytes = per(static_cast<double>(use.amount.system_bytes), use.threads.size());
    for (const auto& [place, thread] : use.threads) {
      if (!renaming.contains(place)) continue;
      const std::string& program = profile.processes[static_cast<std::size_t>(place) - 1].program;
      Rewriting& rewriting = found[{program, use.file}];
      rewriting.file = use.file;
      rewriting.read_bytes += bytes;
      rewriting.places.insert(place);
    }
  }
  return found;
}

// The new files lie in the folder of the old one: else a rename could not put them in its place.
double written_beside(const Profile& profile, const Rewriting& rewriting) {
  const auto folder_of = [&](std::size_t file) {
    return std::filesystem::path(profile.files[file].name).parent_path();
  };
  const std::filesystem::path folder = folder_of(rewriting.file);
  double bytes = 0;
  for (const Use& use : profile.uses) {
    const bool writes =
        (all_writes | preload::Call::fflush | preload::Call::fclose).contains(use.call);
    if (!writes || folder_of(use.file) != folder) continue;
    bytes += share_in(use, rewriting.places) * static_cast<double>(use.amount.system_bytes);
  }
  return bytes;
}

std::string_view of_several_changes(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);
  if (name == "sed") return ", with all expressions: `sed -i -e FIRST -e SECOND FILE`";
  if (name == "perl") return ", with all of its code: `perl -pi -e 'FIRST; SECOND' FILE`";
  return "";
}

// One process reads and writes the file as often as the first of these did.
Advice advice_about(const Profile& profile, const Lives& lives, const Rewriting& rewriting) {
  Time calls;
  double begun_s = 0;
  double work_s = 0;
  for (const int place : rewriting.places) {
    const Process& process = profile.processes[static_cast<std::size_t>(place) - 1];
    calls += process.time;
    begun_s += process.begun_s;
    work_s += std::max(0.0, processor_s(process) - process.begun_s);
  }
  const Process& one = profile.processes[static_cast<std::size_t>(*rewriting.places.begin()) - 1];
  const std::string starter = lives.starter_of(one.number);
  const auto times = static_cast<double>(rewriting.places.size());
  const double all_but_one = 1 - 1 / times;
  const double calls_s = calls.copying_s + calls.system_s;
  const double around_s = begun_s + std::max(0.0, work_s - calls_s);
  return Advice{
      .id = "started-programs",
      .saved_s = (calls_s + calls.sleep_s + around_s) * all_but_one,
      .seen = fmt::format("{} starts of {}, each of which read {} and put a new file in its place",
                          format_count(rewriting.places.size()), one.program,
                          shown_file(profile.files[rewriting.file].name)),
      .why =
          "Each of these processes reads and writes the whole file again for one change. The trace "
          "cannot tell how much work a process needs that makes all changes: the upper end of the "
          "prediction includes all but the work of one.",
      .fix = fmt::format("Make all changes by one start of {}{}.", one.program,
                         of_several_changes(one.program)),
      .check = "the same command under sluice trace: fewer processes",
      .place = starter.empty() ? "programs that are started"
                               : fmt::format("programs that {} starts", starter),
      .runtime = std::string(runtime_of_code(starter).name),
      .is_of_language = runtime_of_code(starter).kind == Runtime::Kind::language,
      .least_saved_s = calls_s * all_but_one,
      .by_runtime_s = around_s * all_but_one,
      .processes = rewriting.places,
  };
}

std::optional<Advice> rewritten_by_many(const Profile& profile, const Lives& lives) {
  constexpr double nearly_all = 0.5;           // the file may grow or shrink
  constexpr std::uint64_t least_bytes = 4096;  // a smaller file is not what takes the time
  constexpr double share_of_renewals = 0.25;   // the logs may come in another order
  std::optional<Advice> most;
  for (const auto& [key, rewriting] : rewritings_of(profile)) {
    const auto times = static_cast<double>(rewriting.places.size());
    const double all_bytes = nearly_all * times * size_of(profile.files[rewriting.file]);
    const File& file = profile.files[rewriting.file];
    if (file.size_bytes < least_bytes || file.renewals < share_of_renewals * times) continue;
    if (rewriting.places.size() < many_rewritings || rewriting.read_bytes < all_bytes) continue;
    if (written_beside(profile, rewriting) < all_bytes) continue;
    Advice advice = advice_about(profile, lives, rewriting);
    if (!most || advice.saved_s > most->saved_s) most = std::move(advice);
  }
  return most;
}

}  // namespace

std::optional<Advice> started_programs(const Profile& profile) {
  const StartCost& cost = profile.start_cost;
  if (profile.processes.size() < many_rewritings) return std::nullopt;
  const Lives lives(profile);
  std::optional<Advice> most = rewritten_by_many(profile, lives);
  if (cost.plain_s <= 0 || cost.begun_s <= 0) return most;
  for (auto& [program, origin] : origins_of(lives, cost)) {
    keep_habits(origin.habits, cost);
    if (sum_of(origin.habits, false).starts < many_starts || origin.wall_s <= 0) continue;
    Advice advice = advice_about(program, origin, profile);
    if (!most || advice.saved_s > most->saved_s) most = std::move(advice);
  }
  return most;
}

}  // namespace sluice::trace
