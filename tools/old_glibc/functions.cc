// Functions and variables that glibc 2.31 does not export.
#include <dlfcn.h>
#include <link.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstdlib>

// The names that glibc 2.31 has instead.
extern "C" {
int __xstat(int version, const char* path, struct stat* status) noexcept;
int __lxstat(int version, const char* path, struct stat* status) noexcept;
int __fxstat(int version, int descriptor, struct stat* status) noexcept;
extern const char* const old_sigabbrev[];
}
__asm__(".symver old_sigabbrev, sys_sigabbrev@GLIBC_2.3.3");

namespace {

constexpr int stat_version_of_linux = 1;
constexpr int signals = 65;

bool has_address(const dl_phdr_info& object, std::uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    const std::uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= begin && address - begin < segment.p_memsz) {
      return true;
    }
  }
  return false;
}

struct Search {
  std::uintptr_t address;
  void* unwinding_table;
};

int look_into(dl_phdr_info* object, std::size_t, void* context) {
  auto& search = *static_cast<Search*>(context);
  if (!has_address(*object, search.address)) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_GNU_EH_FRAME) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells addresses as numbers
    search.unwinding_table = reinterpret_cast<void*>(object->dlpi_addr + segment.p_vaddr);
  }
  return 1;
}

}  // namespace

extern "C" {

#pragma GCC visibility push(hidden)

// Without this flag, a program counts as one with several threads.
char __libc_single_threaded = 0;

int stat(const char* path, struct stat* status) noexcept {
  return __xstat(stat_version_of_linux, path, status);
}

int lstat(const char* path, struct stat* status) noexcept {
  return __lxstat(stat_version_of_linux, path, status);
}

int fstat(int descriptor, struct stat* status) noexcept {
  return __fxstat(stat_version_of_linux, descriptor, status);
}

// On this processor both structures are the same.
int fstat64(int descriptor, struct stat64* status) noexcept {
  return __fxstat(stat_version_of_linux, descriptor, reinterpret_cast<struct stat*>(status));
}

const char* sigabbrev_np(int signal) noexcept {
  return signal < 0 || signal >= signals ? nullptr : old_sigabbrev[signal];
}

std::uint32_t arc4random() noexcept {
  std::uint32_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) std::abort();
  return random;
}

// The compiler's runtime asks for the table by which an exception leaves the code at this address.
int _dl_find_object(void* address, dl_find_object* found) noexcept {
  Search search{reinterpret_cast<std::uintptr_t>(address), nullptr};
  ::dl_iterate_phdr(look_into, &search);
  if (search.unwinding_table == nullptr) return -1;
  *found = {};
  found->dlfo_eh_frame = search.unwinding_table;
  return 0;
}

#pragma GCC visibility pop
}
