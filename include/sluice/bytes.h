// Memory as bytes. Bytes owns its memory; BytesView and MutableBytesView point to memory that
// something else owns.
#pragma once

// Without this line the compiler's first words would be about std::span.
#if __cplusplus < 201709L
#error "sluice needs C++20: compile with -std=c++20. Only sluice/c.h and sluice/stdio.h need less."
#endif

#include <cstddef>
#include <span>
#include <string_view>

namespace sluice {

// A view owns nothing: the bytes that it points to must outlive it.
using BytesView = std::span<const std::byte>;
using MutableBytesView = std::span<std::byte>;

// Owned memory, like a std::vector<std::byte> whose new elements are left uninitialised. Large
// memory lies in huge pages if the kernel gives them.
// Threads: the rules of any standard container hold.
class Bytes {
 public:
  // A Bytes can be moved, and not copied. A Bytes that was moved from is empty.
  Bytes() noexcept = default;
  ~Bytes();
  Bytes(Bytes&& other) noexcept;
  Bytes& operator=(Bytes&& other) noexcept;

  // The bytes, their number, and the number of bytes that fit before the memory has to grow.
  // Pointers and views are valid until reserve() or resize() makes the memory grow.
  std::byte* data() noexcept { return data_; }
  const std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::size_t capacity() const noexcept { return capacity_; }
  bool empty() const noexcept { return size_ == 0; }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data_), size_}; }
  operator std::span<const std::byte>() const noexcept { return {data_, size_}; }

  // Both calls return false and change nothing if there is no memory. reserve() keeps all bytes,
  // and never makes the memory smaller. resize() keeps the first min(size(), bytes) bytes.
  [[nodiscard]] bool reserve(std::size_t bytes);
  [[nodiscard]] bool resize(std::size_t bytes);  // new bytes are not initialised
  void clear() noexcept { size_ = 0; }           // keeps the memory

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace sluice
