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

// In one call, whole.
void write_to(int descriptor, const std::string& text, const char* name) {
  if (::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size())) return;
  std::perror(name);
  std::_Exit(2);
}

void say(const std::string& line) {
  write_to(STDOUT_FILENO, line, "crash_workload: standard output");
}

int open_orders(const std::string& path) {
  return path.empty() ? -1 : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
}

}  // namespace

long ForgetfulSystemCalls::open(const char* path, int flags, unsigned permissions) {
  const int kept = without_ == Without::write_through ? flags & ~O_DSYNC : flags;
  return FaultySystemCalls::open(path, kept, permissions);
}

long ForgetfulSystemCalls::writev(int descriptor, const iovec* pieces, int count) {
  return send_early(descriptor, FaultySystemCalls::writev(descriptor, pieces, count));
}

long ForgetfulSystemCalls::pwritev(int descriptor, const iovec* pieces, int count,
                                   std::uint64_t position) {
  return send_early(descriptor, FaultySystemCalls::pwritev(descriptor, pieces, count, position));
}

// Then the disk has the bytes, and no flush has come. The kernel reports a failure once for each
// open file. So another file waits here, and the library's own sync still gets the report.
long ForgetfulSystemCalls::send_early(int descriptor, long result) {
  constexpr unsigned and_wait =
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  if (early_every_ == 0 || ++writes_ % early_every_ != 0) return result;
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  const int another = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  static_cast<void>(::sync_file_range(another, 0, 0, and_wait));
  ::close(another);
  return result;
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
      disk_(open_orders(options.disk)),
      random_(options.seed),
      calls_(options.without, options.early_every),
      in_place_(calls_) {}

void Run::begin() {
  if (options_.end != End::none && options_.moment == Moment::call) {
    calls_.act_before(options_.nth, [this] { end(); });
  }
  if (options_.moment == Moment::write) order("cut write " + std::to_string(options_.nth));
  if (options_.moment == Moment::flush) order("cut flush " + std::to_string(options_.nth));
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

void Run::order(const std::string& text) const { write_to(disk_, text, "crash_workload: orders"); }

// Another thread is already ending the run.
void Run::wait_for_the_end() {
  for (;;) ::pause();
}

void Run::end() {
  if (ending_.exchange(true)) wait_for_the_end();
  if (options_.end == End::kill) {
    ::raise(SIGKILL);
  } else if (disk_ >= 0) {
    order("cut");
  } else if (::ioctl(directory_, shut_down, &without_log_flush) != 0) {
    std::perror("crash_workload: shutdown");
    std::_Exit(2);
  }
  std::_Exit(0);
}

}  // namespace sluice::crash
