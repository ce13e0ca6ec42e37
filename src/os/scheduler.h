// Scheduler: stands in for the operating system's scheduling of threads in tests.
//
// os::Mutex, os::Condition and os::WaitWord use the Scheduler if a test has put one in place, and
// the standard library otherwise. A test's Scheduler lets one thread run at a time and decides
// which one goes on.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace sluice::os {

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  virtual void lock(std::mutex& mutex) = 0;
  virtual void unlock(std::mutex& mutex) = 0;

  // Both calls release the mutex while they wait. wait_until() returns false if `end` has passed.
  virtual void wait(std::condition_variable& condition, std::mutex& mutex) = 0;
  virtual bool wait_until(std::condition_variable& condition, std::mutex& mutex,
                          std::chrono::steady_clock::time_point end) = 0;
  virtual void notify_one(std::condition_variable& condition) = 0;
  virtual void notify_all(std::condition_variable& condition) = 0;

  // Called before each access to the word, so that another thread may come in between.
  virtual void reach(const std::atomic<std::uint32_t>& word) = 0;
  virtual void wait(const std::atomic<std::uint32_t>& word, std::uint32_t old) = 0;
  virtual void notify_all(std::atomic<std::uint32_t>& word) = 0;
};

// Null unless a test has put one in place.
inline std::atomic<Scheduler*> scheduler_in_place{nullptr};

inline Scheduler* scheduler() noexcept {
  return scheduler_in_place.load(std::memory_order_relaxed);
}

}  // namespace sluice::os
