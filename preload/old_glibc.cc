// What the objects of --coalesce and of `sluice trace` need in place of functions of newer glibcs.
#include <dlfcn.h>
#include <link.h>

#include "range.h"

namespace sluice::preload {
namespace {

using FindObject = int(void*, dl_find_object*) noexcept;
constinit FindObject* find_object_of_glibc = nullptr;

// dlsym() waits for the loader's lock, which a thread of the parent may have held during a fork.
[[gnu::constructor]] void find_function_of_glibc() {
  find_object_of_glibc = reinterpret_cast<FindObject*>(dlsym(RTLD_DEFAULT, "_dl_find_object"));
}

struct Search {
  const void* address;
  dl_find_object& found;
};

int look_at(dl_phdr_info* info, size_t, void* data) {
  const auto& search = *static_cast<const Search*>(data);
  const Range range = range_of(*info);
  if (!range.contains(reinterpret_cast<uintptr_t>(search.address))) return 0;
  // NOLINTBEGIN(performance-no-int-to-ptr): the loader gives addresses as numbers
  search.found.dlfo_map_start = reinterpret_cast<void*>(range.begin);
  search.found.dlfo_map_end = reinterpret_cast<void*>(range.end);
  // NOLINTEND(performance-no-int-to-ptr)
  link_map* object = _r_debug.r_map;
  while (object != nullptr && object->l_name != info->dlpi_name) object = object->l_next;
  search.found.dlfo_link_map = object;
  return object == nullptr ? 0 : 1;
}

}  // namespace

// A function of glibc since 2.35, which takes no lock. With an older glibc this one takes the
// loader's lock. The stack was unwound before, and there unwinding takes this lock too.
extern "C" __attribute__((visibility("hidden"))) int _dl_find_object(
    void* address, dl_find_object* found) noexcept {
  if (find_object_of_glibc != nullptr) return find_object_of_glibc(address, found);
  Search search{address, *found};
  return dl_iterate_phdr(look_at, &search) == 0 ? -1 : 0;
}

}  // namespace sluice::preload
