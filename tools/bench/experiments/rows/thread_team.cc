#include "bench/experiments/rows/thread_team.h"

#include <utility>

namespace sluice::bench {

ThreadTeam::ThreadTeam(std::size_t threads, std::function<void(std::size_t)> share)
    : share_(std::move(share)),
      ready_(static_cast<std::ptrdiff_t>(threads)),
      done_(static_cast<std::ptrdiff_t>(threads)) {
  try {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this, i] { work(i); });
  } catch (...) {  // the system gives no more threads
    join();
    throw;
  }
  ready_.wait();
}

ThreadTeam::~ThreadTeam() { join(); }

void ThreadTeam::run() {
  start_.count_down();
  done_.wait();
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadTeam::work(std::size_t thread) {
  ready_.count_down();
  start_.wait();
  if (!abandoned_) do_share(thread);
  done_.count_down();
}

void ThreadTeam::do_share(std::size_t thread) {
  try {
    share_(thread);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
}

// If run() was never called, the threads end without work.
void ThreadTeam::join() {
  if (!start_.try_wait()) {
    abandoned_ = true;
    start_.count_down();
  }
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace sluice::bench
