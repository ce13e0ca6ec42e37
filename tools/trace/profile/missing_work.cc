#include "trace/profile/missing_work.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "command_line/quantity.h"
#include "trace/logs/running.h"
#include "trace/logs/unseen_calls.h"
#include "trace/profile/timeline.h"

namespace sluice::trace {
namespace {

double start_s(const ProcessMoments& of) { return static_cast<double>(of.start_ns) * 1e-9; }

// A program of the same number that had not ended, or had worked for longer, was another process.
bool continues(const Process& process, const Process& earlier) {
  constexpr double tick_s = 0.01;
  return earlier.ended && earlier.processor_s() <= process.begun_s + tick_s;
}

// The last program that each process has become. The times of this program include the times of the
// earlier programs of its process.
std::vector<const Process*> last_programs(const Profile& profile) {
  std::vector<std::size_t> order(profile.processes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return profile.moments[i].start_ns; });
  std::vector<const Process*> last;
  std::map<std::pair<std::string, int>, std::size_t> place_of;  // by machine and number
  for (const std::size_t i : order) {
    const Process& process = profile.processes[i];
    const auto [known, is_new] =
        place_of.try_emplace({process.machine, process.number}, last.size());
    if (!is_new && continues(process, *last[known->second])) {
      last[known->second] = &process;
    } else {
      known->second = last.size();
      last.push_back(&process);
    }
  }
  return last;
}

constexpr auto reasons =
    "A program leaves no log if it runs as another user or with other rights, in another root "
    "folder or mounts, or with no free descriptor; if it is static, is for another C library or "
    "processor, or needs the address sanitizer; or if popen starts it from a program with several "
    "threads";

// Notes programs that a process started or became, and that it knew could not be recorded, and
// processes whose logs had no room. False if there are none.
bool note_out_of_reach(Profile& profile) {
  std::size_t programs = 0;
  for (const Process& process : profile.processes) programs += process.out_of_reach;
  if (profile.empty_logs > 0) {
    profile.problems.push_back(fmt::format(
        "{} left no log: the disk of the logs (TMPDIR, or /dev/shm) was full, or a signal ended "
        "the process at its start",
        format_count(profile.empty_logs, "process", "es")));
    // A child without room is counted when it is forked, and again when it becomes a program.
    programs -= std::min<std::size_t>(programs, profile.empty_logs);
  }
  if (programs == 0) return profile.empty_logs > 0;
  profile.problems.push_back(
      fmt::format("{} left no log. {}", format_count(programs, "program"), reasons));
  return true;
}

void note_unseen(Profile& profile, const std::string& program, const char* how,
                 const std::set<std::string>& calls) {
  if (calls.empty()) return;
  profile.problems.push_back(
      fmt::format("{} can read or write {} ({}), and such calls are not in this report", program,
                  how, fmt::join(calls, ", ")));
}

}  // namespace

// What a process counts only at its end: refresh_recording() of the recorder.
double note_running(Profile& profile) {
  constexpr double ticks_s = 0.02;          // the kernel rounds the time of a process's begin
  constexpr double most_before_log_s = 10;  // the first process begins before its log
  double first_s = std::numeric_limits<double>::infinity();
  for (const ProcessMoments& of : profile.moments) first_s = std::min(first_s, start_s(of));
  std::set<int> numbers;
  double sum_s = 0;
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    const int number = profile.processes[i].number;
    const std::optional<double> used_s = processor_s_of_running(
        number, first_s - most_before_log_s, start_s(profile.moments[i]) + ticks_s);
    if (used_s && numbers.insert(number).second) sum_s += *used_s;
  }
  const std::size_t running = numbers.size();
  if (running > 0) {
    const bool is_one = running == 1;
    profile.problems.push_back(fmt::format(
        "{} process{} still run{}. This report lacks {} later work, {} processor time and {} waits "
        "for pages of mapped files. A process counts its processor time and these waits when it "
        "ends",
        running, is_one ? "" : "es", is_one ? "s" : "", is_one ? "its" : "their",
        is_one ? "its" : "their", is_one ? "its" : "their"));
  }
  return sum_s;
}

void note_unseen_calls(Profile& profile) {
  std::set<std::pair<std::string, std::set<std::string>>> programs;
  for (const Process& process : profile.processes) {
    if (!process.unseen_calls.empty()) programs.emplace(process.program, process.unseen_calls);
  }
  // Libraries that are linked into a program may bring these calls with them.
  const bool has_socket =
      std::ranges::any_of(profile.files, [](const File& file) { return S_ISSOCK(file.kind); }) ||
      std::ranges::any_of(profile.processes, [](const Process& of) { return of.connections > 0; });
  for (const auto& [program, calls] : programs) {
    std::set<std::string> wide;
    std::set<std::string> asynchronous;
    std::set<std::string> of_sockets;
    for (const std::string& call : calls) {
      if (is_of_openmp(call) || is_of_string_streams(call)) continue;
      (is_asynchronous(call) ? asynchronous : is_of_sockets(call) ? of_sockets : wide).insert(call);
    }
    note_unseen(profile, program, "wide characters", wide);
    note_unseen(profile, program, "asynchronously", asynchronous);
    if (has_socket) note_unseen(profile, program, "sockets", of_sockets);
  }
}

