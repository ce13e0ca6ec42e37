#include "launch/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <tuple>

#include "command_line/output.h"
#include "launch/program_file.h"
#include "launch/signals.h"
#include "preload/options.h"

namespace sluice {
namespace {

constexpr std::string_view preload_variable = "LD_PRELOAD=";

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// The child sends the reason why exec failed through this pipe. The pipe closes when exec succeeds.
class ExecResult {
 public:
  ExecResult() {
    if (::pipe2(ends_, O_CLOEXEC) == 0) return;
    throw std::runtime_error(fmt::format(
        "the program cannot be started, because this command needs descriptors for itself: {}{}",
        std::strerror(errno), errno == EMFILE ? ": raise the limit, ulimit -n 64" : ""));
  }
  ~ExecResult() {
    ::close(ends_[0]);
    if (ends_[1] >= 0) ::close(ends_[1]);
  }
  ExecResult(const ExecResult&) = delete;
  ExecResult& operator=(const ExecResult&) = delete;

  void tell(int error) const { std::ignore = ::write(ends_[1], &error, sizeof error); }

  // The parent calls this once.
  int error() {
    ::close(ends_[1]);
    ends_[1] = -1;
    int error = 0;
    ssize_t got = 0;
    do {
      got = ::read(ends_[0], &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    return got == sizeof error ? error : 0;
  }

 private:
  int ends_[2] = {-1, -1};
};

// The ended process stays a zombie.
bool has_ended(pid_t process) {
  siginfo_t ended{};
  constexpr int options = WEXITED | WNOHANG | WNOWAIT;
  while (::waitid(P_PID, static_cast<id_t>(process), &ended, options) != 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "wait");
  }
  return ended.si_pid == process;
}

int wait_status_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "wait");
  }
  return status;
}

// The folder of the preloaded objects and of the other executables. Its path relative to the
// command is the same in the build folder and after an installation. If this program is one of
// those executables, the folder is its own.
std::filesystem::path folder_of_parts() {
  const auto own = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto parts = (own / SLUICE_PARTS_FOLDER).lexically_normal();
  const bool is_own = own.filename() == parts.filename() &&
                      own.parent_path().filename() == parts.parent_path().filename();
  return is_own ? own : parts;
}

std::string path_of_part(const std::string& name) {
  const auto part = folder_of_parts() / name;
  if (!std::filesystem::exists(part)) {
    throw std::runtime_error(
        fmt::format("{}: this part of sluice is missing: install sluice again", part.string()));
  }
  return part.string();
}

}  // namespace

std::string path_of_object(const std::string& name) { return path_of_part(name); }

void become_part(const std::string& name, const std::vector<std::string>& words) {
  const std::string path = path_of_part(name);
  ::execve(path.c_str(), pointers_to(words).data(), environ);
  throw std::runtime_error(fmt::format("{}: {}; it is a part of this command: install sluice again",
                                       path, std::strerror(errno)));
}

