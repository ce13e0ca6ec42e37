// Calls that open, write to, sync, copy or close a descriptor.
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "coalesce.h"
#include "counters.h"
#include "events.h"
#include "hook.h"
#include "real.h"

namespace sluice::preload {
namespace {

long failure(int error) {
  errno = error;
  return -1;
}

// Holds the pieces, or makes the call. The error of a held write is returned even when nothing is
// held any more. This is a function of its own, so that write() saves fewer registers.
template <typename Call>
[[gnu::noinline]] long hold_or_call(int descriptor, const iovec* pieces, int count, Call call) {
  if (is_holding && static_cast<unsigned>(descriptor) <= 2) ++counters.standard_writes;
  const long held = hold(descriptor, pieces, count);
  if (held > 0) return held;
  if (held < 0) return failure(static_cast<int>(-held));
  write_all_held();
  return call();
}

}  // namespace

SLUICE_WORK(long, sluice_open) {
  write_all_held();
  const auto descriptor = static_cast<int>(arguments.call());
  if (descriptor >= 0) may_hold(descriptor);
  return descriptor;
}
SLUICE_AROUND(sluice_open,
              "open, open64, __open, __open64, openat, openat64, __open_2, __open64_2, __openat_2,"
              "__openat64_2, creat, creat64");

SLUICE_HOOK ssize_t write(int descriptor, const void* data, size_t bytes) {
  if (hold_behind_others(descriptor, data, bytes)) return static_cast<ssize_t>(bytes);
  const iovec piece{const_cast<void*>(data), bytes};
  return hold_or_call(descriptor, &piece, 1, [=] { return real().write(descriptor, data, bytes); });
}
SLUICE_HOOK __attribute__((alias("write"))) ssize_t __write(int descriptor, const void* data,
                                                            size_t bytes);

SLUICE_WORK(long, sluice_writev) {
  return hold_or_call(arguments.number(0), arguments.address<const iovec>(1), arguments.number(2),
                      [&] { return arguments.call(); });
}
SLUICE_AROUND(sluice_writev, "writev");

SLUICE_WORK(long, sluice_sync) {
  write_all_held();
  const int error = take_held_error(arguments.number(0));
  return error == 0 ? arguments.call() : failure(error);
}
SLUICE_AROUND(sluice_sync, "fsync, fdatasync");

SLUICE_WORK(long, sluice_close) {
  write_all_held();
  const int error = stop_holding(arguments.number(0));
  const auto result = static_cast<int>(arguments.call());
  return result == 0 && error != 0 ? failure(error) : result;
}
SLUICE_AROUND(sluice_close, "close, __close");

// Writes through the copy, even by stdio, cannot be ordered with the held writes.
SLUICE_WORK(void, sluice_copy) {
  write_all_held();
  may_not_hold(arguments.number(0));
}
SLUICE_BEFORE(sluice_copy, "dup, fdopen");

SLUICE_WORK(void, sluice_copy_to) {
  write_all_held();
  if (arguments.number(0) == arguments.number(1)) return;
  may_not_hold(arguments.number(0));
  const auto closed = static_cast<unsigned>(arguments.number(1));
  before_closing(closed, closed);
}
SLUICE_BEFORE(sluice_copy_to, "dup2, dup3");

// After these commands the file may be written through a further descriptor, or with other flags.
SLUICE_WORK(void, sluice_control) {
  const int command = arguments.number(1);
  write_all_held();
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) may_not_hold(arguments.number(0));
  if (command == F_SETFL) may_not_hold(arguments.number(0), NotHeld::flags);
}
SLUICE_BEFORE(sluice_control, "fcntl, fcntl64");

}  // namespace sluice::preload
