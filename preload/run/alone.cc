// The events that end all holding back for good: the first thread that the program starts, its
// first signal handler, memory that it shares with others, input and output that others do for it,
// and a time at which it may be ended. After such an event somebody may look, or write, between any
// two instructions.
#include <aio.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "counters.h"
#include "events.h"
#include "held.h"
#include "hook.h"
#include "real.h"

// Functions of liburing and libaio, which make system calls by instructions of their own. Their
// headers are not needed to pass arguments on.
extern "C" {
int io_uring_queue_init(unsigned entries, void* ring, unsigned flags);
int io_uring_queue_init_params(unsigned entries, void* ring, void* parameters);
int io_uring_queue_init_mem(unsigned entries, void* ring, void* parameters, void* memory,
                            size_t bytes);
int io_setup(int requests, void* context);
}

namespace sluice::preload {
namespace {

void not_alone_any_more(EndOfHolding why) {
  if (counters.end_of_holding == EndOfHolding::none) counters.end_of_holding = why;
  give_up_larger_buffers();
  give_up_holding();
}

bool is_handler(sighandler_t handler) {
  return handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR;
}

}  // namespace

void before_sharing_memory() { not_alone_any_more(EndOfHolding::memory); }

SLUICE_HOOK int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                               void* (*run)(void*), void* argument) noexcept {
  SLUICE_REAL(pthread_create)
  not_alone_any_more(EndOfHolding::thread);
  return real_function(thread, attributes, run, argument);
}

SLUICE_HOOK int thrd_create(thrd_t* thread, thrd_start_t run, void* argument) {
  SLUICE_REAL(thrd_create)
  not_alone_any_more(EndOfHolding::thread);
  return real_function(thread, run, argument);
}

SLUICE_HOOK int sigaction(int number, const struct sigaction* action,
                          struct sigaction* before) noexcept {
  static int (*real_function)(int, const struct sigaction*, struct sigaction*) = nullptr;
  if (real_function == nullptr) {
    real_function = reinterpret_cast<decltype(real_function)>(find_real_function("sigaction"));
  }
  if (action != nullptr && is_handler(action->sa_handler)) {
    not_alone_any_more(EndOfHolding::handler);
  }
  return real_function(number, action, before);
}

