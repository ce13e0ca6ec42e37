// How long something takes on this machine, when it is measured after the run.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace sluice::trace {

// Seconds, for what is not known exactly.
struct CostRange {
  double least_s = 0;
  double most_s = 0;

  // Nothing so far: the first cost becomes both ends.
  static constexpr CostRange of_nothing() { return {std::numeric_limits<double>::max(), 0}; }

  void include(double cost_s) {
    least_s = std::min(least_s, std::max(0.0, cost_s));
    most_s = std::max(most_s, cost_s);
  }
};

// The shortest time of a few attempts by the clock, because other work may lengthen each of them.
// work() returns a number that depends on all of its work.
template <typename Work>
double least_time_s(const Work& work) {
  using Clock = std::chrono::steady_clock;
  constexpr int attempts = 3;
  double least_s = std::numeric_limits<double>::max();
  for (int i = 0; i < attempts; ++i) {
    const Clock::time_point start = Clock::now();
    volatile const auto used = work();
    static_cast<void>(used);
    least_s = std::min(least_s, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return least_s;
}

}  // namespace sluice::trace
