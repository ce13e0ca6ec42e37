// StoppedClock: a table of system calls in which time goes on only when the test says so.
// Threads: every method may be called from any thread.
#pragma once

#include <atomic>
#include <chrono>

#include "os/clock.h"
#include "os/system_calls.h"

namespace sluice::testing {

class StoppedClock : public os::SystemCalls {
 public:
  os::Clock::time_point now() override {
    return os::Clock::time_point(std::chrono::nanoseconds(nanoseconds_.load()));
  }
  void advance(std::chrono::nanoseconds time) { nanoseconds_ += time.count(); }

 private:
  // A time later than any time that a test has taken from the real clock, which counts from the
  // start of the machine.
  std::atomic<std::int64_t> nanoseconds_{
      std::chrono::nanoseconds(std::chrono::hours(1'000'000)).count()};
};

}  // namespace sluice::testing
