#include "sites.h"

#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

namespace sluice::preload {

constinit Range program{};

namespace {

// Libraries between a program and its files. A call out of one of them is attributed to its caller.
constexpr const char* seen_through[] = {"libc.so", "libc-",    "libstdc++",
                                        "libc++",  "libgcc_s", "libsluice_trace"};
constexpr size_t max_ranges = 16;
constinit Range hidden[max_ranges]{};
constinit size_t hidden_ranges = 0;
constinit Range own{};

bool is_hidden(uintptr_t address) {
  for (size_t i = 0; i < hidden_ranges; ++i) {
    if (hidden[i].contains(address)) return true;
  }
  return false;
}

bool is_seen_through(const char* path) {
  const char* const slash = strrchr(path, '/');
  const char* const name = slash == nullptr ? path : slash + 1;
  for (const char* const prefix : seen_through) {
    if (strncmp(name, prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

Range range_of(const dl_phdr_info& info) {
  Range range{UINTPTR_MAX, 0};
  for (size_t i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
    if (begin < range.begin) range.begin = begin;
    if (begin + segment.p_memsz > range.end) range.end = begin + segment.p_memsz;
  }
  return range;
}

const char* path_of_program() {
  static char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length < 0 ? 0 : length] = '\0';
  return path;
}

int remember_module(dl_phdr_info* info, size_t, void* first) {
  const bool is_program = *static_cast<bool*>(first);
  *static_cast<bool*>(first) = false;
  const Range range = range_of(*info);
  const char* const path = is_program ? path_of_program() : info->dlpi_name;
  if (range.begin >= range.end || *path == '\0') return 0;
  if (is_program) program = range;
  if (range.contains(reinterpret_cast<uintptr_t>(&remember_module))) own = range;
  if (is_seen_through(path) && hidden_ranges < max_ranges) hidden[hidden_ranges++] = range;
  keep_module({range.begin, range.end, info->dlpi_addr, keep_text(path), 0});
  return 0;
}

bool is_in_known_module(uintptr_t address) {
  const uint32_t known = __atomic_load_n(&log->modules, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < known && i < max_modules; ++i) {
    const Module& module = log->module[i];
    if (address - module.begin < module.end - module.begin) return true;
  }
  return false;
}

// Only one thread is here at a time, because the loader has a lock for its list.
int remember_module_of(dl_phdr_info* info, size_t, void* address) {
  const Range range = range_of(*info);
  const auto wanted = *static_cast<const uintptr_t*>(address);
  if (!range.contains(wanted) || *info->dlpi_name == '\0' || is_in_known_module(wanted)) return 0;
  keep_module({range.begin, range.end, info->dlpi_addr, keep_text(info->dlpi_name), 0});
  return 1;
}

// The program may load libraries at any time. A library that was loaded later is found when the
// first new call site lies in it.
void remember_new_modules(const uint64_t (&frames)[max_frames]) {
  for (uint64_t frame : frames) {
    if (frame == 0) return;
    uintptr_t address = frame - 1;  // inside of the call
    if (!is_in_known_module(address)) dl_iterate_phdr(remember_module_of, &address);
  }
}

// The places of known sites, by a hash of their stack. If two threads find the same site at once,
// there are two entries for it; the reader puts them together.
constexpr size_t buckets = 8192;
constinit uint32_t site_in[buckets]{};

constexpr uint64_t mix(uint64_t hash, uint64_t value) {
  return (hash ^ value) * 0x9E3779B97F4A7C15 + (hash >> 29);
}

uint32_t find_site(const uint64_t (&frames)[max_frames]) {
  uint64_t hash = 0;
  for (const uint64_t frame : frames) hash = mix(hash, frame);
  for (size_t i = 0; i < 16; ++i) {
    uint32_t& place = site_in[(hash + i) % buckets];
    if (place == 0) {
      remember_new_modules(frames);
      place = new_site();
      memcpy(log->site[place].frames, frames, sizeof frames);
      return place;
    }
    if (memcmp(log->site[place].frames, frames, sizeof frames) == 0) return place;
  }
  return max_sites - 1;
}

// Pages have at least this size.
constexpr uintptr_t page_bytes = 4096;

// The address is checked by a system call that reads its argument and then does nothing, because
// the requested action does not exist.
bool is_readable(uintptr_t address) {
  constexpr int no_action = -1;
  const int error = errno;
  const bool readable =
      syscall(SYS_rt_sigprocmask, no_action, address, nullptr, sizeof(uint64_t)) == 0 ||
      errno != EFAULT;
  errno = error;
  return readable;
}

}  // namespace

void remember_modules() {
  hidden_ranges = 0;
  log->modules = 0;
  memset(site_in, 0, sizeof site_in);
  bool first = true;
  dl_iterate_phdr(remember_module, &first);
  void* warm_up[2];
  backtrace(warm_up, 2);  // loads its library now, and not in the middle of a call
}

bool is_own(const void* caller) { return own.contains(reinterpret_cast<uintptr_t>(caller)); }

uint64_t path_from_library(const void* caller, const void* frame, const Range& stack) {
  const auto address = reinterpret_cast<uintptr_t>(caller);
  if (!is_hidden(address)) return address;
  constexpr size_t max_words = 192;
  constexpr int enough = 4;
  uint64_t hash = address;
  int found = 0;
  const auto* word = static_cast<const uintptr_t*>(frame);
  const bool is_known = stack.contains(reinterpret_cast<uintptr_t>(word));
  for (size_t i = 0; i < max_words && found < enough; ++i, ++word) {
    const auto at = reinterpret_cast<uintptr_t>(word);
    if (is_known ? at >= stack.end : at % page_bytes == 0 && !is_readable(at)) break;
    if (!program.contains(*word)) continue;
    hash = mix(hash, *word);
    ++found;
  }
  return hash;
}

uint32_t site_of_this_call(Unwound& room) {
  const int count = backtrace(room.stack, max_frames + 8);
  memset(room.frames, 0, sizeof room.frames);
  int begin = 0;
  // This object's own frames come first.
  while (begin < count && own.contains(reinterpret_cast<uintptr_t>(room.stack[begin]))) ++begin;
  for (int i = begin; i < count && i - begin < static_cast<int>(max_frames); ++i) {
    room.frames[i - begin] = reinterpret_cast<uint64_t>(room.stack[i]);
  }
  return find_site(room.frames);
}

uint32_t site_of_address(const void* caller, Unwound& room) {
  memset(room.frames, 0, sizeof room.frames);
  room.frames[0] = reinterpret_cast<uint64_t>(caller);
  return find_site(room.frames);
}

}  // namespace sluice::preload
