#include "bench/measure.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <stdexcept>
#include <string_view>

#include "bench/interrupt.h"
#include "bench/stored_bytes.h"

namespace sluice::bench {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return descriptor_; }
  void reset() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

 private:
  int descriptor_;
};

// ---- in the child: counters ----

// The number that follows `label` in the text of a file in /proc.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view label) {
  const std::size_t found = text.find(label);
  if (found == std::string_view::npos) return std::nullopt;
  const std::size_t digits = text.find_first_of("0123456789", found + label.size());
  if (digits == std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), number);
  return number;
}

// Counts calls of the read and write family. The counter opens its file once, so that between two
// readings it makes no call except the reading itself.
class CallCounter {
 public:
  std::optional<std::uint64_t> read() const {
    std::array<char, 1024> text;
    const ssize_t got = ::pread(file_.get(), text.data(), text.size(), 0);
    if (got <= 0) return std::nullopt;
    const std::string_view view(text.data(), static_cast<std::size_t>(got));
    const auto reads = number_after(view, "syscr:");
    const auto writes = number_after(view, "syscw:");
    if (!reads || !writes) return std::nullopt;
    return *reads + *writes;
  }

  // Calls between two readings. The kernel counts the first reading only after it has given the
  // result, so one call is subtracted.
  static std::optional<std::uint64_t> between(std::optional<std::uint64_t> first,
                                              std::optional<std::uint64_t> second) {
    if (!first || !second) return std::nullopt;
    return *second - *first - 1;
  }

 private:
  Descriptor file_{::open("/proc/self/io", O_RDONLY | O_CLOEXEC)};
};

// Resets the peak memory to the memory in use now.
void reset_peak_memory() {
  const Descriptor file(::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC));
  // Without permission to reset the peak, the peak of the whole life of the child counts. It is
  // then too high, never too low.
  [[maybe_unused]] const ssize_t written = ::write(file.get(), "5", 1);
}

std::uint64_t peak_memory_bytes() {
  const Descriptor file(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  std::array<char, 8192> text;
  const ssize_t got = ::read(file.get(), text.data(), text.size());
  if (got <= 0) return 0;
  const std::string_view view(text.data(), static_cast<std::size_t>(got));
  return number_after(view, "VmHWM:").value_or(0) * 1024;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double now_s(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

rusage usage_of_process() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage;
}

Measurement measure_strategy(const Strategy& strategy) {
  const CallCounter counter;
  reset_peak_memory();
  const auto calls_before = counter.read();
  const rusage before = usage_of_process();
  const double thread_before_s = now_s(CLOCK_THREAD_CPUTIME_ID);
  const double start_s = now_s(CLOCK_MONOTONIC);

  strategy.run();

  Measurement result;
  result.wall_s = now_s(CLOCK_MONOTONIC) - start_s;
  const double thread_s = now_s(CLOCK_THREAD_CPUTIME_ID) - thread_before_s;
  const rusage after = usage_of_process();
  result.syscalls = CallCounter::between(calls_before, counter.read());
  result.peak_rss_bytes = peak_memory_bytes();
  result.user_s = seconds_of(after.ru_utime) - seconds_of(before.ru_utime);
  result.sys_s = seconds_of(after.ru_stime) - seconds_of(before.ru_stime);
  result.latency = take_noted_latency();
  result.sleep_s = std::max(0.0, result.wall_s - thread_s);
  result.page_faults = static_cast<std::uint64_t>(after.ru_minflt - before.ru_minflt +
                                                  after.ru_majflt - before.ru_majflt);
  result.voluntary_switches = static_cast<std::uint64_t>(after.ru_nvcsw - before.ru_nvcsw);
  result.involuntary_switches = static_cast<std::uint64_t>(after.ru_nivcsw - before.ru_nivcsw);
  return result;
}

// ---- between child and parent: one Report, then the text of the error ----

struct Report {
  Measurement measurement;
  bool verified = false;
  std::size_t error_bytes = 0;
};

void send(int pipe, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes != 0) {
    const ssize_t written = ::write(pipe, next, bytes);
    if (written < 0) {
      if (errno == EINTR) continue;
      return;  // the parent has ended, so nobody reads the report
    }
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

// Ends the process without the parent's destructors, exit handlers and buffered output.
[[noreturn]] void run_in_child(const Strategy& strategy, int pipe) {
  Report report;
  std::string error;
  try {
    if (strategy.prepare) strategy.prepare();
    report.measurement = measure_strategy(strategy);
    strategy.verify();
    report.measurement.stored_bytes = take_noted_stored_bytes();
    report.verified = true;
  } catch (const std::exception& exception) {
    error = exception.what();
  } catch (...) {
  }
  if (!report.verified && error.empty()) error = "the run failed without saying why";
  report.error_bytes = error.size();
  send(pipe, &report, sizeof(report));
  send(pipe, error.data(), error.size());
  ::_exit(0);
}

// Returns up to `bytes` bytes, and fewer if the child ends before.
std::string receive(int pipe, std::size_t bytes) {
  std::string received(bytes, '\0');
  std::size_t filled = 0;
  while (filled != bytes) {
    const ssize_t got = ::read(pipe, received.data() + filled, bytes - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  received.resize(filled);
  return received;
}

// Waits for the child, and kills the processes that the strategy has left behind. It kills them
// before it reaps the child, because until then no other process group can have the child's number.
int end_of(pid_t child) {
  siginfo_t info{};
  const auto id = static_cast<id_t>(child);
  while (::waitid(P_PID, id, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  ::kill(-child, SIGKILL);
  forget_child();
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

std::string how_it_died(int wait_status) {
  if (!WIFSIGNALED(wait_status)) {
    return fmt::format("the run ended its process with exit code {}", WEXITSTATUS(wait_status));
  }
  const int signal = WTERMSIG(wait_status);
  const char* const name = ::sigabbrev_np(signal);
  return fmt::format("the run was killed by SIG{} ({})", name == nullptr ? "?" : name,
                     ::strsignal(signal));
}

}  // namespace

Outcome measure(const Strategy& strategy) {
  std::fflush(nullptr);  // otherwise the child might write the parent's buffered output again
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error(fmt::format("make a pipe: {}", std::strerror(errno)));
  }
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const pid_t child = fork_watched();
  if (child < 0) {
    if (interrupted_by() != 0) return {};
    throw std::runtime_error(fmt::format("start a process: {}", std::strerror(errno)));
  }
  if (child == 0) run_in_child(strategy, writing.get());
  writing.reset();
  const std::string received = receive(reading.get(), sizeof(Report));
  Report report;
  std::string error;
  const bool complete = received.size() == sizeof(report);
  if (complete) {
    std::memcpy(&report, received.data(), sizeof(report));
    error = receive(reading.get(), report.error_bytes);
  }
  const int status = end_of(child);
  if (interrupted_by() != 0) return {};
  if (!complete) return {std::nullopt, how_it_died(status)};
  if (!report.verified) return {std::nullopt, error};
  return {report.measurement, ""};
}

}  // namespace sluice::bench
