// Threads of one program that wait for each other at each record.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "command_line/quantity.h"
#include "trace/advice/situation.h"
#include "trace/logs/unseen_calls.h"
#include "trace/places/place.h"
#include "trace/places/runtime.h"
#include "trace/profile/missing_work.h"
#include "trace/profile/waiting.h"

namespace sluice::trace {
namespace {

// Each thread waits once or twice for a line or a record that is handed over. Threads that work
// through blocks wait once for thousands of bytes, and so do threads that share a lock. A row of
// threads hands each record over several times.
constexpr double least_bytes_of_turn = 4;  // for two threads
constexpr double most_bytes_of_turn = 1024;
constexpr double most_turns_of_record = 3;  // for each thread
constexpr std::uint64_t most_in_a_row = 8;  // more may have been started one after the other

// Threads that take turns do little at the same time, and the kernel works much for them. Threads
// that wait for a timer or the network sleep for much longer than a turn takes.
constexpr double most_at_once = 1.7;
constexpr double least_kernel_share = 0.2;
constexpr double most_sleep_of_turn = 8;  // as a multiple of a switch on this machine

// What the calls of one process did, as far as it bears on the turns of its threads.
struct Work {
  double system_calls = 0;
  std::size_t file = 0;  // from which most bytes were read, or to which most were written
  double bytes = 0;      // these
  double calls = 0;      // that moved them

  // True if each call seems to move a line or a record. A C++ stream moves many by each call.
  bool is_by_records() const { return bytes <= most_bytes_of_turn * calls; }
};

// The share of the threads of the use that are in the process of this place.
double share_of_process(const Use& use, int place) {
  const auto is_in = [&](const auto& thread) { return thread.first == place; };
  return per(static_cast<double>(std::ranges::count_if(use.threads, is_in)), use.threads.size());
}

Work work_of(const Profile& profile, int place) {
  Work work;
  struct Moved {
    double bytes = 0;
    double calls = 0;
  };
  std::map<std::pair<std::size_t, bool>, Moved> moved_of;  // by file; true: read
  for (const Use& use : profile.uses) {
    const double share = share_of_process(use, place);
    if (share == 0) continue;
    work.system_calls += share * static_cast<double>(use.amount.system_calls);
    const bool reads = all_reads.contains(use.call);
    if (!reads && !all_writes.contains(use.call)) continue;
    Moved& moved = moved_of[{use.file, reads}];
    moved.bytes += share * static_cast<double>(use.amount.bytes);
    moved.calls += share * static_cast<double>(use.amount.calls);
    if (moved.bytes <= work.bytes) continue;
    work.file = use.file;
    work.bytes = moved.bytes;
    work.calls = moved.calls;
  }
  return work;
}

// The waits of the process's threads, and for how long it worked and slept.
struct Waits {
  double count = 0;  // those that no system call and no barrier explains
  double threads = 0;
  double busy_s = 0;
  double kernel_s = 0;  // outside of the calls
  double asleep_s = 0;

  Waits(const Process& process, const Work& work)
      : count(static_cast<double>(process.voluntary_switches) - work.system_calls -
              static_cast<double>(process.barrier_waits)),
        threads(1 + static_cast<double>(
                        std::clamp(process.started_threads, std::uint64_t{1}, most_in_a_row))),
        busy_s(process.user_s + process.system_s - process.begun_s),
        kernel_s(kernel_s_for_calls(process) - process.time.system_s),
        asleep_s(process.wall_s - busy_s - process.time.sleep_s) {}

  bool are_turns(const Process& process, const Work& work, double switch_s) const {
    if (work.is_by_records() && count > most_turns_of_record * threads * work.calls) return false;
    return count >= many_switches && work.bytes >= least_bytes_of_turn * count * 2 / threads &&
           work.bytes <= most_bytes_of_turn * count && busy_s <= most_at_once * process.wall_s &&
           kernel_s >= least_kernel_share * busy_s &&
           asleep_s <= most_sleep_of_turn * switch_s * count;
  }
};

// A mended program still does its own work, in two threads at once at best. How much of the
// program's own time the locks take is unknown, so the upper end leaves a sixth of it
// (docs/measured/intel-turns-of-threads.json). The lower end is a part of the kernel's work:
// threads on one processor take turns faster than on two.
Advice advice_about(const Profile& profile, const Process& process, const Work& work,
                    const Waits& waits) {
  constexpr double least_share_of_kernel = 1 / 1.5;
  constexpr double most_switches = 5;  // each with the memory that moves to the other processor
  const double switches_s = profile.switch_s * waits.count;
  const double left_s = process.time.total_s() + process.user_s / 6;
  const double most_s = std::min(process.wall_s - left_s, most_switches * switches_s);
  const std::string program = std::filesystem::path(process.program).filename().string();
  return Advice{
      .kind = kinds::turns_of_threads,
      .saved_s = std::max(0.0, most_s),
      .seen = fmt::format(
          "threads waited {} times for each other, once for each {:.0f} bytes of {}; the kernel "
          "worked {:.3f} s to let them sleep and to wake them",
          format_count(static_cast<std::uint64_t>(waits.count)), work.bytes / waits.count,
          shown_file(profile.files[work.file].name), waits.kernel_s),
      .why = fmt::format(
          "The threads take turns: one hands a line, a record or a step of the work over and "
          "sleeps, and the kernel wakes it for the next one. On this machine a turn takes {:.1f} "
          "microseconds of processor time.",
          profile.switch_s * 1e6),
      .fix =
          "Let each thread do more before it waits: hand over many lines at once, in a queue of "
          "blocks of some hundred lines; or let one thread do all the work on a line, or a whole "
          "step.",
      .check =
          "the same command under sluice trace --json: far fewer voluntary_switches of the process",
      .place = fmt::format("threads of {}", program),
      .least_saved_s =
          std::max(0.0, std::min({waits.kernel_s, switches_s, most_s}) * least_share_of_kernel),
      .at_once = 2,  // so the saving is by the clock
  };
}

}  // namespace

// The interpreter of a language has threads of its own, which wait for other reasons, and so have
// the threads of OpenMP.
std::optional<Advice> turns_of_threads(const Profile& profile) {
  std::optional<Advice> most;
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    const Process& process = profile.processes[i];
    const bool is_known = process.ended && profile.switch_s > 0 && waits_often(process) &&
                          runtime_of_code(process.program).kind == Runtime::Kind::of_rules;
    if (!is_known || std::ranges::any_of(process.unseen_calls, is_of_openmp)) continue;
    const Work work = work_of(profile, static_cast<int>(i) + 1);
    const Waits waits(process, work);
    if (!waits.are_turns(process, work, profile.switch_s)) continue;
    Advice advice = advice_about(profile, process, work, waits);
    if (!most || advice.saved_s > most->saved_s) most = std::move(advice);
  }
  return most;
}

}  // namespace sluice::trace
