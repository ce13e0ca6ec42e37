// Calls by which the program, or somebody that it tells, may look at its files. Before each call,
// the bytes that glibc would have written by now are written.
//
// All of them are in one table, except the calls that tell another process or wait for one
// (messages.cc) and those of stdio (stream_observers.cc). Calls that make a name appear, go or
// change are among them: programs use them to say that their files are complete. If a call uses a
// descriptor whose stream the program knows (only the standard ones; fileno() is in open.cc), the
// stream also gives back the bytes that it has read ahead.
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "observe.h"
#include "open_calls.h"
#include "shared_input.h"
#include "transfer_calls.h"
#include "written_files.h"

// Before glibc 2.33 the headers turned stat() and similar calls into calls of these.
extern "C" {
int __xstat(int version, const char* path, struct stat* status) noexcept;
int __lxstat(int version, const char* path, struct stat* status) noexcept;
int __fxstat(int version, int descriptor, struct stat* status) noexcept;
int __xstat64(int version, const char* path, struct stat64* status) noexcept;
int __lxstat64(int version, const char* path, struct stat64* status) noexcept;
int __fxstat64(int version, int descriptor, struct stat64* status) noexcept;
int __fxstatat(int version, int folder, const char* path, struct stat* status, int flags) noexcept;
int __fxstatat64(int version, int folder, const char* path, struct stat64* status,
                 int flags) noexcept;
}

