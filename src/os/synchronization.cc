#include "os/synchronization.h"

#include "os/cancellation.h"

namespace sluice::os {
namespace {

// A std::unique_lock for a mutex that is locked already, and that stays locked afterwards.
class Adopted {
 public:
  explicit Adopted(std::mutex& mutex) : lock_(mutex, std::adopt_lock) {}
  ~Adopted() { lock_.release(); }
  Adopted(const Adopted&) = delete;
  Adopted& operator=(const Adopted&) = delete;
  std::unique_lock<std::mutex>& get() { return lock_; }

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace

void Condition::wait(Lock& lock) {
  const CancellationHeldOff held_off;
  std::mutex& mutex = lock.mutex()->mutex_;
  if (Scheduler* const test = scheduler()) return test->wait(condition_.get(), mutex);
  condition_.get().wait(Adopted(mutex).get());
}

bool Condition::wait_until(Lock& lock, std::chrono::steady_clock::time_point end) {
  const CancellationHeldOff held_off;
  std::mutex& mutex = lock.mutex()->mutex_;
  if (Scheduler* const test = scheduler()) return test->wait_until(condition_.get(), mutex, end);
  return condition_.get().wait_until(Adopted(mutex).get(), end) == std::cv_status::no_timeout;
}

void Condition::notify_one() {
  if (Scheduler* const test = scheduler()) return test->notify_one(condition_.get());
  condition_.get().notify_one();
}

void Condition::notify_all() {
  if (Scheduler* const test = scheduler()) return test->notify_all(condition_.get());
  condition_.get().notify_all();
}

std::uint32_t WaitWord::load() const {
  if (Scheduler* const test = scheduler()) test->reach(value_);
  return value_.load(std::memory_order_acquire);
}

void WaitWord::store(std::uint32_t value) {
  if (Scheduler* const test = scheduler()) test->reach(value_);
  value_.store(value, std::memory_order_release);
}

void WaitWord::wait(std::uint32_t old) const {
  if (Scheduler* const test = scheduler()) return test->wait(value_, old);
  value_.wait(old, std::memory_order_acquire);
}

void WaitWord::notify_all() {
  if (Scheduler* const test = scheduler()) return test->notify_all(value_);
  value_.notify_all();
}

}  // namespace sluice::os
