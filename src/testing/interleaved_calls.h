// The operating system of the threads of an Interleaving: threads, a clock, one file.
//
// Put it in place with os::ScopedSystemCalls in the scenario. It lives as long as the scenario.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "os/system_calls.h"
#include "testing/interleaving.h"

namespace sluice::testing {

using os::CallResult;

// Threads that the library starts become threads of the schedule.
class InterleavedCalls : public os::SystemCalls {
 public:
  explicit InterleavedCalls(Interleaving& threads) : threads_(threads) {}

  bool can_start_threads = true;

  CallResult start_thread(void* (*body)(void*), void* argument, pthread_t& thread) override;
  CallResult join_thread(pthread_t thread) override;
  std::chrono::steady_clock::time_point now() override { return threads_.now(); }

 protected:
  Interleaving& threads_;
};

// Every descriptor stands for one file, which no code opens. These are failures: two calls at once,
// holes, a byte that is overwritten with another value, and any call after a failed call.
class InterleavedFile final : public InterleavedCalls {
 public:
  using InterleavedCalls::InterleavedCalls;

  std::size_t fail_at = SIZE_MAX;  // this call fails, counted from 0
  std::chrono::nanoseconds sync_takes = std::chrono::milliseconds(1);

  // The contents at the beginning, which are durable.
  void begin_with(std::string bytes);
  const std::string& bytes() const { return bytes_; }
  // The number of bytes that were written before the latest finished sync began.
  std::uint64_t durable_bytes() const { return durable_bytes_; }
  bool has_failed() const { return has_failed_; }
  std::size_t syncs() const { return syncs_; }

  CallResult pwritev(int descriptor, const iovec* pieces, int count,
                     std::uint64_t position) override;
  CallResult fdatasync(int descriptor) override;

 private:
  bool begin(const char* what);

  std::string bytes_;
  std::uint64_t durable_bytes_ = 0;
  bool has_failed_ = false;
  bool is_busy_ = false;
  std::size_t calls_ = 0;
  std::size_t syncs_ = 0;
};

}  // namespace sluice::testing
