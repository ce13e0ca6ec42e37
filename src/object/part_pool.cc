#include "object/part_pool.h"

#include <arrow/status.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace sluice::object {
namespace {

constexpr std::int64_t page_bytes = 4096;

// Arrow says the size and the alignment at the end too, so both tell where memory came from.
bool is_part(std::int64_t bytes, std::int64_t alignment) {
  return bytes == part_bytes && alignment <= page_bytes;
}

arrow::MemoryPool& other_sizes() { return *arrow::system_memory_pool(); }

}  // namespace

void PartPool::keep(std::size_t parts) {
  const std::scoped_lock lock(mutex_);
  spare_.reserve(kept_ + parts);
  kept_ += parts;
}

void PartPool::release(std::size_t parts) noexcept {
  const std::scoped_lock lock(mutex_);
  kept_ -= parts;
  for (; !spare_.empty() && parts_ > kept_; --parts_) {
    ::munmap(spare_.back(), part_bytes);
    spare_.pop_back();
  }
}

arrow::Status PartPool::Allocate(std::int64_t bytes, std::int64_t alignment, std::uint8_t** out) {
  ARROW_RETURN_NOT_OK(is_part(bytes, alignment) ? take_part(out)
                                                : other_sizes().Allocate(bytes, alignment, out));
  bytes_now_ += bytes;
  bytes_in_all_ += bytes;
  ++allocations_;
  return {};
}

arrow::Status PartPool::Reallocate(std::int64_t old_bytes, std::int64_t bytes,
                                   std::int64_t alignment, std::uint8_t** memory) {
  std::uint8_t* moved = nullptr;
  ARROW_RETURN_NOT_OK(Allocate(bytes, alignment, &moved));
  std::memcpy(moved, *memory, static_cast<std::size_t>(std::min(old_bytes, bytes)));
  Free(*memory, old_bytes, alignment);
  *memory = moved;
  return {};
}

void PartPool::Free(std::uint8_t* memory, std::int64_t bytes, std::int64_t alignment) {
  if (is_part(bytes, alignment)) {
    give_back_part(memory);
  } else {
    other_sizes().Free(memory, bytes, alignment);
  }
  bytes_now_ -= bytes;
}

arrow::Status PartPool::take_part(std::uint8_t** out) {
  const std::scoped_lock lock(mutex_);
  if (!spare_.empty()) {
    *out = spare_.back();
    spare_.pop_back();
    return {};
  }
  void* const memory =
      ::mmap(nullptr, part_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return arrow::Status::OutOfMemory("mmap of a part failed");
  ++parts_;
  *out = static_cast<std::uint8_t*>(memory);
  return {};
}

void PartPool::give_back_part(std::uint8_t* memory) noexcept {
  const std::scoped_lock lock(mutex_);
  if (parts_ <= kept_) {
    spare_.push_back(memory);
  } else {
    ::munmap(memory, part_bytes);
    --parts_;
  }
}

PartPool& part_pool() {
  static PartPool& pool = *new PartPool;
  return pool;
}

KeptParts::~KeptParts() {
  if (process_ == process_number()) part_pool().release(parts_);
}

}  // namespace sluice::object
