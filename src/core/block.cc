#include "core/block.h"

#include <cstdlib>

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

void Block::Free::operator()(void* memory) const noexcept { std::free(memory); }

}  // namespace sluice
