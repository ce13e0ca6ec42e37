// The events that end all holding for good: the program starts its first thread, installs its first
// signal handler, shares memory with another process, requests asynchronous input or output, or
// sets a timer. After such an event other code may look at the files, or write to them, between any
// two instructions of the program.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "coalesce.h"
#include "counters.h"
#include "events.h"
#include "hook.h"
#include "real.h"

namespace sluice::preload {

void before_handler() { give_up_holding(EndOfHolding::handler); }
void before_sharing_memory() { give_up_holding(EndOfHolding::memory); }

#define SLUICE_NOT_ALONE(WHY, names)                                                     \
  SLUICE_WORK(void, sluice_end_of_holding_##WHY) { give_up_holding(EndOfHolding::WHY); } \
  SLUICE_BEFORE(sluice_end_of_holding_##WHY, names)

SLUICE_NOT_ALONE(thread, "pthread_create, thrd_create");

// From now on other code does input and output for the program. The functions of liburing and
// libaio make system calls by instructions of their own.
SLUICE_NOT_ALONE(request,
                 "aio_read, aio_read64, aio_write, aio_write64, aio_fsync, aio_fsync64,"
                 "lio_listio, lio_listio64, getaddrinfo_a");
SLUICE_BEFORE_IF_THERE(sluice_end_of_holding_request,
                       "io_uring_queue_init, io_uring_queue_init_params, io_uring_queue_init_mem,"
                       "io_setup");

// A timer or a message may start a thread, or end the program.
SLUICE_NOT_ALONE(timer, "timer_create, mq_notify, alarm, ualarm, setitimer");

SLUICE_NOT_ALONE(memory, "shmat, sem_open");

// ---- memory that others see ----

namespace {

// mprotect() can make shared memory writable later, unless it is the memory of a file that was
// opened for reading only.
bool may_become_writable(int protection, int flags, int descriptor) {
  if ((protection & PROT_WRITE) != 0 || (flags & MAP_ANONYMOUS) != 0) return true;
  const int file_flags = real().fcntl(descriptor, F_GETFL);
  return file_flags >= 0 && (file_flags & O_ACCMODE) == O_RDWR;
}

void before_mapping(int protection, int flags, int descriptor) {
  if ((flags & MAP_SHARED) != 0 && may_become_writable(protection, flags, descriptor)) {
    give_up_holding(EndOfHolding::memory);
  } else if ((flags & MAP_ANONYMOUS) == 0) {
    write_all_held();
    may_not_hold_mapped(descriptor);
  }
}

}  // namespace

SLUICE_WORK(void, sluice_before_mapping) {
  before_mapping(arguments.number(2), arguments.number(3), arguments.number(4));
}
SLUICE_BEFORE(sluice_before_mapping, "mmap, mmap64");

// ---- messages: another process may get descriptors by them, and shares their files then ----

// The message is not looked at, because its address may be bad.
SLUICE_WORK(void, sluice_before_message) { before_another_process(); }
SLUICE_BEFORE(sluice_before_message, "sendmsg, sendmmsg");

// ---- system calls that the program makes by itself ----

// After the program has entered seccomp, the kernel may end it for a system call that this object
// makes.
SLUICE_WORK(void, sluice_before_prctl) {
  if (arguments.number(0) == PR_SET_SECCOMP) give_up_holding(EndOfHolding::own_call);
}
SLUICE_BEFORE(sluice_before_prctl, "prctl");

// Calls that start code, or let it see memory, which this object does not see.
void hold_nothing_before(long number) {
  write_all_held();
  switch (number) {
    case SYS_seccomp:
    case SYS_rt_sigaction:
    case SYS_io_uring_setup:
    case SYS_io_setup:
    case SYS_clone3: give_up_holding(EndOfHolding::own_call); break;
    default: break;
  }
}

}  // namespace sluice::preload
