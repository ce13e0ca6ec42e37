#include "bench/interrupt.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace sluice::bench {
namespace {

// The signal handler writes this, so its type must be safe in a handler.
volatile std::sig_atomic_t received_signal = 0;
volatile std::sig_atomic_t signal_to_child = SIGKILL;
volatile pid_t watched_child = 0;

void on_signal(int signal) {
  const int to_child = received_signal == 0 ? signal_to_child : SIGKILL;
  received_signal = signal;
  if (watched_child > 0) ::kill(-watched_child, to_child);
}

// Blocks the interrupting signals, so that none arrives between fork() and storing the child's id.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : InterruptWatch::signals) sigaddset(&set, signal);
    sigprocmask(SIG_BLOCK, &set, &previous_);
  }
  ~SignalsBlocked() { sigprocmask(SIG_SETMASK, &previous_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t previous_{};
};

void become_watched_child(pid_t parent) {
  ::setpgid(0, 0);
  for (const int signal : InterruptWatch::signals) ::signal(signal, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent ended before the call of prctl
}

}  // namespace

InterruptWatch::InterruptWatch(int to_child) {
  signal_to_child = to_child;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &previous_[i]);
}

InterruptWatch::~InterruptWatch() {
  received_signal = 0;
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &previous_[i], nullptr);
}

int interrupted_by() noexcept { return received_signal; }

pid_t fork_watched() {
  const SignalsBlocked blocked;
  if (received_signal != 0) {
    errno = EINTR;
    return -1;
  }
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    become_watched_child(parent);
  } else if (child > 0) {
    ::setpgid(child, child);  // parent and child both call it, because either may run first
    watched_child = child;
  }
  return child;
}

void forget_child() noexcept { watched_child = 0; }

}  // namespace sluice::bench
