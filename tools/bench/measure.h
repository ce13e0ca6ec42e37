// One run of one Strategy, measured in a child process of its own.
//
// The child gives every run its own peak memory, its own single-threaded libc and its own crash.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/latency.h"
#include "bench/strategy.h"

namespace sluice::bench {

// What the timed part cost. Processor time is that of all threads; the kernel divides it into user
// and sys by sampling, so in runs of a few milliseconds only their sum can be trusted.
struct Measurement {
  double wall_s = 0;
  double user_s = 0;
  double sys_s = 0;
  // Wall time in which the calling thread was not on a processor (it waited for the disk, for
  // another thread or for a free processor): wall minus that thread's processor time, at least 0.
  double sleep_s = 0;
  // Calls of the read and write family (read, pwritev, ...), by the kernel's count. Calls such as
  // open, lseek and fsync are not in it. Nothing where the kernel does not count.
  std::optional<std::uint64_t> syscalls;
  std::uint64_t page_faults = 0;
  // How often a thread of the process gave its processor up, because it had to wait, and how often
  // it lost it to another thread.
  std::uint64_t voluntary_switches = 0;
  std::uint64_t involuntary_switches = 0;
  // Most memory of the whole process at any moment of the timed part, what prepare() holds
  // included.
  std::uint64_t peak_rss_bytes = 0;
  std::optional<Latency> latency;  // of single operations, where the strategy notes them
};

// Either a measurement whose result was verified, or an error, or neither: then a signal asked
// `sluice bench` to end (see interrupt.h) and the run was cut off.
struct Outcome {
  std::optional<Measurement> measurement;
  std::string error;
};

// Calls prepare(), run() and verify() in a child and waits for it. Only run() is measured.
Outcome measure(const Strategy& strategy);

}  // namespace sluice::bench
