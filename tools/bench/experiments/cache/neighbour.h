// Neighbour: a program that works with a file of its own, which it needs in the cache.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sluice::bench {

// Reads its file from front to back, again and again, with a pause after each time. Works in a
// thread of its own.
class Neighbour {
 public:
  // Reads the file once, so that it is in the cache.
  Neighbour(std::string path, std::uint64_t bytes);
  ~Neighbour();
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;

  void start();
  // Returns the seconds that each reading of the whole file took; there is at least one. The thread
  // then ends by itself. Throws if the bytes were wrong.
  std::vector<double> stop();

 private:
  void read_once();
  void work();

  const std::string path_;
  const std::uint64_t bytes_;
  std::uint64_t hash_ = 0;
  std::atomic<bool> is_over_ = false;
  std::atomic<bool> is_wrong_ = false;
  std::mutex mutex_;
  std::condition_variable read_;
  std::vector<double> seconds_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace sluice::bench
