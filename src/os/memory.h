// Memory that is never zero-filled by us: malloc's when small, from 4 MiB on straight from the
// kernel and in huge pages.
#pragma once

#include <cstddef>

namespace sluice::os {

// Memory of malloc's: null when there is none. std::free() gives it back.
void* allocate_memory(std::size_t bytes) noexcept;

// Grows `old` (old_bytes long, as this function reported; null when there is none yet) to at least
// `bytes`, keeping its contents; it may move. `bytes` becomes what there is, in whole pages. Null,
// with `old` untouched, when there is no memory.
std::byte* reallocate_memory(std::byte* old, std::size_t old_bytes, std::size_t& bytes);
void free_memory(std::byte* memory, std::size_t bytes);  // `bytes` as reallocate_memory reported

// Has the kernel put pages behind [memory, memory + bytes) now, without changing what they hold.
// Safe beside other threads that use the memory. Advice: cannot fail.
void populate(std::byte* memory, std::size_t bytes);

}  // namespace sluice::os
