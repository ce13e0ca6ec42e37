// The first thread that a program starts, and the first signal handler, end all holding back: from
// then on somebody may look, or write, between any two instructions.
#include <pthread.h>
#include <signal.h>
#include <threads.h>

#include "held.h"
#include "hook.h"
#include "real.h"

namespace sluice::preload {
namespace {

void not_alone_any_more() {
  give_up_larger_buffers();
  give_up_holding();
}

bool is_handler(sighandler_t handler) {
  return handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR;
}

}  // namespace

SLUICE_HOOK int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                               void* (*run)(void*), void* argument) noexcept {
  SLUICE_REAL(pthread_create)
  not_alone_any_more();
  return real_function(thread, attributes, run, argument);
}

SLUICE_HOOK int thrd_create(thrd_t* thread, thrd_start_t run, void* argument) {
  SLUICE_REAL(thrd_create)
  not_alone_any_more();
  return real_function(thread, run, argument);
}

SLUICE_HOOK int sigaction(int number, const struct sigaction* action,
                          struct sigaction* before) noexcept {
  static int (*real_function)(int, const struct sigaction*, struct sigaction*) = nullptr;
  if (real_function == nullptr) {
    real_function = reinterpret_cast<decltype(real_function)>(find_real_function("sigaction"));
  }
  if (action != nullptr && is_handler(action->sa_handler)) not_alone_any_more();
  return real_function(number, action, before);
}

#define SLUICE_SIGNAL(NAME)                                                                 \
  SLUICE_HOOK sighandler_t NAME(int number, sighandler_t handler) noexcept {                \
    static sighandler_t (*real_function)(int, sighandler_t) = nullptr;                      \
    if (real_function == nullptr) {                                                         \
      real_function = reinterpret_cast<decltype(real_function)>(find_real_function(#NAME)); \
    }                                                                                       \
    if (is_handler(handler)) not_alone_any_more();                                          \
    return real_function(number, handler);                                                  \
  }
SLUICE_SIGNAL(signal)
SLUICE_SIGNAL(ssignal)
SLUICE_SIGNAL(sigset)
SLUICE_SIGNAL(__sysv_signal)

}  // namespace sluice::preload
