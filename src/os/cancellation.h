// CancellationHeldOff: for as long as one lives, pthread_cancel() does not end this thread. It waits
// until the thread comes to a cancellation point after that.
//
// A thread that ended in the middle of a call would leave bytes that were sent and count as pending,
// or a round of commits that nobody ends.
#pragma once

#include <pthread.h>

namespace sluice::os {

class CancellationHeldOff {
 public:
  CancellationHeldOff() noexcept { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~CancellationHeldOff() {
    int ignored;
    ::pthread_setcancelstate(before_, &ignored);
  }
  CancellationHeldOff(const CancellationHeldOff&) = delete;
  CancellationHeldOff& operator=(const CancellationHeldOff&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace sluice::os
