// Memory for thousands of entries.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::trace {

// Makes room for so many entries. The kernel gives memory only where entries are, by large pages if
// it can: a page fault for each 4 KiB takes longer than to fill the entries.
template <typename Entry>
void reserve_in_large_pages(std::vector<Entry>& entries, std::size_t count) {
  constexpr std::uintptr_t large_page_bytes = std::uintptr_t{2} << 20;
  if (count <= entries.capacity()) return;
  entries.reserve(count);
  const auto begin = reinterpret_cast<std::uintptr_t>(entries.data());
  const std::uintptr_t first = (begin + large_page_bytes - 1) / large_page_bytes * large_page_bytes;
  const std::uintptr_t end = begin + entries.capacity() * sizeof(Entry);
  if (end < first + large_page_bytes) return;
  ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // or small ones
}

}  // namespace sluice::trace
