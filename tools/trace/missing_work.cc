#include "trace/missing_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

namespace sluice::trace {
namespace {

// True if the process runs. A zombie does not run: it has ended, and its parent has not waited for
// it.
bool runs(int process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  if (!std::getline(file, line)) return false;
  const std::size_t state = line.rfind(')') + 2;  // a program's name may have any characters
  return state < line.size() && line[state] != 'Z' && line[state] != 'X';
}

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

std::string number_of_processes(std::size_t number, const char* one, const char* several) {
  return fmt::format("{} process{}", number, number == 1 ? one : several);
}

// Notes programs that a process started or became, and that it knew could not be recorded.
void note_out_of_reach(Profile& profile) {
  std::size_t programs = 0;
  for (const Process& process : profile.processes) programs += process.out_of_reach;
  if (programs == 0) return;
  profile.problems.push_back(fmt::format(
      "{} program{} left no record, because {} started as another user or with other rights, in "
      "another root folder or mounts, or with no free descriptor",
      programs, programs == 1 ? "" : "s", programs == 1 ? "it was" : "they were"));
}

}  // namespace

void note_missing_work(Profile& profile, double processor_s) {
  note_out_of_reach(profile);
  constexpr double least_s = 0.1;
  constexpr double least_share = 0.1;
  std::size_t running = 0;
  bool times_are_known = true;
  double known_s = 0;
  for (const auto& [number, process] : last_programs(profile)) {
    if (runs(number)) ++running;
    times_are_known = times_are_known && process->ended;  // a killed process leaves no times
    known_s += process->user_s + process->system_s;
  }
  if (running > 0) {
    profile.problems.push_back(
        number_of_processes(running, " still runs: its later", "es still run: their later") +
        " work is not in this report");
  }
  const double missing_s = processor_s - known_s;
  if (!times_are_known || missing_s < std::max(least_s, least_share * processor_s)) return;
  profile.problems.push_back(fmt::format(
      "{:.2f} of {:.2f} s of processor time were spent in processes that left no log. A process "
      "leaves no log if it runs as another user, in another root folder, or as a static program",
      missing_s, processor_s));
}

}  // namespace sluice::trace
