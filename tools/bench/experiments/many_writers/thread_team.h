// ThreadTeam: threads that do their shares of a row's work at the same time.
//
// They are started by the constructor, outside the timed part, and sleep until run(). The thread
// that calls has no share, so that a team of one thread is a program of two threads too: libc's
// locks cost the same whatever the number.
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
  // Thread number i calls share(i), once. Returns when all threads are waiting for run().
  ThreadTeam(std::size_t threads, std::function<void(std::size_t)> share);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Lets all threads go at once and returns when the last share is done; called once. Throws what a
  // share has thrown: of several failures one.
  void run();

 private:
  void work(std::size_t thread);
  void do_share(std::size_t thread);
  void join();

  std::function<void(std::size_t)> share_;
  std::latch ready_;
  std::latch start_{1};
  std::latch done_;
  bool abandoned_ = false;  // written before start_ alone

  std::mutex mutex_;
  std::exception_ptr failure_;  // guarded by mutex_

  std::vector<std::thread> threads_;
};

}  // namespace sluice::bench
