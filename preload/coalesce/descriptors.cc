// Calls that open, write to, sync, copy or close a descriptor.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/uio.h>
#include <unistd.h>

#include "before.h"
#include "coalesce.h"
#include "hook.h"
#include "open_calls.h"
#include "real.h"

namespace sluice::preload {
namespace {

ssize_t failure(int error) {
  errno = error;
  return -1;
}

// True if the hook answers the call with `result`. The error of a held write is returned even when
// nothing is held any more.
bool is_held(int descriptor, const iovec* pieces, int count, ssize_t& result) {
  int failed = 0;
  if (!is_holding && failed_descriptors == 0) return false;
  if (!hold(descriptor, pieces, count, failed)) return false;
  if (failed != 0) {
    result = failure(failed);
    return true;
  }
  result = 0;
  for (int i = 0; i < count; ++i) result += static_cast<ssize_t>(pieces[i].iov_len);
  return true;
}

int note_opened(int descriptor) {
  if (descriptor >= 0) may_hold(descriptor);
  return descriptor;
}

}  // namespace

#define SLUICE_OPENED(CALL) \
  write_all_held();         \
  return note_opened(CALL)
SLUICE_OPEN_CALLS

SLUICE_HOOK ssize_t write(int descriptor, const void* data, size_t bytes) {
  const iovec piece{const_cast<void*>(data), bytes};
  ssize_t result = 0;
  if (is_held(descriptor, &piece, 1, result)) return result;
  write_all_held();
  return real().write(descriptor, data, bytes);
}

SLUICE_HOOK ssize_t writev(int descriptor, const struct iovec* pieces, int count) {
  ssize_t result = 0;
  if (is_held(descriptor, pieces, count, result)) return result;
  write_all_held();
  return real().writev(descriptor, pieces, count);
}

#define SLUICE_SYNC(NAME)                                                           \
  SLUICE_HOOK int NAME(int descriptor) {                                            \
    write_all_held();                                                               \
    const int error = take_held_error(descriptor);                                  \
    return error == 0 ? real().NAME(descriptor) : static_cast<int>(failure(error)); \
  }
SLUICE_SYNC(fsync)
SLUICE_SYNC(fdatasync)

SLUICE_HOOK int close(int descriptor) {
  write_all_held();
  const int error = stop_holding(descriptor);
  const int result = real().close(descriptor);
  return result == 0 && error != 0 ? static_cast<int>(failure(error)) : result;
}

// glibc exports these calls under second names.
#define SLUICE_SECOND_NAME(NAME) __attribute__((visibility("default"), alias(NAME)))
extern "C" {
ssize_t __write(int descriptor, const void* data, size_t bytes) SLUICE_SECOND_NAME("write");
int __open(const char* path, int flags, ...) SLUICE_SECOND_NAME("open");
int __open64(const char* path, int flags, ...) SLUICE_SECOND_NAME("open64");
int __close(int descriptor) SLUICE_SECOND_NAME("close");
}

// Writes through the copy, even by stdio, cannot be ordered with the held writes.
SLUICE_WORK(sluice_before_copy) {
  write_all_held();
  may_not_hold(arguments.number(0));
}
SLUICE_BEFORE(sluice_before_copy, "dup, fdopen");

SLUICE_WORK(sluice_before_copy_to) {
  write_all_held();
  if (arguments.number(0) == arguments.number(1)) return;
  may_not_hold(arguments.number(0));
  const auto closed = static_cast<unsigned>(arguments.number(1));
  forget_closed(closed, closed);
}
SLUICE_BEFORE(sluice_before_copy_to, "dup2, dup3");

// After these commands the file may be written through a further descriptor, or with other flags.
SLUICE_WORK(sluice_before_control) {
  const int command = arguments.number(1);
  write_all_held();
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC || command == F_SETFL) {
    may_not_hold(arguments.number(0));
  }
}
SLUICE_BEFORE(sluice_before_control, "fcntl, fcntl64");

SLUICE_WORK(sluice_before_close_range) {
  const auto flags = static_cast<unsigned>(arguments.value[2]);
  stop_holding_all();
  if ((flags & CLOSE_RANGE_CLOEXEC) != 0) return;
  forget_closed(static_cast<unsigned>(arguments.value[0]),
                static_cast<unsigned>(arguments.value[1]));
}
SLUICE_BEFORE(sluice_before_close_range, "close_range");

SLUICE_WORK(sluice_before_closefrom) {
  const int first = arguments.number(0);
  stop_holding_all();
  forget_closed(first < 0 ? 0 : static_cast<unsigned>(first), UINT_MAX);
}
SLUICE_BEFORE(sluice_before_closefrom, "closefrom");

}  // namespace sluice::preload
