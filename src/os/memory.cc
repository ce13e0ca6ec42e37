#include "os/memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "os/system_calls.h"

namespace sluice::os {
namespace {

// Below this size malloc mostly has memory whose pages exist already. Mapping and unmapping 600 KB
// for every file cost many times as much as reading the file. Above this size huge pages pay for
// the mapping.
constexpr std::size_t min_mapped_bytes = 2 * huge_page_bytes;

std::byte* map(std::size_t bytes) {
  void* memory = nullptr;
  return calls().map_memory(bytes, memory) < 0 ? nullptr : static_cast<std::byte*>(memory);
}

std::byte* remap(std::byte* old, std::size_t old_bytes, std::size_t bytes) {
  void* memory = nullptr;
  const CallResult result = calls().remap_memory(old, old_bytes, bytes, memory);
  return result < 0 ? nullptr : static_cast<std::byte*>(memory);
}

std::byte* move_into_map(std::byte* old, std::size_t old_bytes, std::size_t bytes) {
  std::byte* memory = map(bytes);
  if (memory == nullptr || old == nullptr) return memory;
  std::memcpy(memory, old, old_bytes);
  free_memory(old, old_bytes);
  return memory;
}

// Asks for huge pages where they fit completely into [memory, memory + bytes). Advice: cannot fail.
void advise_huge_pages(std::byte* memory, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t skip = (huge_page_bytes - address % huge_page_bytes) % huge_page_bytes;
  if (bytes < skip + huge_page_bytes) return;
  calls().advise_huge_pages(memory + skip, (bytes - skip) / huge_page_bytes * huge_page_bytes);
}

}  // namespace

bool is_mapped(std::size_t bytes) noexcept { return bytes >= min_mapped_bytes; }

void* allocate_memory(std::size_t bytes) noexcept { return calls().allocate(bytes); }

std::byte* reallocate_memory(std::byte* old, std::size_t old_bytes, std::size_t& bytes) {
  if (bytes > SIZE_MAX - huge_page_bytes) return nullptr;
  if (const std::size_t whole_bytes = round_up(bytes, page_bytes); !is_mapped(whole_bytes)) {
    auto* memory = static_cast<std::byte*>(calls().reallocate(old, whole_bytes));
    if (memory != nullptr) bytes = whole_bytes;
    return memory;
  }
  const std::size_t whole_bytes = round_up(bytes, huge_page_bytes);
  std::byte* memory = is_mapped(old_bytes) ? remap(old, old_bytes, whole_bytes)
                                           : move_into_map(old, old_bytes, whole_bytes);
  if (memory == nullptr) return nullptr;
  advise_huge_pages(memory, whole_bytes);
  bytes = whole_bytes;
  return memory;
}

void free_memory(std::byte* memory, std::size_t bytes) {
  if (is_mapped(bytes)) {
    calls().unmap(memory, bytes);
  } else {
    std::free(memory);
  }
}

void populate(std::byte* memory, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t skip = (page_bytes - address % page_bytes) % page_bytes;
  if (bytes < skip + page_bytes) return;
  calls().populate(memory + skip, (bytes - skip) / page_bytes * page_bytes);
}

}  // namespace sluice::os
