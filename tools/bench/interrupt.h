// Ctrl-C, SIGTERM and SIGHUP: the child under measurement is killed, the rest ends in good order.
#pragma once

#include <sys/types.h>

#include <array>
#include <csignal>

namespace sluice::bench {

// While one exists, an interrupting signal is remembered instead of ending the process, and the
// child made by fork_watched() is killed with its whole process group.
// Threads: one object at a time, in a process with one thread.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};

 private:
  std::array<struct sigaction, signals.size()> previous_{};
};

// The signal that asked for the end while there is a watch, or 0.
int interrupted_by() noexcept;

// fork(), such that a signal at any moment reaches the child; -1 with errno EINTR when one has
// already come. The child leads a process group of its own, has the default effect of the signals
// again, and dies with its parent. The parent calls forget_child() once it has waited for the
// child.
pid_t fork_watched();
void forget_child() noexcept;

}  // namespace sluice::bench