bool part_starts(const std::string& name) {
  const std::string path = path_of_part(name);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const std::vector<std::string> words = {path, "--version"};
  const int failed =
      ::posix_spawn(&process, path.c_str(), &actions, nullptr, pointers_to(words).data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  return failed == 0 && wait_status_of(process) == 0;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  return environment;
}

std::vector<std::string> environment_with(const ObjectPath& object, const std::string& options) {
  const std::string& path = object.path();
  std::vector<std::string> environment = own_environment();
  bool found = false;
  for (std::string& entry : environment) {
    if (!entry.starts_with(preload_variable)) continue;
    entry += ":" + path;  // even behind an empty list, which the program then finds again
    found = true;
  }
  if (!found) environment.push_back(std::string(preload_variable) + path);
  environment.push_back(fmt::format("{}={}", preload::options_variable, options));
  return environment;
}

namespace {

// Tells a script from a program that the kernel cannot execute. The rule is that of shells: a
// script has no NUL byte in its first line.
bool is_text(const std::string& path) {
  constexpr std::size_t looked_at_bytes = 80;
  char start[looked_at_bytes];
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  const ssize_t got = ::read(file, start, sizeof start);
  ::close(file);
  const std::string_view text(start, got > 0 ? static_cast<std::size_t>(got) : 0);
  return text.substr(0, text.find('\n')).find('\0') == std::string_view::npos;
}

}  // namespace

int become(const std::string& path, const std::vector<std::string>& words,
           const std::vector<std::string>& environment) {
  ::execve(path.c_str(), pointers_to(words).data(), pointers_to(environment).data());
  if (errno != ENOEXEC || !is_text(path)) return errno;
  std::vector<std::string> script = {"sh", path};
  script.insert(script.end(), words.begin() + 1, words.end());
  ::execve("/bin/sh", pointers_to(script).data(), pointers_to(environment).data());
  return errno;
}

namespace {

double processor_seconds_of_children() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// If this command is killed by SIGKILL, the program is killed too, as if it had been started
// without the command.
void die_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::raise(SIGKILL);  // the command has been killed already
}

class Stopwatch {
 public:
  double wall_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double processor_s() const { return processor_seconds_of_children() - processor_s_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  double processor_s_ = processor_seconds_of_children();
};

Ended not_ended(pid_t process, const Stopwatch& watch) {
  return {.wall_s = watch.wall_s(), .processor_s = watch.processor_s(), .running = process};
}

// Returns when the program has ended, or is to be left to itself.
void wait_for(pid_t process, const Waiting& waiting, const Stopwatch& watch,
              const HeldSignals& signals) {
  constexpr double long_time_s = 3600;
  while (!has_ended(process)) {
    const double left_s =
        waiting.leave_after_s.value_or(watch.wall_s() + long_time_s) - watch.wall_s();
    if (left_s <= 0) return;
    if (signals.await(std::min(left_s, long_time_s)) == HeldSignals::request) {
      waiting.at_request(not_ended(process, watch));
    }
  }
}

Ended end_of(pid_t process, const Stopwatch& watch) {
  if (!has_ended(process)) return not_ended(process, watch);
  Ended ended{.wait_status = 0, .io = io_counts_of(process)};
  ended.wait_status = wait_status_of(process);
  ended.wall_s = watch.wall_s();
  ended.processor_s = watch.processor_s();
  return ended;
}

}  // namespace

Ended start_and_wait(const std::string& path, const std::vector<std::string>& words,
                     const std::vector<std::string>& environment, const Waiting& waiting) {
  const Stopwatch watch;
  ExecResult result;
  const HeldSignals held(waiting.at_request != nullptr);
  const WaitingSignals signals;  // a signal that comes now waits for the program
  const pid_t self = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) {
    if (!waiting.leave_after_s) die_with(self);
    signals.restore();
    held.release();
    result.tell(become(path, words, environment));
    std::_Exit(EXIT_FAILURE);
  }
  if (process < 0) throw std::system_error(errno, std::generic_category(), "fork");
  pass_signals_to(process);
  held.release_all_but_awaited();
  wait_for(process, waiting, watch, held);
  pass_signals_to(0);  // its number may belong to another process once it is waited for
  const Ended ended = end_of(process, watch);
  if (const int error = result.error(); error != 0) throw ProgramError(path, error);
  return ended;
}

namespace {

// Shells give a command that a signal has ended the exit code 128 + the signal's number.
constexpr int signal_exit_base = 128;

void unblock(int signal) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, signal);
  ::sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace

bool write_items(std::string_view who, const std::vector<ReportItem>& items) {
  // The files are written even if no process reads standard error any more.
  std::signal(SIGPIPE, SIG_IGN);
  bool complete = true;
  for (const ReportItem& write : items) {
    try {
      write();
    } catch (const std::exception& error) {
      complain(who, error.what());
      complete = false;
    }
  }
  return complete;
}

int report_and_end(std::string_view who, int wait_status, const std::vector<ReportItem>& report) {
  const bool is_complete = write_items(who, report);
  if (!is_complete && wait_status == 0) return EXIT_FAILURE;
  return end_like(wait_status);
}

int end_like(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    const rlimit no_core{0, 0};  // the program has written its own core file
    ::setrlimit(RLIMIT_CORE, &no_core);
    std::signal(signal, SIG_DFL);
    unblock(signal);  // this command inherits the signals that its caller has blocked
    ::raise(signal);
    return signal_exit_base + signal;
  }
  return WEXITSTATUS(wait_status);
}

}  // namespace sluice
