// The events that end all holding for good: those of other_code.cc, and the program starts its
// first thread, or makes a system call of its own after which other code may run.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "coalesce.h"
#include "counters.h"
#include "events.h"
#include "hook.h"
#include "real.h"

namespace sluice::preload {

void before_other_code(EndOfHolding why) { give_up_holding(why); }

SLUICE_WORK(void, sluice_before_thread) { give_up_holding(EndOfHolding::thread); }
SLUICE_BEFORE(sluice_before_thread, "pthread_create, thrd_create");

// The functions of liburing and libaio make system calls by instructions of their own.
SLUICE_BEFORE(sluice_before_request,
              "io_uring_queue_init, io_uring_queue_init_params, io_uring_queue_init_mem,"
              "io_setup");

// The kernel tells a watcher of each write.
SLUICE_WORK(void, sluice_before_watch) { give_up_holding(EndOfHolding::watch); }
SLUICE_BEFORE(sluice_before_watch, "inotify_add_watch, fanotify_mark");

// ---- memory that others see ----

SLUICE_WORK(void, sluice_before_mapping) {
  const int flags = arguments.number(3);
  const int descriptor = arguments.number(4);
  if (shares_memory(arguments.number(2), flags, descriptor)) {
    give_up_holding(EndOfHolding::memory);
  } else if ((flags & MAP_ANONYMOUS) == 0) {
    write_all_held();
    may_not_hold_mapped(descriptor);
  }
}
SLUICE_BEFORE(sluice_before_mapping, "mmap, mmap64");

// After the program has entered seccomp, the kernel may end it for a system call that this object
// makes.
SLUICE_WORK(void, sluice_before_prctl) {
  write_all_held();
  if (arguments.number(0) == PR_SET_SECCOMP) give_up_holding(EndOfHolding::own_call);
}
SLUICE_BEFORE(sluice_before_prctl, "prctl");

}  // namespace sluice::preload
