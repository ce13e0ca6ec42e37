// Hand-made buffers in front of a target. People build them to compute and write at the same time.
//
// BufferedValues collects values of 8 bytes and gives full buffers to a HandOver. The HandOver
// decides which thread writes the buffers, and takes one buffer at a time. start() returns when the
// previous buffer is written. wait() returns when all buffers are written. Both throw the failure
// of a write.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace sluice::bench {

// Writes one full buffer. One thread at a time calls it.
using WriteBlock = std::function<void(const void* data, std::size_t bytes)>;

// The computing thread writes the buffer itself.
class SameThread {
 public:
  static constexpr std::size_t buffers = 1;

  explicit SameThread(WriteBlock write) : write_(std::move(write)) {}
  void start(const void* data, std::size_t bytes) { write_(data, bytes); }
  void wait() {}

 private:
  WriteBlock write_;
};

// A new thread writes each buffer.
class NewThread {
 public:
  static constexpr std::size_t buffers = 2;

  explicit NewThread(WriteBlock write) : write_(std::move(write)) {}
  ~NewThread() {
    if (thread_.joinable()) thread_.join();
  }
  NewThread(const NewThread&) = delete;
  NewThread& operator=(const NewThread&) = delete;

  void start(const void* data, std::size_t bytes);
  void wait();

 private:
  WriteBlock write_;
  std::exception_ptr failure_;  // belongs to the thread until it is joined
  std::thread thread_;
};

// One thread, which lives as long as this object, writes all buffers.
class LastingThread {
 public:
  static constexpr std::size_t buffers = 2;

  explicit LastingThread(WriteBlock write);
  ~LastingThread();
  LastingThread(const LastingThread&) = delete;
  LastingThread& operator=(const LastingThread&) = delete;

  void start(const void* data, std::size_t bytes);
  void wait();

 private:
  void write_until_over();
  void wait_until_idle(std::unique_lock<std::mutex>& lock);

  WriteBlock write_;
  std::mutex mutex_;
  // mutex_ guards the members below.
  std::condition_variable changed_;
  const void* data_ = nullptr;  // the buffer that is being written, or null
  std::size_t bytes_ = 0;
  bool over_ = false;
  std::exception_ptr failure_;

  std::thread thread_;  // the last member, because it uses the others
};

template <typename HandOver>
class BufferedValues {
 public:
  BufferedValues(WriteBlock write, std::size_t buffer_bytes)
      : capacity_(buffer_bytes / sizeof(std::uint64_t)), hand_over_(std::move(write)) {
    for (auto& buffer : buffers_) {
      buffer = std::make_unique_for_overwrite<std::uint64_t[]>(capacity_);
    }
    filling_ = buffers_[0].get();
  }

  void add(std::uint64_t value) {
    if (used_ == capacity_) [[unlikely]] {
      hand_over();
    }
    filling_[used_++] = value;
  }

  void finish() {
    hand_over();
    hand_over_.wait();
  }

 private:
  void hand_over() {
    hand_over_.start(filling_, used_ * sizeof(std::uint64_t));
    current_ = (current_ + 1) % HandOver::buffers;
    filling_ = buffers_[current_].get();
    used_ = 0;
  }

  std::unique_ptr<std::uint64_t[]> buffers_[HandOver::buffers];
  std::size_t capacity_;
  std::uint64_t* filling_ = nullptr;
  std::size_t used_ = 0;
  std::size_t current_ = 0;
  HandOver hand_over_;  // the last member, because it must end before the buffers
};

}  // namespace sluice::bench
