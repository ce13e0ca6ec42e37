#include "shared_input.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "buffers.h"
#include "real.h"
#include "same_file.h"

namespace sluice::preload {
namespace {

constinit bool is_shared = false;

// A process that has opened the file itself is taken for one that shares its position.
bool any_is_same_file(const char* entries, long bytes, const struct stat& status) {
  for (long at = 0; at < bytes;) {
    const auto* const entry = reinterpret_cast<const dirent64*>(entries + at);
    const int descriptor = atoi(entry->d_name);  // 0 for "." and ".."
    if (descriptor != STDIN_FILENO && leads_to(descriptor, status)) return true;
    at += entry->d_reclen;
  }
  return false;
}

// Reads /proc by system calls, because opendir() allocates and is itself hooked. Without /proc
// nothing is known.
bool has_another_descriptor(const struct stat& status) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  const long folder = real().syscall(SYS_openat, AT_FDCWD, "/proc/self/fd", flags);
  if (folder < 0) return true;
  alignas(dirent64) char entries[1024];
  bool found = false;
  long bytes = 0;
  do {
    bytes = real().syscall(SYS_getdents64, folder, entries, sizeof entries);
    found = any_is_same_file(entries, bytes, status);
  } while (bytes > 0 && !found);
  real().syscall(SYS_close, folder);
  return found || bytes < 0;
}

}  // namespace

void share_input() {
  is_shared = true;
  return_to_plain_buffer(stdin);
}

void share_if_input(int descriptor) {
  if (descriptor == STDIN_FILENO) share_input();
}

bool is_input_shared(const struct stat& status) {
  const int error = errno;
  is_shared = is_shared || has_another_descriptor(status);
  errno = error;
  return is_shared;
}

}  // namespace sluice::preload
