#include "run.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace sluice::crash {
namespace {

// EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN: the file system stops. Neither it nor its log writes
// anything more.
constexpr unsigned long shut_down = _IOR('X', 125, std::uint32_t);
constexpr std::uint32_t without_log_flush = 2;

void say(const std::string& line) {
  if (::write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    std::perror("crash_workload: standard output");
    std::_Exit(2);
  }
}

}  // namespace

long ForgetfulSystemCalls::open(const char* path, int flags, unsigned permissions) {
  const int kept = without_ == Without::write_through ? flags & ~O_DSYNC : flags;
  return FaultySystemCalls::open(path, kept, permissions);
}

long ForgetfulSystemCalls::fdatasync(int descriptor) {
  return without_ == Without::file_sync ? 0 : FaultySystemCalls::fdatasync(descriptor);
}

long ForgetfulSystemCalls::fsync(int descriptor) {
  struct stat facts {};
  const bool is_directory = ::fstat(descriptor, &facts) == 0 && S_ISDIR(facts.st_mode);
  const Without this_one = is_directory ? Without::directory_sync : Without::file_sync;
  return without_ == this_one ? 0 : FaultySystemCalls::fsync(descriptor);
}

Run::Run(const RunOptions& options)
    : options_(options),
      directory_(::open(options.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
      random_(options.seed),
      calls_(options.without),
      in_place_(calls_) {}

void Run::begin() {
  if (options_.end != End::none && options_.moment == Moment::call) {
    calls_.act_before(options_.nth, [this] { end(); });
  }
  say("begin\n");
}

void Run::acknowledge(std::uint64_t value, std::uint64_t detail) {
  if (ending_) wait_for_the_end();
  say(std::to_string(value) + " " + std::to_string(detail) + "\n");
  const bool is_last =
      ++acknowledged_ == options_.nth && options_.moment == Moment::acknowledgement;
  if (is_last && options_.end != End::none) end();
}

void Run::expect_ok(const Status& status) {
  if (status.ok()) return;
  if (ending_) wait_for_the_end();
  std::fprintf(stderr, "crash_workload: %s\n", status.message().c_str());
  std::_Exit(exit_code_of_a_failure);
}

void Run::rename(const std::string& from, const std::string& to) {
  if (std::rename(file(from).c_str(), file(to).c_str()) == 0) return;
  expect_ok(Status::failure(Operation::replace, file(to), errno));
}

// Another thread is at it.
void Run::wait_for_the_end() {
  for (;;) ::pause();
}

void Run::end() {
  if (ending_.exchange(true)) wait_for_the_end();
  if (options_.end == End::kill) {
    ::raise(SIGKILL);
  } else if (::ioctl(directory_, shut_down, &without_log_flush) != 0) {
    std::perror("crash_workload: shutdown");
    std::_Exit(2);
  }
  std::_Exit(0);
}

}  // namespace sluice::crash
