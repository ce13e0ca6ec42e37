// For how long a process has worked and waited, by its log.
#pragma once

#include <cstdint>

#include "preload/trace/log.h"
#include "trace/profile/profile.h"

namespace sluice::trace {

inline double seconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

// The time for which the process was on a processor since its log began; 0 if it was killed.
double worked_s_of(const preload::Log& log);

// The most time for which the calls of the process have waited for files: then the process neither
// worked nor was ready to work. Infinite if it is unknown: the process was killed, or had several
// threads.
double most_wait_s(const preload::Log& log);

// Switches that are too few to be noticed if they are fewer.
inline constexpr std::uint64_t many_switches = 20'000;

// True if threads of the process may have waited for each other all the time.
inline bool waits_often(const Process& process) {
  return process.several_threads && process.voluntary_switches >= many_switches;
}

// The page faults for which the process waited after it had mapped a cold file.
std::uint64_t cold_faults(const preload::Log& log);

// The time that the process waited for these faults, at most. Waits in calls, which have taken
// `time`, do not count. 0 if it is unknown.
double fault_wait_s(const preload::Log& log, const Time& time);

// The time of reading all cold bytes at the speed of the first cold bytes.
double cold_read_s(const preload::Log& log);

}  // namespace sluice::trace
