// The work of a soak's threads until they are told to stop: write, read back, compare.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

#include "sluice/status.h"

namespace sluice::soak {

// All threads share it; every method may be called from any thread.
class Progress {
 public:
  bool goes_on() const { return !stopped.load(std::memory_order_relaxed); }

  // Keeps the first failure, and stops all threads.
  void fail(const std::string& reason);
  std::string failure() const;
  // Returns false, and keeps the failure, if `status` is one.
  bool is_ok(const Status& status);
  bool holds(bool condition, const std::string& what);

  std::atomic<bool> stopped{false};
  std::atomic<std::uint64_t> files{0};
  std::atomic<std::uint64_t> bytes{0};  // written and read back
  std::atomic<std::uint64_t> commits{0};
  std::atomic<std::uint64_t> journals{0};

 private:
  mutable std::mutex mutex_;
  std::string failure_;
};

// One thread: file after file of its own by a Writer with any options, read back by a Reader.
void write_and_read(Progress& progress, const std::string& path, std::uint64_t seed);

// Journal after Journal, each with `threads` threads that append and commit, then read back.
void append_and_commit(Progress& progress, const std::string& path, std::size_t threads,
                       std::uint64_t seed);

}  // namespace sluice::soak
