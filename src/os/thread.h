// Thread: a thread that takes no signals meant for the program.
#pragma once

#include <pthread.h>

namespace sluice::os {

class Thread {
 public:
  // False, with nothing started, when the system has no thread to give.
  [[nodiscard]] bool start(void (*body)(void*), void* argument);
  void join();  // a no-op unless started
  bool started() const noexcept { return body_ != nullptr; }

 private:
  static void* run(void* thread);

  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  pthread_t handle_{};
};

}  // namespace sluice::os
