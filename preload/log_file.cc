#include "log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "keep_errno.h"
#include "real.h"

namespace sluice::preload {

namespace {

// The process has one thread when it uses this path, and may have forked on a small stack.
constinit char path[4096] = "";

}  // namespace

// The kernel is asked directly, because open() is hooked.
int create_log_file(const char* folder, const char* kind) {
  // A process that execs keeps its number. The next free suffix tells its programs apart.
  for (int suffix = 0; suffix < 1000; ++suffix) {
    const int length = snprintf(path, sizeof path, "%s/%d.%d.%s", folder,
                                static_cast<int>(getpid()), suffix, kind);
    if (length < 0 || static_cast<size_t>(length) >= sizeof path) break;
    const int descriptor = static_cast<int>(
        real().syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (descriptor >= 0) return descriptor;
    if (errno != EEXIST) break;
  }
  *path = '\0';
  return -1;
}

void remove_created_log_file() {
  const KeepErrno kept;
  real().syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

// A process that has given up being root may still have root's capabilities, which the next program
// does not get. access(2) leaves them out.
bool may_create_log_file(const char* folder) {
  const KeepErrno kept;
  return real().syscall(SYS_faccessat, AT_FDCWD, folder, W_OK | X_OK) == 0;
}

}  // namespace sluice::preload
