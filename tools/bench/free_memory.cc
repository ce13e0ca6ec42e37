#include "bench/free_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace sluice::bench {
namespace {

std::uint64_t available_bytes() {
  const long pages = ::sysconf(_SC_AVPHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

}  // namespace

void touch_free_memory(std::uint64_t bytes) {
  const auto size = static_cast<std::size_t>(std::min(bytes, available_bytes() / 2));
  if (size == 0) return;
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  // Asks for small pages. Huge pages would come only from the large pieces of free memory, and
  // leave the small pieces untouched.
  ::madvise(memory, size, MADV_NOHUGEPAGE);
  ::madvise(memory, size, MADV_POPULATE_WRITE);
  ::munmap(memory, size);
}

}  // namespace sluice::bench
