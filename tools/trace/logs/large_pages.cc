#include "trace/logs/large_pages.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstdlib>

namespace sluice::trace {

void use_large_pages(const void* memory, std::size_t bytes) {
  constexpr std::uintptr_t large_page_bytes = std::uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + large_page_bytes - 1) / large_page_bytes * large_page_bytes;
  const std::uintptr_t end = begin + bytes;
  if (end < first + large_page_bytes) return;
  ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

// Another C library than glibc does as it likes.
void use_large_pages_for_malloc() {
#ifdef M_TOP_PAD
  constexpr int bytes = 32 << 20;
  static bool is_done = false;
  if (is_done) return;
  is_done = true;
  ::mallopt(M_MMAP_THRESHOLD, bytes);
  ::mallopt(M_TRIM_THRESHOLD, INT_MAX);
  ::mallopt(M_TOP_PAD, bytes);
  const auto* const begin = static_cast<const char*>(::sbrk(0));
  void* volatile piece =
      std::malloc(bytes / 2);  // there is no room for it, so malloc() asks for all
  std::free(piece);
  use_large_pages(begin, static_cast<std::size_t>(static_cast<const char*>(::sbrk(0)) - begin));
#endif
}

}  // namespace sluice::trace
