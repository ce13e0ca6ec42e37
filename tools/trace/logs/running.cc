#include "trace/logs/running.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace sluice::trace {
namespace {

double now_s(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

// See proc(5). The state follows the program's name, which may have any characters.
std::optional<double> processor_s_of_running(int process, double begun_after_s,
                                             double begun_before_s) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream words(line.substr(name_end + 1));
  std::string state;
  words >> state;
  if (state == "Z" || state == "X") return std::nullopt;
  constexpr int before_times = 10;
  std::string skipped;
  for (int i = 0; i < before_times; ++i) words >> skipped;
  double ticks = 0;
  double sum = 0;
  for (int i = 0; i < 4 && words >> ticks; ++i) sum += ticks;  // user, system, and the children's
  constexpr int before_begin = 4;
  for (int i = 0; i < before_begin; ++i) words >> skipped;
  double begin = 0;
  words >> begin;
  const auto ticks_per_s = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const double begun_s = begin / ticks_per_s - (now_s(CLOCK_BOOTTIME) - now_s(CLOCK_MONOTONIC));
  if (begun_s < begun_after_s || begun_s > begun_before_s) return std::nullopt;
  return sum / ticks_per_s;
}

}  // namespace sluice::trace
