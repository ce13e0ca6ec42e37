// Memory that the library never zero-fills: small memory comes from malloc; from 4 MiB on it comes
// straight from the kernel, in huge pages.
#pragma once

#include <cstddef>

namespace sluice::os {

inline constexpr std::size_t page_bytes = 4096;
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

// True if reallocate_memory() takes so much memory straight from the kernel.
bool is_mapped(std::size_t bytes) noexcept;

// Memory from malloc. Null if there is none. std::free() releases it.
void* allocate_memory(std::size_t bytes) noexcept;

// Grows `old` (of old_bytes bytes, as this function reported; null if there is none yet) to at
// least `bytes`, and keeps its contents. The memory may move. `bytes` becomes its new size, in
// whole pages. Returns null, with `old` untouched, if there is no memory.
std::byte* reallocate_memory(std::byte* old, std::size_t old_bytes, std::size_t& bytes);
void free_memory(std::byte* memory, std::size_t bytes);  // `bytes` as reallocate_memory reported

// Asks the kernel for the pages of [memory, memory + bytes) now. The contents do not change.
// Other threads may use the memory meanwhile. Advice: cannot fail.
void populate(std::byte* memory, std::size_t bytes);

}  // namespace sluice::os
