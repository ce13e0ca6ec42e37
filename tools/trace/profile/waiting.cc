#include "trace/profile/waiting.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::trace {

double worked_s_of(const preload::Log& log) {
  return seconds(log.user_ns + log.system_ns) - seconds(log.worked_before_ns);
}

double most_wait_s(const preload::Log& log) {
  const double worked_s = worked_s_of(log);
  const double wall_s = seconds(log.last_ns - log.start_ns);
  const double wait_s = wall_s - worked_s - seconds(log.queued_ns);
  const bool is_known = worked_s > 0 && log.several_threads == 0 && wait_s > -0.02 * wall_s;
  return is_known ? std::max(0.0, wait_s) : std::numeric_limits<double>::infinity();
}

std::uint64_t cold_faults(const preload::Log& log) {
  if (log.cold_read_bytes == 0) return 0;
  return log.major_faults - std::min(log.major_faults, log.faults_before);
}

double fault_wait_s(const preload::Log& log, const Time& time) {
  const double wait_s = most_wait_s(log);
  if (std::isinf(wait_s)) return 0;
  // The calls that slept before the first cold read are in both.
  const double blocked_s = wait_s - std::max(seconds(log.blocked_before_ns), time.sleep_s);
  // No fault took longer than reading the first cold piece took.
  const double faults_s = static_cast<double>(cold_faults(log)) * seconds(log.cold_read_ns);
  return std::max(0.0, std::min(blocked_s, faults_s));
}

double cold_read_s(const preload::Log& log) {
  if (log.cold_read_bytes == 0) return 0;
  std::uint64_t cold_bytes = 0;
  for (std::uint32_t i = 1; i <= log.usages && i < preload::max_usages; ++i) {
    cold_bytes += log.usage(i).cold_bytes;
  }
  return seconds(log.cold_read_ns) * static_cast<double>(cold_bytes) /
         static_cast<double>(log.cold_read_bytes);
}

}  // namespace sluice::trace