namespace sluice::preload {

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
SLUICE_BY_NAME(int, __fxstatat,
               (int version, int folder, const char* path, struct stat* status, int flags),
               (version, folder, path, status, flags), noexcept)
SLUICE_BY_NAME(int, __fxstatat64,
               (int version, int folder, const char* path, struct stat64* status, int flags),
               (version, folder, path, status, flags), noexcept)
SLUICE_BY_NAME(int, access, (const char* path, int mode), (path, mode), noexcept)
SLUICE_BY_NAME(int, faccessat, (int folder, const char* path, int mode, int flags),
               (folder, path, mode, flags), noexcept)
SLUICE_BY_NAME(int, statfs, (const char* path, struct statfs* status), (path, status), noexcept)
SLUICE_BY_NAME(int, statfs64, (const char* path, struct statfs64* status), (path, status), noexcept)
SLUICE_BY_NAME(int, statvfs, (const char* path, struct statvfs* status), (path, status), noexcept)
SLUICE_BY_NAME(int, statvfs64, (const char* path, struct statvfs64* status), (path, status),
               noexcept)
SLUICE_BY_NAME(int, ftw, (const char* path, __ftw_func_t visit, int descriptors),
               (path, visit, descriptors), )
SLUICE_BY_NAME(int, ftw64, (const char* path, __ftw64_func_t visit, int descriptors),
               (path, visit, descriptors), )
SLUICE_BY_NAME(int, nftw, (const char* path, __nftw_func_t visit, int descriptors, int flags),
               (path, visit, descriptors, flags), )
SLUICE_BY_NAME(int, nftw64, (const char* path, __nftw64_func_t visit, int descriptors, int flags),
               (path, visit, descriptors, flags), )
SLUICE_BY_NAME(FTS*, fts_open,
               (char* const* paths, int options, int (*order)(const FTSENT**, const FTSENT**)),
               (paths, options, order), )
SLUICE_BY_NAME(FTSENT*, fts_read, (FTS * tree), (tree), )
SLUICE_BY_NAME(FTS64*, fts64_open,
               (char* const* paths, int options, int (*order)(const FTSENT64**, const FTSENT64**)),
               (paths, options, order), )
SLUICE_BY_NAME(FTSENT64*, fts64_read, (FTS64 * tree), (tree), )

// ---- names as marks ----
SLUICE_BY_NAME(int, unlink, (const char* path), (path), noexcept)
SLUICE_BY_NAME(int, unlinkat, (int folder, const char* path, int flags), (folder, path, flags),
               noexcept)
SLUICE_BY_NAME(int, remove, (const char* path), (path), noexcept)
SLUICE_BY_NAME(int, rmdir, (const char* path), (path), noexcept)
SLUICE_BY_NAME(int, mkdir, (const char* path, mode_t mode), (path, mode), noexcept)
SLUICE_BY_NAME(int, mkdirat, (int folder, const char* path, mode_t mode), (folder, path, mode),
               noexcept)
SLUICE_BY_NAME(int, symlink, (const char* to, const char* path), (to, path), noexcept)
SLUICE_BY_NAME(int, symlinkat, (const char* to, int folder, const char* path), (to, folder, path),
               noexcept)
SLUICE_BY_NAME(int, mkfifo, (const char* path, mode_t mode), (path, mode), noexcept)
SLUICE_BY_NAME(int, mkfifoat, (int folder, const char* path, mode_t mode), (folder, path, mode),
               noexcept)
SLUICE_BY_NAME(int, mknod, (const char* path, mode_t mode, dev_t device), (path, mode, device),
               noexcept)
SLUICE_BY_NAME(int, mknodat, (int folder, const char* path, mode_t mode, dev_t device),
               (folder, path, mode, device), noexcept)
SLUICE_BY_NAME(int, mkstemp, (char* path), (path), )
SLUICE_BY_NAME(int, mkstemp64, (char* path), (path), )
SLUICE_BY_NAME(int, mkstemps, (char* path, int suffix_bytes), (path, suffix_bytes), )
SLUICE_BY_NAME(int, mkstemps64, (char* path, int suffix_bytes), (path, suffix_bytes), )
SLUICE_BY_NAME(int, mkostemp, (char* path, int flags), (path, flags), )
SLUICE_BY_NAME(int, mkostemp64, (char* path, int flags), (path, flags), )
SLUICE_BY_NAME(int, mkostemps, (char* path, int suffix_bytes, int flags),
               (path, suffix_bytes, flags), )
SLUICE_BY_NAME(int, mkostemps64, (char* path, int suffix_bytes, int flags),
               (path, suffix_bytes, flags), )
SLUICE_BY_NAME(char*, mkdtemp, (char* path), (path), noexcept)
SLUICE_BY_NAME(int, chmod, (const char* path, mode_t mode), (path, mode), noexcept)
SLUICE_BY_NAME(int, fchmodat, (int folder, const char* path, mode_t mode, int flags),
               (folder, path, mode, flags), noexcept)
SLUICE_BY_NAME(int, chown, (const char* path, uid_t owner, gid_t group), (path, owner, group),
               noexcept)
SLUICE_BY_NAME(int, lchown, (const char* path, uid_t owner, gid_t group), (path, owner, group),
               noexcept)
SLUICE_BY_NAME(int, fchownat, (int folder, const char* path, uid_t owner, gid_t group, int flags),
               (folder, path, owner, group, flags), noexcept)
SLUICE_BY_NAME(int, setxattr,
               (const char* path, const char* name, const void* value, size_t bytes, int flags),
               (path, name, value, bytes, flags), noexcept)
SLUICE_BY_NAME(int, lsetxattr,
               (const char* path, const char* name, const void* value, size_t bytes, int flags),
               (path, name, value, bytes, flags), noexcept)
SLUICE_BY_NAME(int, removexattr, (const char* path, const char* name), (path, name), noexcept)
SLUICE_BY_NAME(int, lutimes, (const char* path, const struct timeval* times), (path, times),
               noexcept)
SLUICE_BY_NAME(int, futimesat, (int folder, const char* path, const struct timeval* times),
               (folder, path, times), noexcept)

// ---- calls that decide whether a write succeeds ----
SLUICE_BY_NAME(int, setrlimit, (__rlimit_resource_t which, const struct rlimit* limit),
               (which, limit), noexcept)
SLUICE_BY_NAME(int, setrlimit64, (__rlimit_resource_t which, const struct rlimit64* limit),
               (which, limit), noexcept)
SLUICE_BY_NAME(int, prlimit,
               (pid_t process, __rlimit_resource which, const struct rlimit* limit,
                struct rlimit* before),
               (process, which, limit, before), noexcept)
SLUICE_BY_NAME(int, prlimit64,
               (pid_t process, __rlimit_resource which, const struct rlimit64* limit,
                struct rlimit64* before),
               (process, which, limit, before), noexcept)
SLUICE_BY_NAME(int, setuid, (uid_t user), (user), noexcept)
SLUICE_BY_NAME(int, seteuid, (uid_t user), (user), noexcept)
SLUICE_BY_NAME(int, setreuid, (uid_t user, uid_t effective), (user, effective), noexcept)
SLUICE_BY_NAME(int, setresuid, (uid_t user, uid_t effective, uid_t saved), (user, effective, saved),
               noexcept)

// ---- by descriptor ----
#define SLUICE_TRANSFER(DIRECTION, DATA, CALL, NAME, PARAMETERS, ARGUMENTS) \
  SLUICE_BY_DESCRIPTOR(ssize_t, NAME, PARAMETERS, ARGUMENTS, )
SLUICE_TRANSFER_CALLS(SLUICE_TRANSFER)
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
SLUICE_BY_DESCRIPTOR(int, posix_fallocate64, (int descriptor, off64_t offset, off64_t bytes),
                     (descriptor, offset, bytes), )
SLUICE_BY_DESCRIPTOR(int, lockf64, (int descriptor, int command, off64_t bytes),
                     (descriptor, command, bytes), )
SLUICE_BY_DESCRIPTOR(int, fstatfs, (int descriptor, struct statfs* status), (descriptor, status),
                     noexcept)
SLUICE_BY_DESCRIPTOR(int, fstatfs64, (int descriptor, struct statfs64* status),
                     (descriptor, status), noexcept)
SLUICE_BY_DESCRIPTOR(int, fstatvfs, (int descriptor, struct statvfs* status), (descriptor, status),
                     noexcept)
SLUICE_BY_DESCRIPTOR(int, fstatvfs64, (int descriptor, struct statvfs64* status),
                     (descriptor, status), noexcept)
SLUICE_BY_DESCRIPTOR(int, fsetxattr,
                     (int descriptor, const char* name, const void* value, size_t bytes, int flags),
                     (descriptor, name, value, bytes, flags), noexcept)
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
SLUICE_BY_DESCRIPTOR(ssize_t, tee, (int descriptor, int to, size_t bytes, unsigned flags),
                     (descriptor, to, bytes, flags), )
SLUICE_BY_DESCRIPTOR(ssize_t, vmsplice,
                     (int descriptor, const struct iovec* pieces, size_t count, unsigned flags),
                     (descriptor, pieces, count, flags), )
SLUICE_BY_NAME(void, sync, (), (), noexcept)

// ---- with a variable argument ----

namespace {

int note_opened(int descriptor, int flags) {
  if (descriptor < 0) return descriptor;
  may_hold(descriptor);
  if ((flags & O_ACCMODE) != O_RDONLY) remember_if_written(descriptor);
  return descriptor;
}

}  // namespace

#define SLUICE_OPENED(FLAGS, CALL) \
  settle_written();                \
  return note_opened(CALL, FLAGS)
SLUICE_OPEN_CALLS

// From here on the file is also written in other ways than through this descriptor.
void before_control(int descriptor, int command) {
  const bool shares = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  if (shares) share_if_input(descriptor);
  if (shares || command == F_SETFL) may_not_hold(descriptor);
}

// The argument is a number or an address, and has the size of a word either way.
#define SLUICE_CONTROL(NAME)                               \
  SLUICE_HOOK int NAME(int descriptor, int command, ...) { \
    SLUICE_REAL(NAME)                                      \
    va_list list;                                          \
    va_start(list, command);                               \
    void* const argument = va_arg(list, void*);            \
    va_end(list);                                          \
    settle_for(descriptor);                                \
    before_control(descriptor, command);                   \
    return real_function(descriptor, command, argument);   \
  }
SLUICE_CONTROL(fcntl)
SLUICE_CONTROL(fcntl64)

// The argument may be another descriptor (FICLONE).
SLUICE_HOOK int ioctl(int descriptor, unsigned long command, ...) noexcept {
  SLUICE_REAL(ioctl)
  va_list list;
  va_start(list, command);
  void* const argument = va_arg(list, void*);
  va_end(list);
  settle_all();
  return real_function(descriptor, command, argument);
}

}  // namespace sluice::preload
