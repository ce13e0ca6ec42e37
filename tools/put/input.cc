#include "put/input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <system_error>

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

// The signal handler uses these, so their types must be safe in a handler.
volatile std::sig_atomic_t received_signal = 0;
volatile std::sig_atomic_t second_one_ends = 0;
volatile std::sig_atomic_t waking_end = -1;  // of the pipe that wakes the Input

void on_signal(int signal) {
  if (received_signal != 0 && second_one_ends != 0) {
    end_by(signal);  // takes effect when this handler returns
    return;
  }
  received_signal = signal;
  if (waking_end < 0) return;
  const int error = errno;
  static_cast<void>(!::write(waking_end, "", 1));
  errno = error;
}

// Gives each signal that ends programs a handler, and adds it to `handled`.
void set_handlers(sigset_t& handled) {
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (!ends_programs(signal)) continue;
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    // After a fault of this process the same signal comes again, and ends it.
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
    sigaddset(&handled, signal);
  }
}

Status read_failure(int error) { return Status::failure(Operation::read, "standard input", error); }

}  // namespace

Input::Input(Signals signals) {
  received_signal = 0;
  second_one_ends = signals == Signals::end_the_program_the_second_time ? 1 : 0;
  if (second_one_ends != 0) {
    if (::pipe2(wake_up_, O_CLOEXEC | O_NONBLOCK) != 0) {
      throw std::system_error(errno, std::generic_category(), "pipe2");
    }
    waking_end = wake_up_[1];
    ::signal(SIGPIPE, SIG_IGN);  // a store may end a connection at any moment
  }
  sigset_t held;
  sigemptyset(&held);
  if (signals != Signals::end_the_program) set_handlers(held);
  if (signals != Signals::are_held_back) sigemptyset(&held);
  sigprocmask(SIG_BLOCK, &held, &before_);
}

Input::~Input() {
  sigprocmask(SIG_SETMASK, &before_, nullptr);
  waking_end = -1;
  for (const int end : wake_up_) {
    if (end >= 0) ::close(end);
  }
}

int Input::signal() const { return received_signal; }

// ppoll unblocks the signals that are held back, and waits in one step. A signal that is not held
// back may come just before, and then the pipe has a byte. When ppoll reports input, read() does
// not wait. read() is never called before ppoll, so no signal has to wait for input.
Status Input::read(MutableBytesView into, std::size_t& got) {
  got = 0;
  for (;;) {
    pollfd awaited[] = {{STDIN_FILENO, POLLIN, 0}, {wake_up_[0], POLLIN, 0}};
    const int ready = ::ppoll(awaited, std::size(awaited), nullptr, &before_);
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
