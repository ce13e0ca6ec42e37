#include "program.h"

#include <alloca.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "real.h"

namespace sluice::preload {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half own_machine = EM_AARCH64;
#endif

// The kernel follows as many scripts that are interpreted by scripts.
constexpr int most_interpreters = 4;

enum class Kind { covered, not_covered, script };

// What the kernel reads of a script to find its interpreter. Whoever executes a program may have
// little stack.
constexpr size_t most_script_bytes = 256;
using Interpreter = char[most_script_bytes];

// The kernel is asked directly: the functions are hooked.
class ProgramFile {
 public:
  ProgramFile(int folder, const char* path) {
    char own_name[32];
    if (*path == '\0') {
      snprintf(own_name, sizeof own_name, "/proc/self/fd/%d", folder);
      path = own_name;
    }
    constexpr int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
    descriptor_ = static_cast<int>(ask_(SYS_openat, folder, path, flags));
  }
  ~ProgramFile() {
    if (descriptor_ >= 0) ask_(SYS_close, descriptor_);
  }
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;

  // Where it is a script, `interpreter` becomes the name of what runs it.
  Kind kind(Interpreter& interpreter) const {
    if (gains_rights()) return Kind::not_covered;
    Elf64_Ehdr header;
    const long got = read(&header, sizeof header, 0);
    const char* const text = reinterpret_cast<const char*>(&header);
    if (got > 2 && memcmp(text, "#!", 2) == 0) return read_interpreter(interpreter);
    if (got != sizeof header || memcmp(text, ELFMAG, SELFMAG) != 0) return Kind::covered;
    const bool own = header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == own_machine;
    return own && has_own_loader(header) ? Kind::covered : Kind::not_covered;
  }

 private:
  long read(void* memory, size_t bytes, size_t offset) const {
    return descriptor_ < 0 ? -1 : ask_(SYS_pread64, descriptor_, memory, bytes, offset);
  }

  // Whoever may gain none has them already.
  bool gains_rights() const {
    struct stat status {};
    if (descriptor_ < 0 || ask_(SYS_fstat, descriptor_, &status) != 0) return false;
    return ((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid()) ||
           ((status.st_mode & S_ISGID) != 0 && status.st_gid != getgid());
  }

  bool has_own_loader(const Elf64_Ehdr& header) const {
    for (size_t i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment;
      const size_t offset = header.e_phoff + i * sizeof segment;
      if (read(&segment, sizeof segment, offset) != sizeof segment) return true;
      if (segment.p_type != PT_INTERP) continue;
      return !is_musl(segment.p_offset, segment.p_filesz);
    }
    return false;
  }

  // The loader's name is the end of its path.
  bool is_musl(size_t offset, size_t bytes) const {
    char name[64] = "";
    constexpr size_t most = sizeof name - 1;
    const size_t wanted = bytes < most ? bytes : most;
    read(name, wanted, offset + (bytes - wanted));
    return strstr(name, "ld-musl") != nullptr;
  }

  Kind read_interpreter(Interpreter& interpreter) const {
    memset(interpreter, 0, sizeof interpreter);
    read(interpreter, sizeof interpreter - 1, 2);
    const char* const begin = interpreter + strspn(interpreter, " \t");
    const size_t length = strcspn(begin, " \t\n");
    memmove(interpreter, begin, length);
    interpreter[length] = '\0';
    return length == 0 ? Kind::covered : Kind::script;
  }

  decltype(&::syscall) ask_ = real().syscall;
  int descriptor_;
};

size_t longest_folder(const char* folders) {
  size_t longest = 0;
  for (size_t length = 0;; folders += length + 1) {
    length = strcspn(folders, ":");
    if (length > longest) longest = length;
    if (folders[length] == '\0') return longest;
  }
}

}  // namespace

bool can_be_covered(int folder, const char* path) {
  const int error = errno;
  Interpreter interpreter;
  Kind kind = ProgramFile(folder, path).kind(interpreter);
  for (int depth = 0; kind == Kind::script && depth < most_interpreters; ++depth) {
    kind = ProgramFile(AT_FDCWD, interpreter).kind(interpreter);
  }
  errno = error;
  return kind != Kind::not_covered;
}

bool can_be_covered_by_name(const char* file) {
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