void note_missing_work(Profile& profile, double used_s) {
  // A line before tells of the processes that came after the last log.
  const bool reasons_are_known = note_out_of_reach(profile) || profile.processes_left_out > 0;
  constexpr double least_s = 0.1;
  constexpr double least_share = 0.1;
  bool times_are_known = true;
  double known_s = 0;
  for (const Process* const process : last_programs(profile)) {
    times_are_known = times_are_known && process->ended;  // a killed process leaves no times
    known_s += process->processor_s();
  }
  const double ends_s = end_of_process_s * static_cast<double>(profile.processes.size());
  const double missing_s = used_s - known_s - ends_s;
  if (!times_are_known || missing_s < std::max(least_s, least_share * used_s)) return;
  profile.problems.push_back(fmt::format(
      "{:.2f} of {:.2f} s of processor time were spent in processes that left no log{}{}",
      missing_s, used_s, reasons_are_known ? "" : ". ", reasons_are_known ? "" : reasons));
}

namespace {

// Work or waits outside of the calls in the report that are worth a line.
constexpr double least_unseen_s = 0.05;
constexpr double least_unseen_share = 0.25;

}  // namespace

double kernel_s_for_calls(const Process& process) {
  constexpr double page_s = 0.7e-6;     // at most, for most new pages
  constexpr double process_s = 500e-6;  // to begin and end one, and to load its libraries
  return process.system_s - process_s - page_s * static_cast<double>(process.minor_faults);
}

// The C library makes system calls that no hook sees: dlopen() reads and maps a library, and
// glob() lists folders.
void note_unseen_kernel_work(Profile& profile) {
  double unseen_s = 0;
  double worked_s = 0;
  std::set<std::pair<std::string, int>> known;
  for (const Process* const process : last_programs(profile)) {
    if (!process->ended) continue;  // nobody knows how long it worked
    known.emplace(process->machine, process->number);
    worked_s += process->processor_s();
    unseen_s += kernel_s_for_calls(*process);
  }
  for (const Process& process : profile.processes) {
    if (known.contains({process.machine, process.number})) unseen_s -= process.time.system_s;
  }
  const double lasts_s = std::min(profile.wall_s, worked_s);  // longer on a busy machine
  if (unseen_s < std::max(least_unseen_s, least_unseen_share * lasts_s)) return;
  profile.problems.push_back(fmt::format(
      "The kernel worked for about {:.2f} s outside of the calls in this report. Such work is for "
      "memory, for starting processes, or for calls that sluice does not see: poll, those of "
      "sockets and others, and what the C library does by itself, as in dlopen, glob and syslog. "
      "`strace -c -f` counts them",
      unseen_s));
}

// If reading the whole file would take as long as the page faults did, no advice about the mapping
// is given. The program may yet need only a few pages.
void note_page_faults(Profile& profile) {
  for (const Process& process : profile.processes) {
    const bool is_long =
        process.fault_wait_s >= std::max(least_unseen_s, least_unseen_share * profile.wall_s);
    if (!is_long || process.fault_wait_s > process.cold_read_s) continue;
    profile.problems.push_back(fmt::format(
        "A process waited for up to {:.2f} s at {} page faults of mapped files, in which the "
        "kernel reads ahead. If the program needs only a few pages, call madvise(MADV_RANDOM)",
        process.fault_wait_s, process.major_faults));
    return;
  }
}

// A script may start `sleep` again and again until something is done.
bool is_sleep(const Process& process) {
  return std::filesystem::path(process.program).filename() == "sleep";
}

// True if a line tells of them.
bool note_sleeps(Profile& profile) {
  std::size_t sleeps = 0;
  double sum_s = 0;
  for (const Process* const process : last_programs(profile)) {
    if (!is_sleep(*process)) continue;
    ++sleeps;
    sum_s += process->wall_s;
  }
  const bool is_long = sum_s >= std::max(least_unseen_s, least_unseen_share * profile.wall_s);
  if (sleeps < 2 || !is_long) return false;
  profile.problems.push_back(
      fmt::format("`sleep` was started {} times, and took {:.2f} s added up. In a loop that waits "
                  "for a program "
                  "which a shell itself has started, `wait` ends as soon as this program does",
                  sleeps, sum_s));
  return true;
}

// A process that has started no other one waits for its calls, for a processor, or for something
// that no hook sees. (The kernel says how long one thread waited for a processor.)
void note_unseen_waits(Profile& profile) {
  note_page_faults(profile);
  const bool tells_of_sleeps = note_sleeps(profile);
  std::set<int> parents;
  for (const Process& process : profile.processes) parents.insert(process.parent);
  constexpr std::uint64_t many_faults = 16;
  double most_s = 0;
  std::uint64_t faults = 0;
  for (const Process* const process : last_programs(profile)) {
    const bool has_child = parents.contains(process->number) || process->out_of_reach > 0;
    if (!process->ended || process->several_threads || has_child) continue;
    if (tells_of_sleeps && is_sleep(*process)) continue;
    const double known_s = process->processor_s() - process->begun_s + process->queued_s +
                           process->time.sleep_s + process->fault_wait_s;
    if (process->wall_s - known_s > most_s) faults = process->major_faults;
    most_s = std::max(most_s, process->wall_s - known_s);
  }
  if (most_s < std::max(least_unseen_s, least_unseen_share * profile.wall_s)) return;
  profile.problems.push_back(fmt::format(
      "A process waited for about {:.2f} s outside of the calls in this report: for another "
      "process or program, a lock, a timer or the network, or in a call that sluice does not see. "
      "`strace -c -w -f` counts them{}",
      most_s,
      faults < many_faults
          ? ""
          : fmt::format(". Some of the {} page faults of mapped files may have waited too",
                        faults)));
}

}  // namespace sluice::trace
