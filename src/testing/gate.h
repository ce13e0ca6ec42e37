// Gate: holds a thread up until the test lets it through, so that no test has to sleep.
// Threads: every method may be called from any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace sluice::testing {

class Gate {
 public:
  explicit Gate(bool open = true) : open_(open) {}

  void close() { set(false); }
  void open() { set(true); }

  // The thread that should be held up calls this.
  void pass() {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }

  // Returns once `count` threads have come to the gate since it was made.
  void wait_for_arrivals(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= count; });
  }

 private:
  void set(bool open) {
    const std::lock_guard lock(mutex_);
    open_ = open;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_;
  std::size_t arrived_ = 0;
};

// Closes a gate, and opens it at the end of its scope, also after a failed ASSERT. Otherwise the
// destructor of a Writer would wait at the gate for ever, and with it all tests. Declare it after
// the Writers.
class ClosedGate {
 public:
  explicit ClosedGate(Gate& gate) : gate_(gate) { gate_.close(); }
  ~ClosedGate() { open(); }
  ClosedGate(const ClosedGate&) = delete;
  ClosedGate& operator=(const ClosedGate&) = delete;

  void open() { gate_.open(); }

 private:
  Gate& gate_;
};

}  // namespace sluice::testing
