// Ctrl-C, SIGTERM and SIGHUP end the measured child. The parent then ends in good order.
#pragma once

#include <sys/types.h>

#include <array>
#include <csignal>

namespace sluice::bench {

// While an InterruptWatch exists, an interrupting signal does not end this process, but is
// remembered. The whole process group of the child that fork_watched() has made gets
// `to_child`, and SIGKILL after a second interrupting signal.
// Threads: one object at a time, in a process with one thread.
class InterruptWatch {
 public:
  explicit InterruptWatch(int to_child = SIGKILL);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};

 private:
  std::array<struct sigaction, signals.size()> previous_{};
};

// Returns the signal that asked the process to end during the present InterruptWatch, or 0.
int interrupted_by() noexcept;

// Calls fork() so that a signal reaches the child at any moment. Returns -1 with errno EINTR if an
// interrupting signal has come already. The child leads a process group of its own, has the default
// effect of the signals again, and dies with its parent. The parent calls forget_child() after it
// has waited for the child.
pid_t fork_watched();
void forget_child() noexcept;

}  // namespace sluice::bench
