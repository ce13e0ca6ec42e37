#include "program.h"

#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "memory.h"
#include "program_kind.h"
#include "real.h"

namespace sluice::preload {
namespace {

size_t longest_folder(const char* folders) {
  size_t longest = 0;
  for (size_t length = 0;; folders += length + 1) {
    length = strcspn(folders, ":");
    if (length > longest) longest = length;
    if (folders[length] == '\0') return longest;
  }
}

}  // namespace

// The kernel is asked directly: the functions are hooked. A call with a bad address starts nothing.
bool can_be_covered(int folder, const char* path) {
  if (!may_be_memory(path)) return true;
  const int error = errno;
  Interpreter interpreter;
  const ProgramKind kind = program_kind(folder, path, interpreter, real().syscall);
  errno = error;
  return kind == ProgramKind::coverable;
}

bool can_be_covered_by_name(const char* file) {
  if (!may_be_memory(file)) return true;
  if (strchr(file, '/') != nullptr) return can_be_covered(AT_FDCWD, file);
  const char* folders = getenv("PATH");
  if (folders == nullptr) folders = "/bin:/usr/bin";
  const size_t most = longest_folder(folders) + strlen(file) + 2;
  const size_t path_bytes = most < PATH_MAX ? most : PATH_MAX;
  char* const path = static_cast<char*>(alloca(path_bytes));
  const int error = errno;
  while (true) {
    const size_t length = strcspn(folders, ":");
    if (length + strlen(file) + 2 <= path_bytes) {
      memcpy(path, folders, length);
      char* const name = path + length;
      strcpy(length == 0 ? name : stpcpy(name, "/"), file);
      const bool found = real().syscall(SYS_faccessat, AT_FDCWD, path, X_OK) == 0;
      errno = error;
      if (found) return can_be_covered(AT_FDCWD, path);
    }
    if (folders[length] == '\0') return true;
    folders += length + 1;
  }
}

}  // namespace sluice::preload
