#include "sites.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "place_table.h"
#include "real.h"
#include "recorder.h"

namespace sluice::preload {

constinit Range program{};

namespace {

// Libraries between a program and its files. A call out of one of them is attributed to its caller.
constexpr const char* seen_through[] = {"libc.so", "libc-",    "libstdc++",      "libgfortran",
                                        "libc++",  "libgcc_s", "libsluice_trace"};

// The code of some loaded files.
struct Ranges {
  static constexpr size_t most = 32;
  Range range[most];
  std::atomic<size_t> used;

  bool contain(uintptr_t address) const {
    for (size_t i = 0; i < used; ++i) {
      if (range[i].contains(address)) return true;
    }
    return false;
  }
  void add(const Range& code) {
    if (contain(code.begin) || used == most) return;
    range[used] = code;
    ++used;
  }
};
constinit Ranges hidden{};
constinit Ranges callers{};  // the program, and other files from which calls have come
constinit Range own{};

bool is_library_between(const char* path) {
  const char* const slash = strrchr(path, '/');
  const char* const name = slash == nullptr ? path : slash + 1;
  for (const char* const prefix : seen_through) {
    if (strncmp(name, prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

SLUICE_FAR constinit char path_of_program[PATH_MAX] = "";

int look_at_module(dl_phdr_info* info, size_t, void* first) {
  const Range range = range_of(*info, PF_X);
  if (range.begin >= range.end) return 0;
  if (*static_cast<bool*>(first)) callers.add(program = range);
  *static_cast<bool*>(first) = false;
  if (range.contains(reinterpret_cast<uintptr_t>(&look_at_module))) own = range;
  if (is_library_between(info->dlpi_name)) hidden.add(range);
  return 0;
}

bool is_in_known_module(uintptr_t address) {
  const uint32_t known = __atomic_load_n(&log->modules, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < known && i < max_modules; ++i) {
    const Module& module = log->module(i);
    if (address - module.begin < module.end - module.begin) return true;
  }
  return false;
}

// The first page of most files has their headers. (Tools that change a file may move them to its
// end.) Otherwise all of the file counts as code.
Range code_of(const dl_find_object& found) {
  constexpr size_t smallest_page_bytes = 4096;
  const auto* const first = static_cast<const char*>(found.dlfo_map_start);
  const auto* const header = reinterpret_cast<const ElfW(Ehdr)*>(first);
  const size_t headers_end = header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr));
  if (memcmp(first, ELFMAG, SELFMAG) != 0 || headers_end > smallest_page_bytes) {
    return {reinterpret_cast<uintptr_t>(first), reinterpret_cast<uintptr_t>(found.dlfo_map_end)};
  }
  dl_phdr_info info{};
  info.dlpi_addr = found.dlfo_link_map->l_addr;
  info.dlpi_phdr = reinterpret_cast<const ElfW(Phdr)*>(first + header->e_phoff);
  info.dlpi_phnum = header->e_phnum;
  return range_of(info, PF_X);
}

constinit std::atomic_flag adding = ATOMIC_FLAG_INIT;

void remember_module_at(uintptr_t address) {
  dl_find_object found{};
  if (_dl_find_object(reinterpret_cast<void*>(address), &found) != 0) return;
  const auto begin = reinterpret_cast<uintptr_t>(found.dlfo_map_start);
  const auto end = reinterpret_cast<uintptr_t>(found.dlfo_map_end);
  const char* const name =
      program.contains(address) ? path_of_program : found.dlfo_link_map->l_name;
  while (adding.test_and_set(std::memory_order_acquire)) continue;
  if (!is_in_known_module(address)) {
    keep_module({begin, end, found.dlfo_link_map->l_addr, keep_text(name)});
    (is_library_between(found.dlfo_link_map->l_name) ? hidden : callers).add(code_of(found));
  }
  adding.clear(std::memory_order_release);
}

// A module is found when the first call site lies in it: the program may load libraries at any
// time. dl_iterate_phdr() would wait for the loader's lock, which a thread of the parent may have
// held during a fork.
void remember_modules_of(const uint64_t (&frames)[max_frames]) {
  for (const uint64_t frame : frames) {
    if (frame == 0) return;
    const uintptr_t address = frame - 1;  // inside of the call
    if (!is_in_known_module(address)) remember_module_at(address);
  }
}

SLUICE_FAR constinit FarPlaces<max_sites> far_sites{};
using Places = PlaceTable<far_sites>;
constinit Places places{};

uint32_t find_site(const uint64_t (&frames)[max_frames]) {
  const uint64_t hash = hash_of_bytes(0, frames, sizeof frames);
  const auto is_it = [&](uint32_t place) {
    return memcmp(log->site(place).frames, frames, sizeof frames) == 0;
  };
  return places.find(hash, is_it, [&] {
    remember_modules_of(frames);
    const uint32_t place = new_site();
    if (place != Places::last_place) memcpy(log->site(place).frames, frames, sizeof frames);
    return place;
  });
}

constexpr uintptr_t no_address = 0;

// Returns how many addresses it has found.
size_t walk_stack(KnownPlaces& known, const Range& stack) {
  constexpr size_t max_words = 192;
  size_t found = 0;
  const auto* word = static_cast<const uintptr_t*>(known.caller.frame);
  const bool is_known = stack.contains(reinterpret_cast<uintptr_t>(word));
  for (size_t i = 0; i < max_words && found < KnownPlaces::most; ++i, ++word) {
    const auto at = reinterpret_cast<uintptr_t>(word);
    if (is_known ? at >= stack.end : at % page_bytes == 0 && !is_readable(word)) break;
    if (callers.contain(*word)) known.place[found++] = word;
  }
  return found;
}

// The page of the frame is there as long as the frame is.
bool is_on_one_page(const void* frame, const void* last) {
  return reinterpret_cast<uintptr_t>(frame) / page_bytes ==
         reinterpret_cast<uintptr_t>(last) / page_bytes;
}

}  // namespace

void look_at_modules() {
  bool first = true;
  real().syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path_of_program,
                 sizeof path_of_program - 1);
  dl_iterate_phdr(look_at_module, &first);
}

void forget_sites() {
  adding.clear();  // another thread of the parent may have held it during the fork
  places.clear();
}

// A signal handler may change the known places in between, so the result is of a copy.
uint64_t path_of(Caller caller, KnownStack& stack) {
  const auto address = reinterpret_cast<uintptr_t>(caller.address);
  if (!hidden.contain(address)) return address;
  constexpr const uintptr_t* none = &no_address;
  KnownPlaces known{caller, {none, none, none, none}};
  const size_t found = walk_stack(known, stack.range);
  if (found > 0 && (stack.range.contains(reinterpret_cast<uintptr_t>(caller.frame)) ||
                    is_on_one_page(caller.frame, known.place[found - 1]))) {
    stack.places_of(caller)[stack.added++ % KnownStack::ways] = known;
  }
  return known.path();
}

bool is_own(const void* address) { return own.contains(reinterpret_cast<uintptr_t>(address)); }

// This object's own frames come first, and are left out.
bool keep_frame(Unwound& room, uintptr_t address) {
  if (address == 0 || room.count == max_frames) return false;
  if (room.count > 0 || !own.contains(address)) room.frames[room.count++] = address;
  return true;
}

uint32_t site_of_this_call(Caller caller, bool may_unwind, Unwound& room) {
  room = {};
  if (may_unwind) {
    unwind(room);
  } else {
    room.frames[0] = reinterpret_cast<uint64_t>(caller.address);
  }
  return find_site(room.frames);
}

}  // namespace sluice::preload
