// Measures one run of a Strategy, in a child process of its own.
//
// So each run has its own peak memory and a libc with one thread, and a crash ends only that run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/latency.h"
#include "bench/strategy.h"

namespace sluice::bench {

// The costs of the timed part. user_s and sys_s add up the processor time of all threads. The
// kernel divides this time into user and sys by sampling, so in runs of a few milliseconds only the
// sum is reliable.
struct Measurement {
  double wall_s = 0;
  double user_s = 0;
  double sys_s = 0;
  // Wall time minus the processor time of the calling thread, at least 0. In this time the thread
  // waited for the disk, for another thread or for a free processor.
  double sleep_s = 0;
  // Calls of the read and write family (read, pwritev, ...), counted by the kernel. Calls such as
  // open, lseek and fsync are not counted. Empty if the kernel does not count.
  std::optional<std::uint64_t> syscalls;
  std::uint64_t page_faults = 0;
  // Voluntary: a thread of the process gave up its processor because it had to wait. Involuntary: a
  // thread lost its processor to another thread.
  std::uint64_t voluntary_switches = 0;
  std::uint64_t involuntary_switches = 0;
  // The most memory that the whole process had in the timed part, including the memory of
  // prepare().
  std::uint64_t peak_rss_bytes = 0;
  std::optional<Latency> latency;             // if the strategy notes its operations
  std::optional<std::uint64_t> stored_bytes;  // if the strategy notes the size of its file
};

// Either a measurement whose result was verified, or an error. Both are empty if a signal asked
// `sluice bench` to end (see interrupt.h) and cut the run off.
struct Outcome {
  std::optional<Measurement> measurement;
  std::string error;
};

// Calls prepare(), run() and verify() in a child, and waits for the child. Only run() is measured.
Outcome measure(const Strategy& strategy);

}  // namespace sluice::bench
