#include "launch/signals.h"

#include <cerrno>
#include <ctime>

#include "launch/temporary_folder.h"

namespace sluice {
namespace {

volatile std::sig_atomic_t receiver = 0;

void pass_on(int signal) {
  const int error = errno;
  if (receiver > 0) ::kill(static_cast<pid_t>(receiver), signal);
  errno = error;
}

// A terminal sends these signals to the program too, and this command ends when the program ends.
// So only a signal that another process has sent is passed on to the program.
constexpr int from_the_terminal[] = {SIGINT, SIGQUIT};
void pass_on_from_processes(int signal, siginfo_t* info, void*) {
  if (info->si_code <= 0) pass_on(signal);  // SI_USER, SI_QUEUE, SI_TKILL
}
// The kernel sends SIGALRM to this command if alarm() was called before the command began.
constexpr int passed_on[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO};

}  // namespace

void pass_signals_to(pid_t process) { receiver = process; }

WaitingSignals::WaitingSignals() {
  struct sigaction action {};
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  action.sa_sigaction = pass_on_from_processes;
  for (const int signal : from_the_terminal) set(signal, action);
  action.sa_flags = SA_RESTART;
  action.sa_handler = pass_on;
  for (const int signal : passed_on) set(signal, action);
  leave_ended_children();
}

// A handler of this command's own is none of the program.
void WaitingSignals::restore() const {
  for (const auto& [signal, action] : before_) {
    std::signal(signal, action.sa_handler == SIG_IGN ? SIG_IGN : SIG_DFL);
  }
}

// If SIGCHLD were ignored, the kernel would keep no status of an ended child for wait().
void WaitingSignals::leave_ended_children() {
  struct sigaction action {};
  ::sigaction(SIGCHLD, nullptr, &action);
  before_.emplace_back(SIGCHLD, action);
  action.sa_handler = SIG_DFL;
  action.sa_flags = 0;
  ::sigaction(SIGCHLD, &action, nullptr);
}

// A signal that is ignored already, as under nohup, stays ignored.
void WaitingSignals::set(int signal, const struct sigaction& action) {
  struct sigaction before {};
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  before_.emplace_back(signal, before);
  ::sigaction(signal, &action, nullptr);
}

namespace {

double now_s() {
  constexpr double ns = 1e9;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / ns;
}

double report_began_s = 0;

void end_the_report(int signal) {
  constexpr double for_the_program_s = 0.1;
  if (now_s() - report_began_s < for_the_program_s) return;
  TemporaryFolder::remove_all_and_end(signal);
}

}  // namespace

void let_signals_end_the_report(bool is_rank) {
  report_began_s = now_s();
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM}) {
    if (is_rank && signal == SIGTERM) continue;
    if (std::signal(signal, end_the_report) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

HeldSignals::HeldSignals(bool awaits_requests) {
  sigemptyset(&awaited_);
  sigaddset(&awaited_, SIGCHLD);
  if (awaits_requests) sigaddset(&awaited_, request);
  sigset_t held = awaited_;
  for (const int signal : from_the_terminal) sigaddset(&held, signal);
  for (const int signal : passed_on) sigaddset(&held, signal);
  ::sigprocmask(SIG_BLOCK, &held, &before_);
}

void HeldSignals::release() const { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

// In one step: an awaited signal that waits already must not get through.
void HeldSignals::release_all_but_awaited() const {
  sigset_t held;
  sigorset(&held, &before_, &awaited_);
  ::sigprocmask(SIG_SETMASK, &held, nullptr);
}

int HeldSignals::await(double at_most_s) const {
  constexpr double ns = 1e9;
  const auto whole_s = static_cast<std::time_t>(at_most_s);
  const double rest_s = at_most_s - static_cast<double>(whole_s);
  const timespec time{.tv_sec = whole_s, .tv_nsec = static_cast<long>(rest_s * ns)};
  return ::sigtimedwait(&awaited_, nullptr, &time);
}

}  // namespace sluice