#define SLUICE_SIGNAL(NAME)                                                                 \
  SLUICE_HOOK sighandler_t NAME(int number, sighandler_t handler) noexcept {                \
    static sighandler_t (*real_function)(int, sighandler_t) = nullptr;                      \
    if (real_function == nullptr) {                                                         \
      real_function = reinterpret_cast<decltype(real_function)>(find_real_function(#NAME)); \
    }                                                                                       \
    if (is_handler(handler)) not_alone_any_more(EndOfHolding::handler);                     \
    return real_function(number, handler);                                                  \
  }
SLUICE_SIGNAL(signal)
SLUICE_SIGNAL(ssignal)
SLUICE_SIGNAL(sigset)
SLUICE_SIGNAL(bsd_signal)
SLUICE_SIGNAL(__sysv_signal)

#define SLUICE_NOT_ALONE(WHY, RESULT, NAME, PARAMETERS, ARGUMENTS, EXCEPT) \
  SLUICE_HOOK RESULT NAME PARAMETERS EXCEPT {                              \
    SLUICE_REAL(NAME)                                                      \
    not_alone_any_more(EndOfHolding::WHY);                                 \
    return real_function ARGUMENTS;                                        \
  }

// ---- others do input and output ----
SLUICE_NOT_ALONE(request, int, aio_read, (struct aiocb * request), (request), noexcept)
SLUICE_NOT_ALONE(request, int, aio_read64, (struct aiocb64 * request), (request), noexcept)
SLUICE_NOT_ALONE(request, int, aio_write, (struct aiocb * request), (request), noexcept)
SLUICE_NOT_ALONE(request, int, aio_write64, (struct aiocb64 * request), (request), noexcept)
SLUICE_NOT_ALONE(request, int, aio_fsync, (int operation, struct aiocb* request),
                 (operation, request), noexcept)
SLUICE_NOT_ALONE(request, int, aio_fsync64, (int operation, struct aiocb64* request),
                 (operation, request), noexcept)
SLUICE_NOT_ALONE(request, int, lio_listio,
                 (int mode, struct aiocb* const requests[], int count, struct sigevent* event),
                 (mode, requests, count, event), noexcept)
SLUICE_NOT_ALONE(request, int, lio_listio64,
                 (int mode, struct aiocb64* const requests[], int count, struct sigevent* event),
                 (mode, requests, count, event), noexcept)
SLUICE_NOT_ALONE(request, int, getaddrinfo_a,
                 (int mode, struct gaicb* requests[], int count, struct sigevent* event),
                 (mode, requests, count, event), )
SLUICE_NOT_ALONE(request, int, io_uring_queue_init, (unsigned entries, void* ring, unsigned flags),
                 (entries, ring, flags), )
SLUICE_NOT_ALONE(request, int, io_uring_queue_init_params,
                 (unsigned entries, void* ring, void* parameters), (entries, ring, parameters), )
SLUICE_NOT_ALONE(request, int, io_uring_queue_init_mem,
                 (unsigned entries, void* ring, void* parameters, void* memory, size_t bytes),
                 (entries, ring, parameters, memory, bytes), )
SLUICE_NOT_ALONE(request, int, io_setup, (int requests, void* context), (requests, context), )

// ---- a thread may be started, or the program ended, by the clock or a message ----
SLUICE_NOT_ALONE(timer, int, timer_create,
                 (clockid_t clock, struct sigevent* event, timer_t* timer), (clock, event, timer),
                 noexcept)
SLUICE_NOT_ALONE(timer, int, mq_notify, (mqd_t queue, const struct sigevent* event), (queue, event),
                 noexcept)
SLUICE_NOT_ALONE(timer, unsigned, alarm, (unsigned seconds), (seconds), noexcept)
SLUICE_NOT_ALONE(timer, useconds_t, ualarm, (useconds_t time, useconds_t interval),
                 (time, interval), noexcept)
SLUICE_NOT_ALONE(timer, int, setitimer,
                 (__itimer_which_t which, const struct itimerval* time, struct itimerval* before),
                 (which, time, before), noexcept)

// ---- memory that others see ----
SLUICE_NOT_ALONE(memory, void*, shmat, (int memory, const void* address, int flags),
                 (memory, address, flags), noexcept)

SLUICE_HOOK sem_t* sem_open(const char* name, int flags, ...) noexcept {
  SLUICE_REAL(sem_open)
  va_list list;
  va_start(list, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  const auto value = (flags & O_CREAT) != 0 ? va_arg(list, unsigned) : 0;
  va_end(list);
  not_alone_any_more(EndOfHolding::memory);
  return real_function(name, flags, mode, value);
}

namespace {

void before_mapping(int protection, int flags, int descriptor) {
  if ((flags & MAP_SHARED) != 0 && (protection & PROT_WRITE) != 0) {
    not_alone_any_more(EndOfHolding::memory);
  } else if ((flags & MAP_ANONYMOUS) == 0) {
    settle_for(descriptor);
    may_not_hold_mapped(descriptor);
  }
}

}  // namespace

// A name for the type, because in a macro "void* NAME" reads as a product.
using Address = void*;

// Looked up before the program runs: a malloc that maps memory under its lock may not be entered
// again, and looking a function up might enter it.
#define SLUICE_MAPPING(NAME, OFFSET)                                                 \
  SLUICE_HOOK Address NAME(Address address, size_t bytes, int protection, int flags, \
                           int descriptor, OFFSET offset) noexcept {                 \
    before_mapping(protection, flags, descriptor);                                   \
    return real().NAME(address, bytes, protection, flags, descriptor, offset);       \
  }
SLUICE_MAPPING(mmap, off_t)
SLUICE_MAPPING(mmap64, off64_t)

// ---- system calls that the program makes by itself ----

// From here on the kernel may end the program for a call that it does not expect.
SLUICE_HOOK int prctl(int option, ...) noexcept {
  SLUICE_REAL(prctl)
  SLUICE_LONGS_BEHIND(option, 4)
  if (option == PR_SET_SECCOMP) not_alone_any_more(EndOfHolding::own_call);
  return real_function(option, arguments[0], arguments[1], arguments[2], arguments[3]);
}

namespace {

// These calls start nothing, and change no descriptor.
bool is_harmless(long number) {
  switch (number) {
    case SYS_gettid:
    case SYS_getpid:
    case SYS_getrandom:
    case SYS_futex:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_sched_getaffinity:
    case SYS_sched_setaffinity: return true;
    default: return false;
  }
}

bool ends_holding(long number) {
  return number == SYS_seccomp || number == SYS_rt_sigaction || number == SYS_io_uring_setup ||
         number == SYS_io_setup || number == SYS_clone3;
}

// The flags of clone3() are in memory that need not be there.
bool shares_memory(long number, long flags) {
  return number == SYS_clone && (flags & CLONE_VM) != 0;
}

}  // namespace

SLUICE_HOOK long syscall(long number, ...) noexcept {
  SLUICE_REAL(syscall)
  SLUICE_LONGS_BEHIND(number, 6)
  settle_all();
  if (ends_holding(number) || shares_memory(number, arguments[0])) {
    not_alone_any_more(EndOfHolding::own_call);
  }
  if (!is_harmless(number)) before_another_process();
  return real_function(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                       arguments[5]);
}

}  // namespace sluice::preload
