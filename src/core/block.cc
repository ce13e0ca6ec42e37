#include "core/block.h"

#include <cstdlib>

namespace sluice {

Block Block::allocate(std::size_t bytes) noexcept {
  constexpr std::size_t page_bytes = 4096;
  const std::size_t alignment = bytes >= 4 * page_bytes ? page_bytes : 64;
  const std::size_t whole_bytes = (bytes + alignment - 1) / alignment * alignment;
  Block block;
  block.memory_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, whole_bytes)));
  block.bytes_ = block.memory_ ? bytes : 0;
  return block;
}

void Block::Free::operator()(std::byte* memory) const noexcept { std::free(memory); }

}  // namespace sluice
