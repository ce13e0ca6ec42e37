// Calls by which the program, or somebody whom it tells, may look at its files: before each, what
// glibc would have written by now is written.
//
// All of them in one table. Calls that wait are among them, so that who follows a file does not see
// less of it than before while the program rests. Where a call uses a descriptor that the program
// knows the stream of, which is so for the standard ones alone (fileno() is in open.cc), the stream
// gives back what it has read ahead as well.
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "held.h"
#include "hook.h"
#include "real.h"
#include "written_files.h"

// Before glibc 2.33 the headers made calls of these of stat() and its like.
extern "C" {
int __xstat(int version, const char* path, struct stat* status) noexcept;
int __lxstat(int version, const char* path, struct stat* status) noexcept;
int __fxstat(int version, int descriptor, struct stat* status) noexcept;
int __xstat64(int version, const char* path, struct stat64* status) noexcept;
int __lxstat64(int version, const char* path, struct stat64* status) noexcept;
int __fxstat64(int version, int descriptor, struct stat64* status) noexcept;
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int folder, const char* path, int flags);
int __openat64_2(int folder, const char* path, int flags);
ssize_t __read_chk(int descriptor, void* data, size_t bytes, size_t data_bytes);
ssize_t __pread_chk(int descriptor, void* data, size_t bytes, off_t offset, size_t data_bytes);
ssize_t __pread64_chk(int descriptor, void* data, size_t bytes, off64_t offset, size_t data_bytes);
}

