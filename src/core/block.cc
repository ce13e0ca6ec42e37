#include "core/block.h"

#include <cstdlib>

namespace sluice {

Block Block::allocate(std::size_t bytes) noexcept {
  constexpr std::size_t page_bytes = 4096;
  Block block;
  if (bytes < 4 * page_bytes) {
    block.memory_.reset(static_cast<std::byte*>(std::malloc(bytes)));
  } else {
    const std::size_t whole_bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
    block.memory_.reset(static_cast<std::byte*>(std::aligned_alloc(page_bytes, whole_bytes)));
  }
  block.bytes_ = block.memory_ ? bytes : 0;
  return block;
}

void Block::Free::operator()(std::byte* memory) const noexcept { std::free(memory); }

}  // namespace sluice
