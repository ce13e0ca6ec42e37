#include "os/memory.h"

#include <cstdint>

#include "os/system_calls.h"

namespace sluice::os {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

}  // namespace

std::byte* reallocate_memory(std::byte* old, std::size_t old_bytes, std::size_t& bytes) {
  const std::size_t unit = bytes >= huge_page_bytes ? huge_page_bytes : page_bytes;
  if (bytes > SIZE_MAX - unit) return nullptr;
  const std::size_t whole_bytes = (bytes + unit - 1) / unit * unit;
  void* memory = nullptr;
  const long result = old == nullptr ? calls().map_memory(whole_bytes, memory)
                                     : calls().remap_memory(old, old_bytes, whole_bytes, memory);
  if (result < 0) return nullptr;
  bytes = whole_bytes;
  auto* grown = static_cast<std::byte*>(memory);
  advise_huge_pages(grown, whole_bytes);
  return grown;
}

void free_memory(std::byte* memory, std::size_t bytes) { calls().unmap(memory, bytes); }

void advise_huge_pages(std::byte* memory, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t skip = (huge_page_bytes - address % huge_page_bytes) % huge_page_bytes;
  if (bytes < skip + huge_page_bytes) return;
  calls().advise_huge_pages(memory + skip, (bytes - skip) / huge_page_bytes * huge_page_bytes);
}

void populate(std::byte* memory, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t skip = (page_bytes - address % page_bytes) % page_bytes;
  if (bytes < skip + page_bytes) return;
  calls().populate(memory + skip, (bytes - skip) / page_bytes * page_bytes);
}

}  // namespace sluice::os
