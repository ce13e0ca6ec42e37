// ThreadTeam: threads that do their shares of a row's work at the same time.
//
// The constructor starts the threads, outside the timed part. They sleep until run(). The calling
// thread has no share, so even a team of one thread makes a program of two threads. libc's locks
// thus cost the same for every number of threads.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

namespace sluice::bench {

class ThreadTeam {
 public:
  // The thread with number i calls share(i), once. Returns when all threads are waiting for run().
  ThreadTeam(std::size_t threads, std::function<void(std::size_t)> share);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Lets all threads go at once. Returns when the last share is done. Call it once. If shares have
  // thrown, throws one of their exceptions.
  void run();

 private:
  void work(std::size_t thread);
  void do_share(std::size_t thread);
  void join();

  std::function<void(std::size_t)> share_;
  std::latch ready_;
  std::latch start_{1};
  std::latch done_;
  bool abandoned_ = false;  // written only before start_

  std::mutex mutex_;
  std::exception_ptr failure_;  // guarded by mutex_

  std::vector<std::thread> threads_;
};

}  // namespace sluice::bench
