// Copies of a program that it makes again and again by fork(), each for a little work.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "command_line/quantity.h"
#include "trace/advice/lives.h"
#include "trace/advice/shell_loops.h"
#include "trace/advice/situation.h"
#include "trace/places/place.h"
#include "trace/places/runtime.h"

namespace sluice::trace {
namespace {

// What a fork surely takes of its caller's time, at most, as a multiple of the smallest program's
// time. (docs/measured/amd-zen4-forked-copies.txt: 0.1 to 1.1.) A process with much memory takes
// longer to copy, but may also spend the kernel's time on this memory itself.
constexpr double most_of_forking = 1.5;

// The copies that processes of one program have made of themselves.
struct Copies {
  std::size_t count = 0;
  double begun_s = 0;        // until the log of each copy began
  double least_begun_s = 0;  // the same, without the recorder's own time
  double all_s = 0;          // processor time
  double wall_s = 0;
  std::set<int> makers{};
  double forking_s = 0;  // of the makers, see add_makers()
  double makers_s = 0;   // processor time
  double makers_wall_s = 0;

  void add(const Life& life, const StartCost& cost) {
    ++count;
    begun_s += life.last->begun_s;
    least_begun_s += std::max(0.0, life.last->begun_s - cost.recorder_s());
    all_s += life.last->processor_s();
    wall_s += life.last->begun_s + life.wall_s;
  }

  // The kernel's time of the makers that their own calls do not explain: fork() is a call that
  // nobody records.
  void add_makers(const Lives& lives) {
    for (const int number : makers) {
      const Process& maker = *lives.of(number).last;
      forking_s += std::max(0.0, maker.system_s - maker.time.system_s);
      makers_s += maker.processor_s();
      makers_wall_s += maker.wall_s;
    }
  }

  double surely_forking_s(const StartCost& cost) const {
    return std::min(forking_s, most_of_forking * cost.plain_s * static_cast<double>(count));
  }
  double least_s(const StartCost& cost) const { return least_begun_s + surely_forking_s(cost); }

  // The end of a copy gives back what its fork has made, and no log has its time.
  double most_s() const { return all_s + 2 * forking_s; }
  bool compute() const { return begun_s + 2 * forking_s < least_share_of_start * most_s(); }

  // A server waits for requests, and fewer forks would not end it sooner.
  bool are_paced() const { return makers_s + wall_s < makers_wall_s / 2; }

  bool cost_much() const {
    return count >= many_starts && makers_wall_s > 0 && !are_paced() && !compute();
  }
};

// By the program.
std::map<std::string, Copies> copies_in(const Lives& lives, const StartCost& cost) {
  std::map<std::string, Copies> copies;
  for (const auto& [number, life] : lives.all()) {
    const bool is_meant = lives.is_copy(life) && life.is_short();
    const int maker = is_meant ? lives.starter_of(life) : 0;
    // A shell that runs one command, as popen() starts it, is itself what costs.
    if (maker == 0 || lives.of(maker).is_short()) continue;
    Copies& of_program = copies[lives.of(maker).last->program];
    of_program.add(life, cost);
    of_program.makers.insert(maker);
  }
  for (auto& [program, of_program] : copies) of_program.add_makers(lives);
  return copies;
}

constexpr std::string_view fix_of_others =
    "Do the work in the process itself. Or make a few processes, about one for each processor, and "
    "give each of them many items: in Python by `multiprocessing.Pool`, in Perl by a process of "
    "`Parallel::ForkManager` for each block of items.";

Advice advice_about(const std::string& program, const Copies& copies, const StartCost& cost) {
  const double at_once = std::max(1.0, (copies.all_s + copies.makers_s) / copies.makers_wall_s);
  const double least_s = copies.least_s(cost) / at_once;
  const double most_s = std::max(least_s, copies.most_s() / at_once);
  const Runtime& runtime = runtime_of_code(program);
  return Advice{
      .kind = {"forked-copies"},
      .saved_s = most_s,
      .seen =
          fmt::format("{} copies of {}; each took {:.2f} ms of processor time on average",
                      format_count(copies.count), program,
                      (copies.all_s + copies.forking_s) * 1e3 / static_cast<double>(copies.count)),
      .why =
          "A copy of a process has a copy of all its tables, copies each page of memory that it "
          "changes, and ends. The trace cannot tell how much of the copies' own work has to be "
          "done in another way: the upper end of the prediction includes all of it.",
      .fix = std::string(runtime.name == "shell" ? cure_of_copies_of_shell : fix_of_others),
      .check = "the same command under sluice trace: fewer processes",
      .place = fmt::format("copies of {} that it makes by fork", program),
      .runtime = std::string(runtime.name),
      .is_of_language = runtime.kind == Runtime::Kind::language,
      .least_saved_s = least_s,
      .by_runtime_s = most_s - least_s,
      .at_once = at_once,
  };
}

}  // namespace

std::optional<Advice> forked_copies(const Profile& profile) {
  const StartCost& cost = profile.start_cost;
  if (profile.processes.size() < many_starts || cost.plain_s <= 0) return std::nullopt;
  std::map<std::string, Copies> all = copies_in(Lives(profile), cost);
  std::erase_if(all, [](const auto& of_program) { return !of_program.second.cost_much(); });
  if (all.empty()) return std::nullopt;
  // Copies between a program and those that it starts are a part of their cost.
  const std::optional<Advice> started = started_programs(profile);
  std::optional<Advice> most;
  for (const auto& [program, copies] : all) {
    if (started && started->place == place_of_starts_by(program)) continue;
    Advice advice = advice_about(program, copies, cost);
    if (!most || advice.saved_s > most->saved_s) most = std::move(advice);
  }
  return most;
}

}  // namespace sluice::trace
