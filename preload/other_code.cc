// Events after which other code may look at the program's files, or write to them, between any two
// instructions of the program: it installs its first signal handler, shares memory with another
// process, requests asynchronous input or output, or sets a timer. Then `coalesce/` ends all
// holding for good, and the report of `sluice trace` does not advise it.
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "counters.h"
#include "events.h"
#include "hook.h"
#include "real.h"

namespace sluice::preload {

#define SLUICE_OTHER_CODE(WHY, names)                                              \
  SLUICE_WORK(void, sluice_before_##WHY) { before_other_code(EndOfHolding::WHY); } \
  SLUICE_BEFORE(sluice_before_##WHY, names)

// From now on other code does input and output for the program.
SLUICE_OTHER_CODE(request,
                  "aio_read, aio_read64, aio_write, aio_write64, aio_fsync, aio_fsync64,"
                  "lio_listio, lio_listio64, getaddrinfo_a");

// A timer or a message may start a thread, or end the program.
SLUICE_OTHER_CODE(timer, "timer_create, mq_notify, alarm, ualarm, setitimer");

SLUICE_OTHER_CODE(memory, "shmat, sem_open");

// mprotect() can make shared memory writable later, unless it is the memory of a file that was
// opened for reading only.
bool shares_memory(int protection, int flags, int descriptor) {
  if ((flags & MAP_SHARED) == 0) return false;
  if ((protection & PROT_WRITE) != 0 || (flags & MAP_ANONYMOUS) != 0) return true;
  const long file_flags = real().syscall(SYS_fcntl, descriptor, F_GETFL);
  return file_flags >= 0 && (file_flags & O_ACCMODE) == O_RDWR;
}

// ---- signal handlers ----

namespace {

void look_at(sighandler_t handler) {
  if (handler == SIG_DFL || handler == SIG_IGN || handler == SIG_ERR) return;
  before_other_code(EndOfHolding::handler);
}

}  // namespace

SLUICE_WORK(void, sluice_sigaction) {
  const auto* const action = arguments.address<const struct sigaction>(1);
  if (may_be_memory(action)) look_at(action->sa_handler);
}
SLUICE_BEFORE(sluice_sigaction, "sigaction, __sigaction");

SLUICE_WORK(void, sluice_signal) { look_at(reinterpret_cast<sighandler_t>(arguments.value[1])); }
SLUICE_BEFORE(sluice_signal, "signal, ssignal, sigset, bsd_signal, sysv_signal, __sysv_signal");

// ---- calls that close many descriptors ----

SLUICE_WORK(void, sluice_close_range) {
  if ((arguments.value[2] & CLOSE_RANGE_CLOEXEC) != 0) return;
  before_closing(static_cast<unsigned>(arguments.value[0]),
                 static_cast<unsigned>(arguments.value[1]));
}
SLUICE_BEFORE(sluice_close_range, "close_range");

SLUICE_WORK(void, sluice_closefrom) {
  const int first = arguments.number(0);
  before_closing(first < 0 ? 0 : static_cast<unsigned>(first), UINT_MAX);
}
SLUICE_BEFORE(sluice_closefrom, "closefrom");

// ---- messages: another process may get descriptors by them, and shares their files then ----

// The message is not looked at, because its address may be bad.
SLUICE_WORK(void, sluice_before_message) { before_another_process(); }
SLUICE_BEFORE(sluice_before_message, "sendmsg, sendmmsg");

}  // namespace sluice::preload
