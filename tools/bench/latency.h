// How long single operations of a run took: what a mean hides.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

namespace sluice::bench {

// Nearest-rank percentiles of one run's operations.
struct Latency {
  double p50_s = 0;
  double p90_s = 0;
  double p99_s = 0;
  double p999_s = 0;
  double max_s = 0;
};

// Of at least one operation.
Latency latency_of(std::vector<double> seconds);

// A strategy's run() hands over its operations' times here, once, as its last act; measure() takes
// them out when the time has been taken. One run at a time, in the thread that called it.
void note_operations(std::vector<double> seconds);
std::optional<Latency> take_noted_latency();

// Calls `work` and adds how long it took.
template <typename Work>
void timed(std::vector<double>& seconds, Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  seconds.push_back(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

}  // namespace sluice::bench
