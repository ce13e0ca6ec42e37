// The times of the single operations of a run. A mean would hide the slow ones.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace sluice::bench {

// Nearest-rank percentiles of the operations of one run.
struct Latency {
  double p50_s = 0;
  double p90_s = 0;
  double p99_s = 0;
  double p999_s = 0;
  double max_s = 0;
  std::uint64_t count = 0;  // of the operations

  // False if there are so few operations that the percentile is their maximum.
  bool has_percentile(double share) const;
};

// `seconds` has at least one operation.
Latency latency_of(std::vector<double> seconds);

// At its end, a strategy's run() gives the times of its operations to note_operations(), once.
// measure() takes the times after the clock has stopped. Threads: both calls belong to the thread
// that called run().
void note_operations(std::vector<double> seconds);
std::optional<Latency> take_noted_latency();

// Calls `work` and adds its time to `seconds`.
template <typename Work>
void timed(std::vector<double>& seconds, Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  seconds.push_back(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

}  // namespace sluice::bench
