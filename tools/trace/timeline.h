// A program's work on files over the time that it ran.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "preload/trace/log.h"
#include "trace/profile.h"

namespace sluice::trace {

// The moments of one process that spent `total` on files. What the log knows of each is how many
// bytes system calls moved and how long they took. Whether a call worked or waited was asked one
// time in four, and of the copies inside a buffer few were put into a moment: what was seen of both
// is scaled so that its sum is that of `total`. Opening a file is in none of them.
ProcessMoments moments_of(const preload::Log& log, const Time& total);

inline constexpr std::size_t max_timeline_moments = 1024;

struct Timeline {
  std::uint64_t moment_ns = 0;    // the length of each
  std::vector<Moment> moments{};  // from the first process's start on, up to the last one that did
};

// All processes on one axis. The moments are as long as the longest of a process, or twice, four
// times, ... that, so that there are no more than max_timeline_moments; each moment of a process
// is in the one that its middle falls into, so that the sums stay what they were.
Timeline timeline_of(std::span<const ProcessMoments> processes);

}  // namespace sluice::trace
