// Calls that tell another process something, and calls that wait for one or rest. A process that is
// told may then look at the program's files. A process that follows the files must not see less of
// them while the program rests.
#include <mqueue.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "events.h"
#include "observe.h"

// The C library's headers declare these in fortified programs only.
extern "C" {
ssize_t __recv_chk(int descriptor, void* data, size_t bytes, size_t data_bytes, int flags);
ssize_t __recvfrom_chk(int descriptor, void* data, size_t bytes, size_t data_bytes, int flags,
                       struct sockaddr* from, socklen_t* from_bytes);
int __poll_chk(struct pollfd* descriptors, nfds_t count, int timeout, size_t bytes);
int __ppoll_chk(struct pollfd* descriptors, nfds_t count, const struct timespec* timeout,
                const sigset_t* mask, size_t bytes);
void __vsyslog_chk(int priority, int flag, const char* format, va_list list);
}

namespace sluice::preload {

// ---- sockets ----
SLUICE_BY_DESCRIPTOR(ssize_t, send, (int descriptor, const void* data, size_t bytes, int flags),
                     (descriptor, data, bytes, flags), )
SLUICE_BY_DESCRIPTOR(ssize_t, sendto,
                     (int descriptor, const void* data, size_t bytes, int flags,
                      const struct sockaddr* to, socklen_t to_bytes),
                     (descriptor, data, bytes, flags, to, to_bytes), )
SLUICE_BY_DESCRIPTOR(ssize_t, recv, (int descriptor, void* data, size_t bytes, int flags),
                     (descriptor, data, bytes, flags), )
SLUICE_BY_DESCRIPTOR(ssize_t, __recv_chk,
                     (int descriptor, void* data, size_t bytes, size_t data_bytes, int flags),
                     (descriptor, data, bytes, data_bytes, flags), )
SLUICE_BY_DESCRIPTOR(ssize_t, recvfrom,
                     (int descriptor, void* data, size_t bytes, int flags, struct sockaddr* from,
                      socklen_t* from_bytes),
                     (descriptor, data, bytes, flags, from, from_bytes), )
SLUICE_BY_DESCRIPTOR(ssize_t, __recvfrom_chk,
                     (int descriptor, void* data, size_t bytes, size_t data_bytes, int flags,
                      struct sockaddr* from, socklen_t* from_bytes),
                     (descriptor, data, bytes, data_bytes, flags, from, from_bytes), )
SLUICE_BY_DESCRIPTOR(ssize_t, recvmsg, (int descriptor, struct msghdr* message, int flags),
                     (descriptor, message, flags), )
SLUICE_BY_DESCRIPTOR(int, recvmmsg,
                     (int descriptor, struct mmsghdr* messages, unsigned count, int flags,
                      struct timespec* timeout),
                     (descriptor, messages, count, flags, timeout), )
SLUICE_BY_DESCRIPTOR(int, accept, (int descriptor, struct sockaddr* from, socklen_t* from_bytes),
                     (descriptor, from, from_bytes), )
SLUICE_BY_DESCRIPTOR(int, accept4,
                     (int descriptor, struct sockaddr* from, socklen_t* from_bytes, int flags),
                     (descriptor, from, from_bytes, flags), )
SLUICE_BY_DESCRIPTOR(int, connect, (int descriptor, const struct sockaddr* to, socklen_t to_bytes),
                     (descriptor, to, to_bytes), )
SLUICE_BY_DESCRIPTOR(int, shutdown, (int descriptor, int how), (descriptor, how), noexcept)

// A message may carry descriptors: from then on another process shares their files.
namespace {

void before_message(int descriptor, const msghdr& message) {
  if (message.msg_controllen > 0) {
    before_another_process();
  } else {
    settle_for(descriptor);
  }
}

}  // namespace

SLUICE_HOOK ssize_t sendmsg(int descriptor, const struct msghdr* message, int flags) {
  SLUICE_REAL(sendmsg)
  before_message(descriptor, *message);
  return real_function(descriptor, message, flags);
}

SLUICE_HOOK int sendmmsg(int descriptor, struct mmsghdr* messages, unsigned count, int flags) {
  SLUICE_REAL(sendmmsg)
  for (unsigned i = 0; i < count; ++i) before_message(descriptor, messages[i].msg_hdr);
  return real_function(descriptor, messages, count, flags);
}

// ---- queues, semaphores, counters ----
SLUICE_BY_DESCRIPTOR(int, eventfd_write, (int descriptor, eventfd_t value), (descriptor, value), )
SLUICE_BY_DESCRIPTOR(int, eventfd_read, (int descriptor, eventfd_t* value), (descriptor, value), )
SLUICE_BY_NAME(int, sem_post, (sem_t * semaphore), (semaphore), noexcept)
SLUICE_BY_NAME(int, sem_wait, (sem_t * semaphore), (semaphore), )
SLUICE_BY_NAME(int, sem_timedwait, (sem_t * semaphore, const struct timespec* until),
               (semaphore, until), )
SLUICE_BY_NAME(int, sem_clockwait,
               (sem_t * semaphore, clockid_t clock, const struct timespec* until),
               (semaphore, clock, until), )
SLUICE_BY_NAME(int, semop, (int set, struct sembuf* operations, size_t count),
               (set, operations, count), noexcept)
SLUICE_BY_NAME(int, semtimedop,
               (int set, struct sembuf* operations, size_t count, const struct timespec* timeout),
               (set, operations, count, timeout), noexcept)

// The last argument, if there is one, is a number or an address in a union.
SLUICE_HOOK int semctl(int set, int number, int command, ...) noexcept {
  SLUICE_REAL(semctl)
  va_list list;
  va_start(list, command);
  void* const argument = va_arg(list, void*);
  va_end(list);
  settle_written();
  return real_function(set, number, command, argument);
}

SLUICE_BY_NAME(int, msgsnd, (int queue, const void* message, size_t bytes, int flags),
               (queue, message, bytes, flags), )
SLUICE_BY_NAME(ssize_t, msgrcv, (int queue, void* message, size_t bytes, long kind, int flags),
               (queue, message, bytes, kind, flags), )
SLUICE_BY_NAME(int, mq_send, (mqd_t queue, const char* data, size_t bytes, unsigned priority),
               (queue, data, bytes, priority), )
SLUICE_BY_NAME(int, mq_timedsend,
               (mqd_t queue, const char* data, size_t bytes, unsigned priority,
                const struct timespec* until),
               (queue, data, bytes, priority, until), )
SLUICE_BY_NAME(ssize_t, mq_receive, (mqd_t queue, char* data, size_t bytes, unsigned* priority),
               (queue, data, bytes, priority), )
SLUICE_BY_NAME(ssize_t, mq_timedreceive,
               (mqd_t queue, char* data, size_t bytes, unsigned* priority,
                const struct timespec* until),
               (queue, data, bytes, priority, until), )

// ---- the system's log ----
SLUICE_BY_NAME(void, vsyslog, (int priority, const char* format, va_list list),
               (priority, format, list), )
SLUICE_BY_NAME(void, __vsyslog_chk, (int priority, int flag, const char* format, va_list list),
               (priority, flag, format, list), )

SLUICE_HOOK void syslog(int priority, const char* format, ...) {
  va_list list;
  va_start(list, format);
  vsyslog(priority, format, list);
  va_end(list);
}

SLUICE_HOOK void __syslog_chk(int priority, int flag, const char* format, ...) {
  va_list list;
  va_start(list, format);
  __vsyslog_chk(priority, flag, format, list);
  va_end(list);
}

// ---- waiting ----
SLUICE_BY_NAME(unsigned, sleep, (unsigned seconds), (seconds), )
SLUICE_BY_NAME(int, usleep, (useconds_t microseconds), (microseconds), )
SLUICE_BY_NAME(int, nanosleep, (const struct timespec* time, struct timespec* rest), (time, rest), )
SLUICE_BY_NAME(int, clock_nanosleep,
               (clockid_t clock, int flags, const struct timespec* time, struct timespec* rest),
               (clock, flags, time, rest), )
SLUICE_BY_NAME(int, pause, (), (), )
SLUICE_BY_NAME(int, poll, (struct pollfd * descriptors, nfds_t count, int timeout),
               (descriptors, count, timeout), )
SLUICE_BY_NAME(int, ppoll,
               (struct pollfd * descriptors, nfds_t count, const struct timespec* timeout,
                const sigset_t* mask),
               (descriptors, count, timeout, mask), )
SLUICE_BY_NAME(int, select,
               (int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
                struct timeval* timeout),
               (count, readable, writable, exceptional, timeout), )
SLUICE_BY_NAME(int, pselect,
               (int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
                const struct timespec* timeout, const sigset_t* mask),
               (count, readable, writable, exceptional, timeout, mask), )
SLUICE_BY_NAME(int, epoll_wait, (int epoll, struct epoll_event* events, int most, int timeout),
               (epoll, events, most, timeout), )
SLUICE_BY_NAME(pid_t, wait, (int* status), (status), )
SLUICE_BY_NAME(pid_t, waitpid, (pid_t process, int* status, int options),
               (process, status, options), )
SLUICE_BY_NAME(int, epoll_pwait,
               (int epoll, struct epoll_event* events, int most, int timeout, const sigset_t* mask),
               (epoll, events, most, timeout, mask), )
SLUICE_BY_NAME(int, epoll_pwait2,
               (int epoll, struct epoll_event* events, int most, const struct timespec* timeout,
                const sigset_t* mask),
               (epoll, events, most, timeout, mask), )
SLUICE_BY_NAME(int, __poll_chk,
               (struct pollfd * descriptors, nfds_t count, int timeout, size_t bytes),
               (descriptors, count, timeout, bytes), )
SLUICE_BY_NAME(int, __ppoll_chk,
               (struct pollfd * descriptors, nfds_t count, const struct timespec* timeout,
                const sigset_t* mask, size_t bytes),
               (descriptors, count, timeout, mask, bytes), )
SLUICE_BY_NAME(int, sched_yield, (), (), noexcept)
SLUICE_BY_NAME(int, sigsuspend, (const sigset_t* mask), (mask), )
SLUICE_BY_NAME(int, sigwait, (const sigset_t* set, int* number), (set, number), )
SLUICE_BY_NAME(int, sigwaitinfo, (const sigset_t* set, siginfo_t* facts), (set, facts), )
SLUICE_BY_NAME(int, sigtimedwait,
               (const sigset_t* set, siginfo_t* facts, const struct timespec* timeout),
               (set, facts, timeout), )
SLUICE_BY_NAME(pid_t, wait3, (int* status, int options, struct rusage* usage),
               (status, options, usage), noexcept)
SLUICE_BY_NAME(pid_t, wait4, (pid_t process, int* status, int options, struct rusage* usage),
               (process, status, options, usage), noexcept)
SLUICE_BY_NAME(int, waitid, (idtype_t kind, id_t process, siginfo_t* facts, int options),
               (kind, process, facts, options), )

}  // namespace sluice::preload
