#include "put/input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace sluice::put {
namespace {

constexpr timespec no_time{0, 0};

// True for all signals except two kinds: signals that do not end a process by themselves, and
// signals that cannot be caught. (sigaction refuses the numbers that the C library keeps for
// itself.)
bool ends_programs(int signal) {
  switch (signal) {
    case SIGKILL:
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGCONT:
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH: return false;
    default: return true;
  }
}
// The signal handler writes this, so its type must be safe in a handler.
volatile std::sig_atomic_t received_signal = 0;

void on_signal(int signal) { received_signal = signal; }

Status read_failure(int error) { return Status::failure(Operation::read, "standard input", error); }

}  // namespace

Input::Input(Signals held_back) {
  received_signal = 0;
  sigset_t held;
  sigemptyset(&held);
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (held_back == Signals::none) break;
    if (!ends_programs(signal)) continue;
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags =
        static_cast<int>(SA_RESETHAND);  // a fault of this process comes again, and ends it
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
    sigaddset(&held, signal);
  }
  sigprocmask(SIG_BLOCK, &held, &before_);
}

Input::~Input() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

int Input::signal() const { return received_signal; }

// ppoll unblocks the signals and waits in one step. When ppoll reports input, read() does not wait.
// read() is never called before ppoll, so no signal has to wait for input.
Status Input::read(MutableBytesView into, std::size_t& got) {
  got = 0;
  for (;;) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = ::ppoll(&input, 1, nullptr, &before_);
    if (received_signal != 0) return {};
    if (ready < 0) {
      if (errno == EINTR) continue;
      return read_failure(errno);
    }
    const ssize_t bytes = ::read(STDIN_FILENO, into.data(), into.size());
    if (bytes >= 0) {
      got = static_cast<std::size_t>(bytes);
      if (got == 0) ::ppoll(nullptr, 0, &no_time, &before_);  // delivers the signals that came
      return {};
    }
    if (errno != EINTR && errno != EAGAIN) return read_failure(errno);
  }
}

Status check_input(const std::string& file, bool may_be_the_file) {
  struct stat input;
  if (::fstat(STDIN_FILENO, &input) != 0) return read_failure(errno);
  const int flags = ::fcntl(STDIN_FILENO, F_GETFL);
  const bool is_readable = (flags & O_PATH) == 0 && (flags & O_ACCMODE) != O_WRONLY;
  if (!is_readable) return read_failure(EBADF);
  if (S_ISDIR(input.st_mode)) return read_failure(EISDIR);
  struct stat old;
  if (may_be_the_file || !S_ISREG(input.st_mode) || ::stat(file.c_str(), &old) != 0) return {};
  if (old.st_dev != input.st_dev || old.st_ino != input.st_ino) return {};
  return Status::failure(Operation::open, file, EINVAL, std::nullopt,
                         "the file is also standard input, and would be emptied before it is "
                         "read: use --atomic");
}

void ignore_file_size_signal() { ::signal(SIGXFSZ, SIG_IGN); }

int end_by(int signal) {
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  return 128 + signal;  // only if the signal is blocked
}

}  // namespace sluice::put
