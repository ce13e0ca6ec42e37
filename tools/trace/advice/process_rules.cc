// Programs that another program starts again and again, each for a little work.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "command_line/quantity.h"
#include "trace/advice/lives.h"
#include "trace/advice/same_file_rules.h"
#include "trace/advice/shell_loops.h"
#include "trace/advice/situation.h"
#include "trace/places/interpreters.h"
#include "trace/places/place.h"
#include "trace/places/runtime.h"

namespace sluice::trace {
namespace {

// What a program works for itself to start another one, as a multiple of the smallest program's
// time. (Of the programs in benchmarks/mended: up to 1.5 in Python.)
constexpr double most_of_starting = 1.5;

// Processes of one program that have one origin, or the copies of a program.
struct Habit {
  std::size_t starts = 0;
  std::size_t paced = 0;   // starts with a wait since the one before
  double start_s = 0;      // from the start of each process until its log began
  double own_start_s = 0;  // what the program does for itself in each run, after that
  double work_s = 0;       // after both
  double data_bytes = 0;   // that it moved, and that are not of the program itself

  // The recorder made a log for each program that the process was before.
  void add(const Life& life, const StartCost& cost, double bytes) {
    const double recorder_s = cost.recorder_s() * static_cast<double>(life.programs - 1);
    const double in_each_run_s = std::min(life.own_start_s, life.work_s());
    ++starts;
    start_s += std::max(0.0, life.last->begun_s - recorder_s);
    own_start_s += in_each_run_s;
    work_s += life.work_s() - in_each_run_s;
    data_bytes += bytes;
  }
  void add(const Habit& other) {
    starts += other.starts;
    paced += other.paced;
    start_s += other.start_s;
    own_start_s += other.own_start_s;
    work_s += other.work_s;
    data_bytes += other.data_bytes;
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

// The bytes of files, pipes and sockets that each process has moved.
std::map<const Process*, double> data_of_processes(const Profile& profile) {
  std::map<const Process*, double> data;
  for (const Use& use : profile.uses) {
    if (!all_reads.contains(use.call) && !all_writes.contains(use.call)) continue;
    const std::string& file = profile.files[use.file].name;
    if (is_of_programs(file)) continue;
    const bool may_be_code = is_script(file);
    const double bytes = per(static_cast<double>(use.amount.system_bytes), use.threads.size());
    for (const auto& [place, thread] : use.threads) {
      const Process* const process = process_at(profile, place);
      if (process == nullptr) continue;
      const bool is_code = may_be_code && !interpreter_in(process->program).empty();
      if (!is_code) data[process] += bytes;
    }
  }
  return data;
}

// By the name of the program. The numbers of processes tell the order of their starts.
std::map<std::string, Origin> origins_of(const Profile& profile, const Lives& lives) {
  std::map<std::string, Origin> origins;
  const std::map<const Process*, double> data = data_of_processes(profile);
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
    const auto moved = data.find(life.last);
    habit.add(life, profile.start_cost, moved == data.end() ? 0 : moved->second);
    if (pace.has_waited_for(life.last->program)) ++habit.paced;
    if (std::exchange(counted[origin_number], true)) continue;
    origin.processor_s += process.processor_s();
    origin.own_work_s += std::max(0.0, process.processor_s() - process.begun_s -
                                           process.time.system_s - process.time.copying_s);
    origin.wall_s += process.wall_s;
  }
  return origins;
}

// True if an interpreter is started for next to no data. It works in each run to load its modules
// and its script.
bool loads_modules(const std::pair<std::string, bool>& name, const Habit& habit) {
  constexpr double few_bytes = 16384;  // for each start
  return !name.second && !interpreter_in(name.first).empty() &&
         habit.data_bytes <= few_bytes * static_cast<double>(habit.starts);
}

// Leaves out programs that work for much longer than their starts take, and such as are seldom
// started, or in a loop that waits. A copy has no program to load, and shares its work with the
// program that it waits for.
void keep_habits(Habits& habits, const StartCost& cost) {
  std::erase_if(habits, [&](const auto& named) {
    const Habit& habit = named.second;
    if (4 * habit.paced > habit.starts) return true;  // fewer starts would not end the loop sooner
    const double start_s = std::max(habit.start_s * cost.share_without_trace(),
                                    cost.plain_s * static_cast<double>(habit.starts)) +
                           habit.own_start_s;
    if (habit.starts < many_starts) return true;
    return start_s < least_share_of_start * (start_s + habit.work_s) &&
           !loads_modules(named.first, habit);
  });
}

Habit sum_of(const Habits& habits, bool copies) {
  Habit sum;
  for (const auto& [name, habit] : habits) {
    if (name.second == copies) sum.add(habit);
  }
  return sum;
}

std::string counts_text(const Habits& habits, const Profile& profile) {
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
  if (profile.processes_left_out == 0) return text;
  return fmt::format("{}, among the first {} processes", text,
                     format_count(profile.processes.size()));
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

template <std::size_t count>
bool starts_one_of(const Habits& habits, const std::string_view (&names)[count]) {
  return std::ranges::any_of(habits, [&](const auto& named) {
    return !named.first.second && std::ranges::find(names, named.first.first) != std::end(names);
  });
}

// A pipe makes two copies of the shell for each program at most.
constexpr std::size_t most_copies_of_pipes = 2;

std::string fix_of_shell(const Habits& habits) {
  std::set<std::string> programs;
  std::string most;
  std::size_t most_starts = 0;
  for (const auto& [name, habit] : habits) {
    const auto& [program, is_copy] = name;
    if (is_copy) continue;
    programs.insert(program);
    if (habit.starts > most_starts) most = program;
    most_starts = std::max(most_starts, habit.starts);
  }
  const bool has_more_copies =
      sum_of(habits, true).starts > most_copies_of_pipes * sum_of(habits, false).starts;
  std::string fix = cure_of_shell_loop(programs, most);
  return has_more_copies ? fix.append(" ").append(cure_of_copies_of_shell) : fix;
}

std::string fix_of(const std::string& program, const Habits& habits, const Runtime& runtime) {
  const auto* const starter = std::ranges::find(starters, program, &Starter::program);
  if (starter != std::end(starters)) {
    const bool has_shells = program == "make" && starts_one_of(habits, shells);
    return std::string(starter->fix).append(has_shells ? shells_of_make : "");
  }
  if (runtime.name == "shell") return fix_of_shell(habits);
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
      (programs.start_s + copies.start_s) * profile.start_cost.share_without_trace() +
      programs.own_start_s;
  const double starting_s =
      std::min(origin.own_work_s, most_of_starting * profile.start_cost.plain_s *
                                      static_cast<double>(programs.starts));
  const double work_s = programs.work_s + copies.work_s + starting_s;
  const double seen_s = programs.start_s + programs.own_start_s + programs.work_s + copies.start_s +
                        copies.work_s + origin.processor_s;
  // Processes after the last one with a log are taken for such as were seen.
  const double all = 1 + static_cast<double>(profile.processes_left_out) /
                             static_cast<double>(profile.processes.size());
  const double at_once = std::max(1.0, seen_s / origin.wall_s);
  const Runtime& runtime = runtime_of_code(program);
  const bool loads = std::ranges::any_of(
      origin.habits, [](const auto& of) { return loads_modules(of.first, of.second); });
  return Advice{
      .kind = {"started-programs"},
      .saved_s = (start_s + work_s) * all / at_once,
      .seen = fmt::format("{}; each lasted {:.1f} ms of processor time on average",
                          counts_text(origin.habits, profile),
                          (start_s + programs.work_s + copies.work_s) * 1e3 /
                              static_cast<double>(programs.starts + copies.starts)),
      .why = fmt::format(
          "Each start makes a process, loads a program with its libraries, and ends them. On this "
          "machine that takes at least {:.2f} ms{}. The trace cannot tell how much of the "
          "programs' own work has to be done in another way: the upper end of the prediction "
          "includes all of it.",
          profile.start_cost.plain_s * 1e3,
          loads ? ", and an interpreter also loads its own modules each time" : ""),
      .fix = fix_of(program, origin.habits, runtime),
      .check = "the same command under sluice trace: fewer processes",
      .place = place_of_starts_by(program),
      .runtime = std::string(runtime.name),
      .is_of_language = runtime.kind == Runtime::Kind::language,
      .repeats_work = loads,
      .least_saved_s = start_s * all / at_once,
      .by_runtime_s = work_s * all / at_once,
      .at_once = at_once,
  };
}

}  // namespace

std::optional<Advice> started_programs(const Profile& profile) {
  const StartCost& cost = profile.start_cost;
  const Lives lives(profile);
  std::optional<Advice> most = programs_for_the_same_files(profile, lives);
  if (cost.plain_s <= 0 || cost.begun_s <= 0) return most;
  for (auto& [program, origin] : origins_of(profile, lives)) {
    keep_habits(origin.habits, cost);
    if (sum_of(origin.habits, false).starts < many_starts || origin.wall_s <= 0) continue;
    Advice advice = advice_about(program, origin, profile);
    if (!most || advice.saved_s > most->saved_s) most = std::move(advice);
  }
  return most;
}

}  // namespace sluice::trace
