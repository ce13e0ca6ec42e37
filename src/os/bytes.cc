#include "sluice/bytes.h"

#include <algorithm>
#include <utility>

#include "os/memory.h"

namespace sluice {

Bytes::~Bytes() {
  if (data_ != nullptr) os::free_memory(data_, capacity_);
}

Bytes::Bytes(Bytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

Bytes& Bytes::operator=(Bytes&& other) noexcept {
  if (this == &other) return *this;
  if (data_ != nullptr) os::free_memory(data_, capacity_);
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  capacity_ = std::exchange(other.capacity_, 0);
  return *this;
}

bool Bytes::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return true;
  std::size_t capacity = bytes;
  std::byte* data = os::reallocate_memory(data_, capacity_, capacity);
  if (data == nullptr) return false;
  data_ = data;
  capacity_ = capacity;
  return true;
}

bool Bytes::resize(std::size_t bytes) {
  // Grows by at least half, so that appending piece by piece moves pages only a few times.
  const std::size_t ample = std::max(bytes, capacity_ + capacity_ / 2);
  if (bytes > capacity_ && !reserve(ample) && !reserve(bytes)) return false;
  size_ = bytes;
  return true;
}

}  // namespace sluice
