#include "machine/disturbance.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <numeric>
#include <sstream>

namespace sluice {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double own_seconds() {
  double sum = 0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    if (::getrusage(whose, &usage) != 0) continue;
    sum += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  }
  return sum;
}

}  // namespace

ProcessorTimes processor_times_in(const std::string& line, double ticks_per_s) {
  std::istringstream words(line);
  std::string name;
  enum Field { user, nice, system, idle, iowait, irq, softirq, steal, fields };
  std::array<double, fields> ticks{};
  words >> name;
  for (double& value : ticks) words >> value;
  if (!words || name != "cpu") return {};
  ProcessorTimes times;
  times.total_s = std::accumulate(ticks.begin(), ticks.end(), 0.0) / ticks_per_s;
  times.stolen_s = ticks[steal] / ticks_per_s;
  times.busy_s = times.total_s - times.stolen_s - (ticks[idle] + ticks[iowait]) / ticks_per_s;
  return times;
}

ProcessorTimes processor_times() {
  std::ifstream file("/proc/stat");
  std::string line;
  std::getline(file, line);
  ProcessorTimes times =
      processor_times_in(line, static_cast<double>(std::max(::sysconf(_SC_CLK_TCK), 1L)));
  times.own_s = own_seconds();
  return times;
}

Disturbance disturbance_between(const ProcessorTimes& before, const ProcessorTimes& after) {
  const double total_s = after.total_s - before.total_s;
  if (total_s <= 0) return {};
  const double others_s = after.busy_s - before.busy_s - (after.own_s - before.own_s);
  const double stolen_s = after.stolen_s - before.stolen_s;
  return {.others = std::clamp(others_s / total_s, 0.0, 1.0),
          .host = std::clamp(stolen_s / total_s, 0.0, 1.0)};
}

double idle_processors_between(const ProcessorTimes& before, const ProcessorTimes& after,
                               double processors) {
  const double total_s = after.total_s - before.total_s;
  if (total_s <= 0) return 0;
  const double used_s = after.busy_s - before.busy_s + after.stolen_s - before.stolen_s;
  return processors * std::clamp(1 - used_s / total_s, 0.0, 1.0);
}

}  // namespace sluice