namespace sluice::preload {

// EXCEPT is noexcept where the C library's header says so.
#define SLUICE_BY_NAME(RESULT, NAME, PARAMETERS, ARGUMENTS, EXCEPT) \
  SLUICE_HOOK RESULT NAME PARAMETERS EXCEPT {                       \
    SLUICE_REAL(NAME)                                               \
    settle_written();                                               \
    return real_function ARGUMENTS;                                 \
  }

#define SLUICE_BY_DESCRIPTOR(RESULT, NAME, PARAMETERS, ARGUMENTS, EXCEPT) \
  SLUICE_HOOK RESULT NAME PARAMETERS EXCEPT {                             \
    SLUICE_REAL(NAME)                                                     \
    settle_for(descriptor);                                               \
    return real_function ARGUMENTS;                                       \
  }

// ---- by name ----
SLUICE_BY_NAME(int, stat, (const char* path, struct stat* status), (path, status), noexcept)
SLUICE_BY_NAME(int, stat64, (const char* path, struct stat64* status), (path, status), noexcept)
SLUICE_BY_NAME(int, lstat, (const char* path, struct stat* status), (path, status), noexcept)
SLUICE_BY_NAME(int, lstat64, (const char* path, struct stat64* status), (path, status), noexcept)
SLUICE_BY_NAME(int, fstatat, (int folder, const char* path, struct stat* status, int flags),
               (folder, path, status, flags), noexcept)
SLUICE_BY_NAME(int, fstatat64, (int folder, const char* path, struct stat64* status, int flags),
               (folder, path, status, flags), noexcept)
SLUICE_BY_NAME(int, statx,
               (int folder, const char* path, int flags, unsigned mask, struct statx* status),
               (folder, path, flags, mask, status), noexcept)
SLUICE_BY_NAME(int, __xstat, (int version, const char* path, struct stat* status),
               (version, path, status), noexcept)
SLUICE_BY_NAME(int, __lxstat, (int version, const char* path, struct stat* status),
               (version, path, status), noexcept)
SLUICE_BY_NAME(int, __xstat64, (int version, const char* path, struct stat64* status),
               (version, path, status), noexcept)
SLUICE_BY_NAME(int, __lxstat64, (int version, const char* path, struct stat64* status),
               (version, path, status), noexcept)
SLUICE_BY_NAME(int, utimensat,
               (int folder, const char* path, const struct timespec* times, int flags),
               (folder, path, times, flags), noexcept)
SLUICE_BY_NAME(int, utimes, (const char* path, const struct timeval* times), (path, times),
               noexcept)
SLUICE_BY_NAME(int, utime, (const char* path, const struct utimbuf* times), (path, times), noexcept)
SLUICE_BY_NAME(int, truncate, (const char* path, off_t bytes), (path, bytes), noexcept)
SLUICE_BY_NAME(int, truncate64, (const char* path, off64_t bytes), (path, bytes), noexcept)
SLUICE_BY_NAME(int, rename, (const char* from, const char* to), (from, to), noexcept)
SLUICE_BY_NAME(int, renameat, (int from_folder, const char* from, int to_folder, const char* to),
               (from_folder, from, to_folder, to), noexcept)
SLUICE_BY_NAME(int, renameat2,
               (int from_folder, const char* from, int to_folder, const char* to, unsigned flags),
               (from_folder, from, to_folder, to, flags), noexcept)
SLUICE_BY_NAME(int, link, (const char* from, const char* to), (from, to), noexcept)
SLUICE_BY_NAME(int, linkat,
               (int from_folder, const char* from, int to_folder, const char* to, int flags),
               (from_folder, from, to_folder, to, flags), noexcept)

// ---- by descriptor ----
SLUICE_BY_DESCRIPTOR(ssize_t, read, (int descriptor, void* data, size_t bytes),
                     (descriptor, data, bytes), )
SLUICE_BY_DESCRIPTOR(ssize_t, __read_chk,
                     (int descriptor, void* data, size_t bytes, size_t data_bytes),
                     (descriptor, data, bytes, data_bytes), )
SLUICE_BY_DESCRIPTOR(ssize_t, readv, (int descriptor, const struct iovec* pieces, int count),
                     (descriptor, pieces, count), )
SLUICE_BY_DESCRIPTOR(ssize_t, pread, (int descriptor, void* data, size_t bytes, off_t offset),
                     (descriptor, data, bytes, offset), )
SLUICE_BY_DESCRIPTOR(ssize_t, pread64, (int descriptor, void* data, size_t bytes, off64_t offset),
                     (descriptor, data, bytes, offset), )
SLUICE_BY_DESCRIPTOR(ssize_t, __pread_chk,
                     (int descriptor, void* data, size_t bytes, off_t offset, size_t data_bytes),
                     (descriptor, data, bytes, offset, data_bytes), )
SLUICE_BY_DESCRIPTOR(ssize_t, __pread64_chk,
                     (int descriptor, void* data, size_t bytes, off64_t offset, size_t data_bytes),
                     (descriptor, data, bytes, offset, data_bytes), )
SLUICE_BY_DESCRIPTOR(ssize_t, preadv,
                     (int descriptor, const struct iovec* pieces, int count, off_t offset),
                     (descriptor, pieces, count, offset), )
SLUICE_BY_DESCRIPTOR(ssize_t, preadv64,
                     (int descriptor, const struct iovec* pieces, int count, off64_t offset),
                     (descriptor, pieces, count, offset), )
SLUICE_BY_DESCRIPTOR(ssize_t, pwrite,
                     (int descriptor, const void* data, size_t bytes, off_t offset),
                     (descriptor, data, bytes, offset), )
SLUICE_BY_DESCRIPTOR(ssize_t, pwrite64,
                     (int descriptor, const void* data, size_t bytes, off64_t offset),
                     (descriptor, data, bytes, offset), )
SLUICE_BY_DESCRIPTOR(ssize_t, pwritev,
                     (int descriptor, const struct iovec* pieces, int count, off_t offset),
                     (descriptor, pieces, count, offset), )
SLUICE_BY_DESCRIPTOR(ssize_t, pwritev64,
                     (int descriptor, const struct iovec* pieces, int count, off64_t offset),
                     (descriptor, pieces, count, offset), )
SLUICE_BY_DESCRIPTOR(off_t, lseek, (int descriptor, off_t offset, int whence),
                     (descriptor, offset, whence), noexcept)
SLUICE_BY_DESCRIPTOR(off64_t, lseek64, (int descriptor, off64_t offset, int whence),
                     (descriptor, offset, whence), noexcept)
SLUICE_BY_DESCRIPTOR(int, fstat, (int descriptor, struct stat* status), (descriptor, status),
                     noexcept)
SLUICE_BY_DESCRIPTOR(int, fstat64, (int descriptor, struct stat64* status), (descriptor, status),
                     noexcept)
SLUICE_BY_DESCRIPTOR(int, __fxstat, (int version, int descriptor, struct stat* status),
                     (version, descriptor, status), noexcept)
SLUICE_BY_DESCRIPTOR(int, __fxstat64, (int version, int descriptor, struct stat64* status),
                     (version, descriptor, status), noexcept)
SLUICE_BY_DESCRIPTOR(int, ftruncate, (int descriptor, off_t bytes), (descriptor, bytes), noexcept)
SLUICE_BY_DESCRIPTOR(int, ftruncate64, (int descriptor, off64_t bytes), (descriptor, bytes),
                     noexcept)
SLUICE_BY_DESCRIPTOR(int, fallocate, (int descriptor, int mode, off_t offset, off_t bytes),
                     (descriptor, mode, offset, bytes), )
SLUICE_BY_DESCRIPTOR(int, fallocate64, (int descriptor, int mode, off64_t offset, off64_t bytes),
                     (descriptor, mode, offset, bytes), )
SLUICE_BY_DESCRIPTOR(int, syncfs, (int descriptor), (descriptor), noexcept)
SLUICE_BY_DESCRIPTOR(void*, mmap,
                     (void* address, size_t bytes, int protection, int flags, int descriptor,
                      off_t offset),
                     (address, bytes, protection, flags, descriptor, offset), noexcept)
SLUICE_BY_DESCRIPTOR(void*, mmap64,
                     (void* address, size_t bytes, int protection, int flags, int descriptor,
                      off64_t offset),
                     (address, bytes, protection, flags, descriptor, offset), noexcept)
SLUICE_BY_DESCRIPTOR(int, dup, (int descriptor), (descriptor), noexcept)
SLUICE_BY_DESCRIPTOR(int, futimens, (int descriptor, const struct timespec* times),
                     (descriptor, times), noexcept)
SLUICE_BY_DESCRIPTOR(int, futimes, (int descriptor, const struct timeval* times),
                     (descriptor, times), noexcept)
SLUICE_BY_DESCRIPTOR(int, fchmod, (int descriptor, mode_t mode), (descriptor, mode), noexcept)
SLUICE_BY_DESCRIPTOR(int, fchown, (int descriptor, uid_t owner, gid_t group),
                     (descriptor, owner, group), noexcept)
SLUICE_BY_DESCRIPTOR(int, posix_fallocate, (int descriptor, off_t offset, off_t bytes),
                     (descriptor, offset, bytes), )
SLUICE_BY_DESCRIPTOR(int, sync_file_range,
                     (int descriptor, off64_t offset, off64_t bytes, unsigned flags),
                     (descriptor, offset, bytes, flags), )
SLUICE_BY_DESCRIPTOR(ssize_t, pwritev2,
                     (int descriptor, const struct iovec* pieces, int count, off_t offset,
                      int flags),
                     (descriptor, pieces, count, offset, flags), )
SLUICE_BY_DESCRIPTOR(ssize_t, preadv2,
                     (int descriptor, const struct iovec* pieces, int count, off_t offset,
                      int flags),
                     (descriptor, pieces, count, offset, flags), )
SLUICE_BY_DESCRIPTOR(int, flock, (int descriptor, int operation), (descriptor, operation), noexcept)
SLUICE_BY_DESCRIPTOR(int, lockf, (int descriptor, int command, off_t bytes),
                     (descriptor, command, bytes), )
SLUICE_BY_DESCRIPTOR(ssize_t, sendfile, (int to, int descriptor, off_t* offset, size_t bytes),
                     (to, descriptor, offset, bytes), noexcept)
SLUICE_BY_DESCRIPTOR(ssize_t, sendfile64, (int to, int descriptor, off64_t* offset, size_t bytes),
                     (to, descriptor, offset, bytes), noexcept)
SLUICE_BY_DESCRIPTOR(ssize_t, copy_file_range,
                     (int descriptor, off64_t* from_offset, int to, off64_t* to_offset,
                      size_t bytes, unsigned flags),
                     (descriptor, from_offset, to, to_offset, bytes, flags), )
SLUICE_BY_DESCRIPTOR(ssize_t, splice,
                     (int descriptor, off64_t* from_offset, int to, off64_t* to_offset,
                      size_t bytes, unsigned flags),
                     (descriptor, from_offset, to, to_offset, bytes, flags), )
SLUICE_BY_DESCRIPTOR(ssize_t, send, (int descriptor, const void* data, size_t bytes, int flags),
                     (descriptor, data, bytes, flags), )
SLUICE_BY_DESCRIPTOR(ssize_t, sendto,
                     (int descriptor, const void* data, size_t bytes, int flags,
                      const struct sockaddr* to, socklen_t to_bytes),
                     (descriptor, data, bytes, flags, to, to_bytes), )
SLUICE_BY_DESCRIPTOR(ssize_t, sendmsg, (int descriptor, const struct msghdr* message, int flags),
                     (descriptor, message, flags), )

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
SLUICE_BY_NAME(void, sync, (), (), noexcept)

// ---- with a variable argument ----

namespace {

int note_opened(int descriptor) {
  if (descriptor < 0) return descriptor;
  may_hold(descriptor);
  remember_if_written(descriptor);
  return descriptor;
}

}  // namespace

// Fortified: of a file that is there already.
#define SLUICE_OPEN_CHECKED(NAME, PARAMETERS, ARGUMENTS) \
  SLUICE_HOOK int NAME PARAMETERS {                      \
    SLUICE_REAL(NAME)                                    \
    settle_written();                                    \
    return note_opened(real_function ARGUMENTS);         \
  }
SLUICE_OPEN_CHECKED(__open_2, (const char* path, int flags), (path, flags))
SLUICE_OPEN_CHECKED(__open64_2, (const char* path, int flags), (path, flags))
SLUICE_OPEN_CHECKED(__openat_2, (int folder, const char* path, int flags), (folder, path, flags))
SLUICE_OPEN_CHECKED(__openat64_2, (int folder, const char* path, int flags), (folder, path, flags))

#define SLUICE_CREATE(NAME)                             \
  SLUICE_HOOK int NAME(const char* path, mode_t mode) { \
    SLUICE_REAL(NAME)                                   \
    settle_written();                                   \
    return note_opened(real_function(path, mode));      \
  }
SLUICE_CREATE(creat)
SLUICE_CREATE(creat64)

#define SLUICE_OPEN(NAME)                                  \
  SLUICE_HOOK int NAME(const char* path, int flags, ...) { \
    SLUICE_REAL(NAME)                                      \
    SLUICE_MODE_OF(flags)                                  \
    settle_written();                                      \
    return note_opened(real_function(path, flags, mode));  \
  }
SLUICE_OPEN(open)
SLUICE_OPEN(open64)

#define SLUICE_OPEN_AT(NAME)                                           \
  SLUICE_HOOK int NAME(int folder, const char* path, int flags, ...) { \
    SLUICE_REAL(NAME)                                                  \
    SLUICE_MODE_OF(flags)                                              \
    settle_written();                                                  \
    return note_opened(real_function(folder, path, flags, mode));      \
  }
SLUICE_OPEN_AT(openat)
SLUICE_OPEN_AT(openat64)

// The argument is a number or an address, and has the size of a word either way.
#define SLUICE_CONTROL(NAME)                               \
  SLUICE_HOOK int NAME(int descriptor, int command, ...) { \
    SLUICE_REAL(NAME)                                      \
    va_list list;                                          \
    va_start(list, command);                               \
    void* const argument = va_arg(list, void*);            \
    va_end(list);                                          \
    settle_for(descriptor);                                \
    return real_function(descriptor, command, argument);   \
  }
SLUICE_CONTROL(fcntl)
SLUICE_CONTROL(fcntl64)

}  // namespace sluice::preload
