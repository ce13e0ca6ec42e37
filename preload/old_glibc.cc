// The function of newer glibcs that the object of `sluice trace` needs.
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

namespace {

struct Headers {
  const ElfW(Phdr) * first;
  size_t count;
};

Headers headers_of_program() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives the address as a number
  return {reinterpret_cast<const ElfW(Phdr)*>(getauxval(AT_PHDR)), getauxval(AT_PHNUM)};
}

// The header of a library's file is the library's first memory.
Headers headers_of_library(const link_map& library) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives the address as a number
  const auto* const header = reinterpret_cast<const ElfW(Ehdr)*>(library.l_addr);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return {nullptr, 0};
  const char* const begin = reinterpret_cast<const char*>(header);
  return {reinterpret_cast<const ElfW(Phdr)*>(begin + header->e_phoff), header->e_phnum};
}

// Puts the memory from the first to the last segment into `found`. False without `address` in it.
bool contains(const link_map& object, const Headers& headers, const void* address,
              dl_find_object& found) {
  uintptr_t begin = UINTPTR_MAX;
  uintptr_t end = 0;
  for (size_t i = 0; i < headers.count; ++i) {
    const ElfW(Phdr)& segment = headers.first[i];
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t start = object.l_addr + segment.p_vaddr;
    begin = start < begin ? start : begin;
    end = start + segment.p_memsz > end ? start + segment.p_memsz : end;
  }
  // NOLINTBEGIN(performance-no-int-to-ptr): the loader gives addresses as numbers
  found.dlfo_map_start = reinterpret_cast<void*>(begin);
  found.dlfo_map_end = reinterpret_cast<void*>(end);
  // NOLINTEND(performance-no-int-to-ptr)
  return found.dlfo_map_start <= address && address < found.dlfo_map_end;
}

using FindObject = int(void*, dl_find_object*) noexcept;
constinit FindObject* find_object_of_glibc = nullptr;

// dlsym() waits for the loader's lock, which a thread of the parent may have held during a fork.
[[gnu::constructor]] void find_functions_of_glibc() {
  find_object_of_glibc = reinterpret_cast<FindObject*>(dlsym(RTLD_DEFAULT, "_dl_find_object"));
}

}  // namespace

// A function of glibc since 2.35. It takes no lock. With an older glibc, neither does this one: it
// walks through the loader's list, whose first object is the program.
extern "C" __attribute__((visibility("hidden"))) int _dl_find_object(
    void* address, dl_find_object* found) noexcept {
  if (find_object_of_glibc != nullptr) return find_object_of_glibc(address, found);
  Headers headers = headers_of_program();
  for (link_map* object = _r_debug.r_map; object != nullptr; object = object->l_next) {
    found->dlfo_link_map = object;
    if (contains(*object, headers, address, *found)) return 0;
    if (object->l_next != nullptr) headers = headers_of_library(*object->l_next);
  }
  return -1;
}
