// Thread: a thread that takes no signals meant for the program.
#pragma once

#include <pthread.h>

namespace sluice::os {

class Thread {
 public:
  // False, with nothing started, if the system has no thread to give. `name` is the name that tools
  // show, of at most 15 bytes; it must live as long as the program.
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
