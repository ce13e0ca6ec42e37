#include "log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "keep_errno.h"
#include "real.h"

namespace sluice::preload {

namespace {

constinit char path[4096] = "";  // not on the stack: the process may have forked on a small one

}  // namespace

char* append_number(char* to, unsigned number) {
  if (number >= 10) to = append_number(to, number / 10);
  *to = static_cast<char>('0' + number % 10);
  return to + 1;
}

const char* path_of_log(const char* folder, const char* name) {
  if (strlen(folder) + 1 + strlen(name) >= sizeof path) return nullptr;
  stpcpy(stpcpy(stpcpy(path, folder), "/"), name);
  return path;
}

// The kernel is asked directly, because open() is hooked.
int create_log_file(const char* folder, const char* kind) {
  // A process that execs keeps its number. The next free suffix tells its programs apart.
  char name[64];
  char* const number = stpcpy(append_number(name, static_cast<unsigned>(getpid())), ".");
  for (unsigned suffix = 0; suffix < 1000; ++suffix) {
    stpcpy(stpcpy(append_number(number, suffix), "."), kind);
    if (path_of_log(folder, name) == nullptr) break;
    const int descriptor = static_cast<int>(
        real().syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (descriptor >= 0) return descriptor;
    if (errno != EEXIST) break;
  }
  *path = '\0';
  return -1;
}

bool may_be_as_long(size_t bytes) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= bytes;
}

void remove_created_log_file() {
  const KeepErrno kept;
  real().syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

// A process that has given up being root may still have root's capabilities, which the next program
// does not get. access(2) leaves them out, and open(2) does not.
bool may_reach(const char* name, int rights) {
  const KeepErrno kept;
  return real().syscall(SYS_faccessat, AT_FDCWD, name, rights) == 0;
}

}  // namespace sluice::preload
