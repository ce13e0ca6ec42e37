#include "bench/experiments/console/console_pipes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "bench/data.h"
#include "bench/experiments/input/raw_read.h"

namespace sluice::bench {
namespace {

constexpr std::size_t pipe_bytes = 64 * 1024;  // the capacity of a pipe on Linux

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("create", "a pipe");
  return {ends[0], ends[1]};
}

// Runs `body` in a process of its own, which ends when `body` does. The call returns only in the
// parent.
template <typename Body>
pid_t start_process(Body body) {
  const pid_t process = ::fork();
  if (process < 0) fail("start", "a process");
  if (process > 0) return process;
  ::signal(SIGPIPE, SIG_DFL);  // so that this process ends if a failed row leaves a broken pipe
  try {
    body();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    ::_exit(1);
  }
  ::_exit(0);
}

void write_fully(int descriptor, const void* data, std::size_t bytes) {
  const char* begin = static_cast<const char*>(data);
  while (bytes != 0) {
    const ssize_t written = ::write(descriptor, begin, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", "a pipe");
    begin += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

std::size_t read_fully(int descriptor, void* into, std::size_t bytes) {
  std::size_t filled = 0;
  while (filled < bytes) {
    const ssize_t got = ::read(descriptor, static_cast<char*>(into) + filled, bytes - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", "a pipe");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

// Uses freopen, not only dup2. If the stream was used with a terminal before, it would otherwise
// keep the terminal's small line buffer.
void replace_stream(std::FILE* stream, int standard_descriptor, int descriptor, const char* mode) {
  const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
  if (std::freopen(path.c_str(), mode, stream) == nullptr) fail("open", path);
  if (::fileno(stream) != standard_descriptor) {
    throw std::runtime_error("open a standard stream: it was closed when the program started");
  }
  ::close(descriptor);
}

void wait_for_input() {
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  while (::poll(&input, 1, -1) < 0) {
    if (errno != EINTR) fail("poll", "standard input");
  }
}

StandardOutputDrain::Received drain(int descriptor) {
  std::vector<char> block(pipe_bytes);
  Hasher hasher;
  StandardOutputDrain::Received received;
  while (const std::size_t got = read_fully(descriptor, block.data(), block.size())) {
    hasher.update(block.data(), got);
    received.bytes += got;
  }
  received.hash = hasher.digest();
  return received;
}

}  // namespace

void feed_standard_input(const std::string& path) {
  const Pipe pipe = make_pipe();
  start_process([&] {
    ::close(pipe.read_end);
    const RawFile file(path);
    std::vector<char> block(pipe_bytes);
    while (const std::size_t got = file.read(block.data(), block.size())) {
      write_fully(pipe.write_end, block.data(), got);
    }
  });
  ::close(pipe.write_end);
  replace_stream(stdin, STDIN_FILENO, pipe.read_end, "r");
  wait_for_input();
}

StandardOutputDrain::StandardOutputDrain() {
  const Pipe output = make_pipe();
  const Pipe reports = make_pipe();
  process_ = start_process([&] {
    ::close(STDIN_FILENO);  // otherwise the feeder of a failed row gets no broken pipe
    ::close(output.write_end);
    ::close(reports.read_end);
    write_fully(reports.write_end, "r", 1);
    const Received received = drain(output.read_end);
    write_fully(reports.write_end, &received, sizeof received);
  });
  ::close(output.read_end);
  ::close(reports.write_end);
  reports_ = reports.read_end;
  char ready;
  if (read_fully(reports_, &ready, 1) != 1) throw std::runtime_error("no process reads the output");
  replace_stream(stdout, STDOUT_FILENO, output.write_end, "w");
}

StandardOutputDrain::~StandardOutputDrain() { ::close(reports_); }

StandardOutputDrain::Received StandardOutputDrain::finish() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0 || ::dup2(nowhere, STDOUT_FILENO) < 0) fail("open", "/dev/null");
  ::close(nowhere);
  Received received;
  if (read_fully(reports_, &received, sizeof received) != sizeof received) {
    throw std::runtime_error("the process reading the output ended early");
  }
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  return received;
}

}  // namespace sluice::bench
