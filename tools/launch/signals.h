// The signals of a command that waits for a program.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <utility>
#include <vector>

namespace sluice {

// From now on, signals that are sent to this process are passed on to `process`. If `process` is 0,
// they are not passed on.
void pass_signals_to(pid_t process);

// The signals whose handling changes while the command waits for the program. The program inherits
// their old handling. (posix_spawn would leave glibc's internal signals ignored.)
class WaitingSignals {
 public:
  WaitingSignals();
  void restore() const;

 private:
  void leave_ended_children();
  void set(int signal, const struct sigaction& action);

  std::vector<std::pair<int, struct sigaction>> before_;
};

// To be called when the program has ended, before a long report. From a tenth of a second later on,
// SIGINT and SIGQUIT end this command and remove its temporary folders; so does SIGTERM, unless
// `is_rank`: mpirun sends SIGTERM to all ranks when one has failed, and the report comes then. A
// signal that comes sooner was meant for the program: timeout(1) sends one to each of the two.
void let_signals_end_the_report(bool is_rank);

// Holds signals back until the process to which they are passed on is known. SIGCHLD and, if
// requests are awaited, SIGUSR2 are held back until await() takes them.
class HeldSignals {
 public:
  static constexpr int request = SIGUSR2;

  explicit HeldSignals(bool awaits_requests);
  ~HeldSignals() { release(); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  void release() const;
  void release_all_but_awaited() const;

  // An awaited signal; something else if another signal has come, or the time is over.
  int await(double at_most_s) const;

 private:
  sigset_t before_{};
  sigset_t awaited_{};
};

}  // namespace sluice
