// Thread: a thread that takes no signals meant for the program.
#pragma once

#include <pthread.h>

namespace sluice::os {

class Thread {
 public:
  // False, with nothing started, when the system has no thread to give. `name` is what tools show,
  // 15 bytes at most; it lives as long as the program.
  [[nodiscard]] bool start(const char* name, void (*body)(void*), void* argument);
  void join();  // a no-op unless started
  bool started() const noexcept { return body_ != nullptr; }

 private:
  static void* run(void* thread);

  const char* name_ = nullptr;
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  pthread_t handle_{};
};

}  // namespace sluice::os
