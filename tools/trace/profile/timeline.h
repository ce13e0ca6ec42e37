// A program's work on files over the time that it ran.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "preload/trace/log.h"
#include "trace/profile/profile.h"

namespace sluice::trace {

// How long a process takes to end, behind its log.
inline constexpr double end_of_process_s = 200e-6;

// The moments of one process that spent `total` on files. A moment is a short span of the run; all
// moments of a process have the same length. For each moment the log knows how many bytes system
// calls moved and how long they took. For some of the calls the log knows how much of its time the
// call worked and waited. Of the copies inside a buffer, the log counts a sample in their moments.
// The time of waiting and the time of these copies are scaled so that their sums are the sums in
// `total`, unless the calls seem to take longer than the process.
ProcessMoments moments_of(const preload::Log& log, const Time& total);

inline constexpr std::size_t max_timeline_moments = 1024;

struct Timeline {
  std::uint64_t moment_ns = 0;  // the length of each moment
  // From the start of the first process to the end of the last moment of any process.
  std::vector<Moment> moments{};
};

// All processes on one axis. A moment of the Timeline is as long as the longest moment of a
// process, or twice, four times, ... as long, so that there are at most max_timeline_moments. Each
// moment of a process is added to the moment of the Timeline that contains its middle, so the sums
// stay the same.
Timeline timeline_of(std::span<const ProcessMoments> processes);

// The most of these threads (of Use::threads) that existed at one time.
double most_threads_at_once(const Profile& profile, const decltype(Use::threads)& threads);

// At least 1.
double threads_at_once(const Profile& profile);
double threads_at_once(const Profile& profile, const Time& calls);  // the time of all calls

// How long the program would last on an idle machine: its threads work, or wait in calls that the
// trace has seen. On a busy machine it also waits for processors, and no advice saves that. A
// process that was killed leaves no times.
double idle_machine_s(const Profile& profile);

}  // namespace sluice::trace
