#include "program_kind.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace sluice::preload {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half own_machine = EM_AARCH64;
#else
#error "sluice run knows x86-64 and AArch64"
#endif

// The kernel follows at most this many scripts that are interpreted by scripts.
constexpr int max_interpreters = 4;

// The runtimes of gcc and of clang. If clang has linked its runtime into the program, the runtime
// need not be the first library.
constexpr const char* sanitizer_libraries[] = {"libasan.so", "libclang_rt.asan"};

struct Table {
  size_t offset;
  size_t count;
};

class ProgramFile {
 public:
  ProgramFile(int folder, const char* path, decltype(&::syscall) ask)
      : ask_(ask), folder_(folder), path_(path) {
    constexpr int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
    descriptor_ = static_cast<int>(ask_(SYS_openat, folder, path, flags));
    read(beginning_, sizeof beginning_ - 1, 0);
  }
  ~ProgramFile() {
    if (descriptor_ >= 0) ask_(SYS_close, descriptor_);
  }
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;

  ProgramKind kind() const {
    if (gains_rights()) return ProgramKind::gaining_rights;
    Elf64_Ehdr header;
    memcpy(&header, beginning_, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return ProgramKind::coverable;
    if (header.e_ident[EI_CLASS] == ELFCLASS32) return ProgramKind::of_other_word_size;
    if (header.e_ident[EI_CLASS] != ELFCLASS64) return ProgramKind::coverable;
    if (header.e_machine != own_machine) return ProgramKind::for_other_processor;
    const Table segments{header.e_phoff, header.e_phnum};
    Elf64_Phdr loader;
    if (!find(segments, loader, [](const Elf64_Phdr& it) { return it.p_type == PT_INTERP; }))
      return ProgramKind::statically_linked;
    if (is_musl(loader)) return ProgramKind::of_other_c_library;
    return needs_sanitizer(segments) ? ProgramKind::address_sanitized : ProgramKind::coverable;
  }

  // Gives the name of the script's interpreter. False if the file is not a script.
  bool read_interpreter(Interpreter& interpreter) const {
    if (strncmp(beginning_, "#!", 2) != 0) return false;
    const char* const begin = beginning_ + 2 + strspn(beginning_ + 2, " \t");
    const size_t length = strcspn(begin, " \t\n");
    if (length == 0) return false;
    memcpy(interpreter, begin, length);
    interpreter[length] = '\0';
    return true;
  }

 private:
  long read(void* memory, size_t bytes, size_t offset) const {
    return descriptor_ < 0 ? -1 : ask_(SYS_pread64, descriptor_, memory, bytes, offset);
  }

  // A user who cannot gain rights has them already.
  bool gains_rights() const {
    struct stat status {};
    const long result = descriptor_ >= 0 ? ask_(SYS_fstat, descriptor_, &status)
                                         : ask_(SYS_newfstatat, folder_, path_, &status, 0);
    if (result != 0) return false;
    return ((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid()) ||
           ((status.st_mode & S_ISGID) != 0 && status.st_gid != getgid()) ||
           (geteuid() != 0 && has_capabilities());
  }

  // A file that may be executed need not be readable.
  bool has_capabilities() const {
    constexpr char attribute[] = "security.capability";
    if (descriptor_ >= 0) return ask_(SYS_fgetxattr, descriptor_, attribute, nullptr, 0) > 0;
    const bool is_found_by_path = folder_ == AT_FDCWD || *path_ == '/';
    return is_found_by_path && ask_(SYS_getxattr, path_, attribute, nullptr, 0) > 0;
  }

  // Reads many entries of the file's table at once, because a shell starts many programs.
  template <typename Entry, typename IsWanted>
  bool find(const Table& table, Entry& found, IsWanted is_wanted) const {
    Entry entries[1024 / sizeof(Entry)];
    constexpr size_t most = sizeof entries / sizeof(Entry);
    for (size_t first = 0; first < table.count; first += most) {
      const size_t wanted = table.count - first < most ? table.count - first : most;
      const auto bytes = static_cast<long>(wanted * sizeof(Entry));
      if (read(entries, wanted * sizeof(Entry), table.offset + first * sizeof(Entry)) != bytes)
        return false;
      for (size_t i = 0; i < wanted; ++i) {
        found = entries[i];
        if (is_wanted(found)) return true;
      }
    }
    return false;
  }

  // The last part of the loader's path is its name.
  bool is_musl(const Elf64_Phdr& loader) const {
    char name[64] = "";
    constexpr size_t most = sizeof name - 1;
    const size_t wanted = loader.p_filesz < most ? loader.p_filesz : most;
    read(name, wanted, loader.p_offset + (loader.p_filesz - wanted));
    return strstr(name, "ld-musl") != nullptr;
  }

  // Tells whether the address sanitizer is among the libraries that the program names.
  bool needs_sanitizer(const Table& segments) const {
    Elf64_Phdr dynamic;
    Elf64_Phdr loaded;
    Elf64_Dyn entry;
    const auto is_dynamic = [](const Elf64_Phdr& it) { return it.p_type == PT_DYNAMIC; };
    if (!find(segments, dynamic, is_dynamic)) return false;
    const Table entries{dynamic.p_offset, dynamic.p_filesz / sizeof entry};
    const auto is_names = [](const Elf64_Dyn& it) { return it.d_tag == DT_STRTAB; };
    if (!find(entries, entry, is_names)) return false;
    const size_t names = entry.d_un.d_ptr;
    const auto holds_names = [names](const Elf64_Phdr& it) {
      return it.p_type == PT_LOAD && names - it.p_vaddr < it.p_filesz;
    };
    if (!find(segments, loaded, holds_names)) return false;
    const size_t names_offset = names - loaded.p_vaddr + loaded.p_offset;
    return find(entries, entry, [this, names_offset](const Elf64_Dyn& it) {
      return it.d_tag == DT_NEEDED && is_sanitizer(names_offset + it.d_un.d_val);
    });
  }

  bool is_sanitizer(size_t offset) const {
    char name[256] = "";
    read(name, sizeof name - 1, offset);
    for (const char* const library : sanitizer_libraries) {
      if (strstr(name, library) != nullptr) return true;
    }
    return false;
  }

  decltype(&::syscall) ask_;
  int folder_;
  const char* path_;
  int descriptor_;
  Interpreter beginning_{};  // with a zero at its end
};

}  // namespace

ProgramKind program_kind(int folder, const char* path, Interpreter& interpreter,
                         decltype(&::syscall) ask) {
  char own_name[32];
  if (*path == '\0') {
    snprintf(own_name, sizeof own_name, "/proc/self/fd/%d", folder);
    path = own_name;
  }
  *interpreter = '\0';
  for (int depth = 0;; ++depth) {
    const ProgramFile file(folder, path, ask);
    const ProgramKind kind = file.kind();
    if (kind != ProgramKind::coverable || depth == max_interpreters) return kind;
    if (!file.read_interpreter(interpreter)) return kind;
    folder = AT_FDCWD;
    path = interpreter;
  }
}

}  // namespace sluice::preload
