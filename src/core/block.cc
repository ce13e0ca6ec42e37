#include "core/block.h"

#include "os/memory.h"

namespace sluice {

// aligned_alloc is not used: for 256 KiB glibc's aligned_alloc maps and unmaps fresh pages every
// time, which costs 65 page faults for every file. Once a block of this size was freed, malloc
// takes the next block from its heap.
Block Block::allocate(std::size_t bytes) noexcept {
  using os::page_bytes;
  const bool aligned = bytes >= 4 * page_bytes;
  std::size_t room = aligned ? bytes + page_bytes : bytes;
  Block block;
  block.memory_.reset(os::allocate_memory(room));
  if (!block) return block;
  void* data = block.memory_.get();
  if (aligned) std::align(page_bytes, bytes, data, room);  // cannot fail: there is a page to spare
  block.data_ = static_cast<std::byte*>(data);
  block.bytes_ = bytes;
  return block;
}

// Page faults are slow on a virtual machine, and a huge page saves 511 of them. But the kernel
// zeroes all of it, so it would make a file that is shorter than a block slower.
Block Block::allocate_for_large_file(std::size_t bytes) noexcept {
  if (!os::is_mapped(bytes)) return allocate(bytes);
  Block block;
  std::size_t mapped_bytes = bytes;
  std::byte* const memory = os::reallocate_memory(nullptr, 0, mapped_bytes);
  block.memory_ = {memory, Free(mapped_bytes)};
  block.data_ = memory;
  block.bytes_ = bytes;
  return block;
}

// The kernel's memory may begin within a huge page. The block begins with the next one, and the
// kernel makes no pages for memory that is never used.
Block Block::allocate_in_huge_pages(std::size_t bytes) noexcept {
  Block block;
  std::size_t room = os::round_up(bytes, os::huge_page_bytes) + os::huge_page_bytes;
  std::byte* const memory = os::reallocate_memory(nullptr, 0, room);
  block.memory_ = {memory, Free(room)};
  if (!block) return block;
  void* data = memory;
  std::align(os::huge_page_bytes, bytes, data, room);
  block.data_ = static_cast<std::byte*>(data);
  block.bytes_ = bytes;
  return block;
}

bool Block::begins_with_a_huge_page() const noexcept {
  return reinterpret_cast<std::uintptr_t>(data_) % os::huge_page_bytes == 0;
}

void Block::Free::operator()(void* memory) const noexcept {
  os::free_memory(static_cast<std::byte*>(memory), mapped_bytes);
}

}  // namespace sluice
