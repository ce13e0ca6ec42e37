// CancellationHeldOff: while an object of this class lives, pthread_cancel() does not end its
// thread. The cancellation waits until the thread comes to a cancellation point.
//
// Without the object, a thread could end in the middle of a call. Then bytes that were sent would
// still count as pending, or a round of commits would never end. An object costs tens of
// nanoseconds. It costs nothing while another object of this class lives in the thread.
#pragma once

#include <pthread.h>

#include <optional>

#include "os/platform.h"

namespace sluice::os {

class CancellationHeldOff {
 public:
  CancellationHeldOff() noexcept {
    if (depth_++ == 0) ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_);
  }
  ~CancellationHeldOff() {
    int ignored;
    if (--depth_ == 0) ::pthread_setcancelstate(before_, &ignored);
  }
  CancellationHeldOff(const CancellationHeldOff&) = delete;
  CancellationHeldOff& operator=(const CancellationHeldOff&) = delete;

 private:
  static inline thread_local int depth_ = 0;  // the objects that live in this thread
  int before_ = PTHREAD_CANCEL_ENABLE;
};

// Holds off cancellations that come from other threads. In a process with one thread an object of
// this class does nothing and costs nothing. There, only the thread itself can have called
// pthread_cancel(), and it ends at the next cancellation point, inside the library's call. This
// class is enough where no byte is lost or doubled if the call never returns. It saves 20 ns, a
// twentieth of the time that reading 8 bytes at a random position of a cached file takes.
class OtherThreadsHeldOff {
 public:
  OtherThreadsHeldOff() noexcept {
    if (!has_one_thread()) held_off_.emplace();
  }

 private:
  std::optional<CancellationHeldOff> held_off_;
};

}  // namespace sluice::os
