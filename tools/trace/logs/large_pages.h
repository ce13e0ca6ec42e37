// Memory for thousands of entries. A page fault for each 4 KiB takes longer than to fill entries.
#pragma once

#include <cstddef>
#include <vector>

namespace sluice::trace {

// The kernel gives this memory by large pages where it can.
void use_large_pages(const void* memory, std::size_t bytes);

// What malloc() hands out from now on is such memory, and stays with this process.
void use_large_pages_for_malloc();

// Makes room for so many entries. The kernel gives memory only where entries are.
template <typename Entry>
void reserve_in_large_pages(std::vector<Entry>& entries, std::size_t count) {
  if (count <= entries.capacity()) return;
  entries.reserve(count);
  use_large_pages(entries.data(), entries.capacity() * sizeof(Entry));
}

}  // namespace sluice::trace
