#include "trace/missing_work.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "trace/running.h"
#include "trace/unseen_calls.h"

namespace sluice::trace {
namespace {

// The last program that each process has become. The times of this program include the times of the
// earlier programs of its process.
std::map<int, const Process*> last_programs(const Profile& profile) {
  std::map<int, const Process*> last;
  for (const Process& process : profile.processes) {
    const Process*& known = last[process.number];
    const auto cpu_s = [](const Process& of) { return of.user_s + of.system_s; };
    if (known == nullptr || !process.ended || cpu_s(process) > cpu_s(*known)) known = &process;
  }
  return last;
}

constexpr auto reasons =
    "A program leaves no log if it runs as another user or with other rights, in another root "
    "folder or mounts, or with no free descriptor; if it is static, is for another C library or "
    "processor, or needs the address sanitizer; or if popen starts it from a program with several "
    "threads";

// Notes programs that a process started or became, and that it knew could not be recorded. False
// if there are none.
bool note_out_of_reach(Profile& profile) {
  std::size_t programs = 0;
  for (const Process& process : profile.processes) programs += process.out_of_reach;
  if (programs == 0) return false;
  profile.problems.push_back(
      fmt::format("{} program{} left no log. {}", programs, programs == 1 ? "" : "s", reasons));
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

// What a process counts only at its end: refresh_recording() and count_faults() of the recorder.
double note_running(Profile& profile) {
  std::set<int> processes;
  for (const Process& process : profile.processes) processes.insert(process.number);
  std::size_t running = 0;
  double processor_s = 0;
  for (const int process : processes) {
    const std::optional<double> used_s = processor_s_of_running(process);
    if (used_s) ++running;
    processor_s += used_s.value_or(0);
  }
  if (running > 0) {
    const bool is_one = running == 1;
    profile.problems.push_back(fmt::format(
        "{} process{} still run{}. This report lacks {} later work, {} processor time and {} waits "
        "for pages of mapped files. A process counts its processor time and these waits when it "
        "ends",
        running, is_one ? "" : "es", is_one ? "s" : "", is_one ? "its" : "their",
        is_one ? "its" : "their", is_one ? "its" : "their"));
  }
  return processor_s;
}

void note_unseen_calls(Profile& profile) {
  std::set<std::pair<std::string, std::set<std::string>>> programs;
  for (const Process& process : profile.processes) {
    if (!process.unseen_calls.empty()) programs.emplace(process.program, process.unseen_calls);
  }
  for (const auto& [program, calls] : programs) {
    std::set<std::string> wide;
    std::set<std::string> asynchronous;
    for (const std::string& call : calls)
      (is_asynchronous(call) ? asynchronous : wide).insert(call);
    note_unseen(profile, program, "wide characters", wide);
    note_unseen(profile, program, "asynchronously", asynchronous);
  }
}

void note_missing_work(Profile& profile, double processor_s) {
  const bool reasons_are_known = note_out_of_reach(profile);
  constexpr double least_s = 0.1;
  constexpr double least_share = 0.1;
  bool times_are_known = true;
  double known_s = 0;
  for (const auto& [number, process] : last_programs(profile)) {
    times_are_known = times_are_known && process->ended;  // a killed process leaves no times
    known_s += process->user_s + process->system_s;
  }
  const double missing_s = processor_s - known_s;
  if (!times_are_known || missing_s < std::max(least_s, least_share * processor_s)) return;
  profile.problems.push_back(fmt::format(
      "{:.2f} of {:.2f} s of processor time were spent in processes that left no log{}{}",
      missing_s, processor_s, reasons_are_known ? "" : ". ", reasons_are_known ? "" : reasons));
}

}  // namespace sluice::trace
