#include "trace/costs/switch_cost.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace sluice::trace {
namespace {

constexpr int turns = 200;  // of each thread

// Two threads, of which one works while the other one waits.
class Turns {
 public:
  void take(bool second) {
    for (int i = 0; i < turns; ++i) {
      std::unique_lock hold(lock_);
      changed_.wait(hold, [&] { return is_of_second_ == second; });
      is_of_second_ = !second;
      changed_.notify_one();
    }
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  bool is_of_second_ = false;
};

double worked_s() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double switch_s() {
  Turns taken;
  std::thread second([&] { taken.take(true); });
  const double before_s = worked_s();
  taken.take(false);
  const double after_s = worked_s();
  second.join();
  return (after_s - before_s) / (2 * turns);
}

}  // namespace

double measured_switch_s() try {
  std::array<double, 9> times_s{};
  for (double& time_s : times_s) time_s = switch_s();
  std::ranges::sort(times_s);
  return times_s[times_s.size() / 2];
} catch (const std::system_error&) {
  return 0;
}

}  // namespace sluice::trace
