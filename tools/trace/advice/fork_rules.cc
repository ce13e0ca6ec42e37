// Copies of a program that it makes again and again by fork(), each for a little work.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
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

// Making a process is what costs if it is at least this share of the copies' own work.
constexpr double least_share_of_fork = 0.2;

// The most that a fork takes of its caller's time, as a multiple of the smallest program's time.
// (docs/measured/amd-zen4-forked-copies.txt: 0.1 to 1.1.)
constexpr double most_of_forking = 1.5;

// The copies that one process has made, without the recorder's own time.
struct Copies {
  std::size_t count = 0;
  double begun_s = 0;  // until the log of each copy began
  double work_s = 0;   // after that

  void add(const Life& life, const StartCost& cost) {
    ++count;
    begun_s += std::max(0.0, life.last->begun_s - cost.recorder_s());
    work_s += life.work_s();
  }
};

// By the number of the process that has made them. started_programs speaks of copies that work for
// other programs.
std::map<int, Copies> copies_in(const Lives& lives, const StartCost& cost) {
  std::map<int, Copies> copies;
  for (const auto& [number, life] : lives.all()) {
    const bool is_meant = lives.is_copy(life) && life.is_short() && lives.origin_of(life) == 0;
    const int maker = is_meant ? lives.starter_of(life) : 0;
    if (maker != 0) copies[maker].add(life, cost);
  }
  return copies;
}

// The processor time of the maker that its own calls do not explain: fork() is a call that nobody
// records.
double forking_s(const Process& maker, std::size_t copies, const StartCost& cost) {
  const double kernel_s = std::max(0.0, maker.system_s - maker.time.system_s);
  return std::min(kernel_s, most_of_forking * cost.plain_s * static_cast<double>(copies));
}

constexpr std::string_view fix_of_others =
    "Do the work in the process itself. Or make a few processes, about one for each processor, and "
    "give each of them many items: in Python by `multiprocessing.Pool`, in Perl by a process of "
    "`Parallel::ForkManager` for each block of items.";

Advice advice_about(const Process& maker, const Copies& copies, const Profile& profile) {
  const double fork_s = forking_s(maker, copies.count, profile.start_cost);
  const double least_s = copies.begun_s + fork_s;
  const double seen_s = copies.begun_s + copies.work_s + maker.processor_s();
  const double at_once = std::max(1.0, seen_s / maker.wall_s);
  const Runtime& runtime = runtime_of_code(maker.program);
  return Advice{
      .kind = {"forked-copies"},
      .saved_s = (least_s + copies.work_s) / at_once,
      .seen = fmt::format("{} copies of {}; each took {:.2f} ms of processor time on average",
                          format_count(copies.count), maker.program,
                          (least_s + copies.work_s) * 1e3 / static_cast<double>(copies.count)),
      .why =
          "A copy of a process has a copy of all its tables, copies each page of memory that it "
          "changes, and ends. The trace cannot tell how much of the copies' own work has to be "
          "done in another way: the upper end of the prediction includes all of it.",
      .fix = std::string(runtime.name == "shell" ? cure_of_copies_of_shell : fix_of_others),
      .check = "the same command under sluice trace: fewer processes",
      .place = fmt::format("copies of {} that it makes by fork", maker.program),
      .runtime = std::string(runtime.name),
      .is_of_language = runtime.kind == Runtime::Kind::language,
      .least_saved_s = least_s / at_once,
      .by_runtime_s = copies.work_s / at_once,
      .at_once = at_once,
  };
}

}  // namespace

std::optional<Advice> forked_copies(const Profile& profile) {
  const StartCost& cost = profile.start_cost;
  if (profile.processes.size() < many_starts || cost.plain_s <= 0) return std::nullopt;
  const Lives lives(profile);
  std::optional<Advice> most;
  for (const auto& [number, copies] : copies_in(lives, cost)) {
    const Process& maker = *lives.of(number).last;
    if (copies.count < many_starts || maker.wall_s <= 0) continue;
    const double made_s = copies.begun_s + forking_s(maker, copies.count, cost);
    if (made_s < least_share_of_fork * (made_s + copies.work_s)) continue;
    Advice advice = advice_about(maker, copies, profile);
    if (!most || advice.saved_s > most->saved_s) most = std::move(advice);
  }
  return most;
}

}  // namespace sluice::trace
