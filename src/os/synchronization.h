// Mutex, Condition, WaitWord: how the threads of the library wait for each other.
//
// These are the standard library's, unless a test has put a Scheduler in place. Asking whether
// there is a Scheduler costs a load and a branch.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "os/never_destroyed.h"
#include "os/scheduler.h"

namespace sluice::os {

class Mutex {
 public:
  void lock() {
    if (Scheduler* const test = scheduler(); test != nullptr) [[unlikely]]
      return test->lock(mutex_);
    mutex_.lock();
  }
  void unlock() {
    if (Scheduler* const test = scheduler(); test != nullptr) [[unlikely]]
      return test->unlock(mutex_);
    mutex_.unlock();
  }

 private:
  friend class Condition;
  std::mutex mutex_;
};

using Lock = std::unique_lock<Mutex>;

// Waiting is not a cancellation point. A Condition is never destroyed, because destroying one waits
// for the threads that wait on it, and in a forked child these threads do not exist.
class Condition {
 public:
  void wait(Lock& lock);
  template <typename Predicate>
  void wait(Lock& lock, Predicate holds) {
    while (!holds()) wait(lock);
  }
  // Returns false if `end` has passed and the predicate still does not hold.
  template <typename Predicate>
  bool wait_until(Lock& lock, std::chrono::steady_clock::time_point end, Predicate holds) {
    while (!holds()) {
      if (!wait_until(lock, end)) return holds();
    }
    return true;
  }
  void notify_one();
  void notify_all();

 private:
  bool wait_until(Lock& lock, std::chrono::steady_clock::time_point end);

  NeverDestroyed<std::condition_variable> condition_;
};

// A number that threads wait on without a mutex, as the kernel's futex allows.
class WaitWord {
 public:
  std::uint32_t load() const;
  void store(std::uint32_t value);
  // Returns at once if the value is no longer `old`. Otherwise returns when the value may have
  // changed.
  void wait(std::uint32_t old) const;
  void notify_all();

 private:
  std::atomic<std::uint32_t> value_{0};
};

}  // namespace sluice::os
