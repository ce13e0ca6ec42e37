// Block: the memory that moves between a Writer or Reader and its Sink or Source.
#pragma once

#include <cstddef>
#include <memory>

namespace sluice {

class Block {
 public:
  Block() noexcept = default;

  // Allocates memory that is not initialised. If there is no memory, data() is null. From 16 KiB on
  // the memory is aligned to a page; below, it is aligned as malloc aligns it, because page
  // alignment would cost a small file too much time.
  static Block allocate(std::size_t bytes) noexcept;

  // The same, but from 4 MiB on the kernel is asked for huge pages.
  static Block allocate_for_large_file(std::size_t bytes) noexcept;

  // Memory that lies in huge pages, if the kernel has some. The pages have less than 2 MiB more
  // than `bytes`.
  static Block allocate_in_huge_pages(std::size_t bytes) noexcept;
  bool begins_with_a_huge_page() const noexcept;

  std::byte* data() const noexcept { return data_; }
  std::byte* end() const noexcept { return data_ + bytes_; }
  std::size_t bytes() const noexcept { return bytes_; }
  explicit operator bool() const noexcept { return memory_ != nullptr; }

  // Gives the memory to nobody: it is never released.
  void abandon() noexcept {
    static_cast<void>(memory_.release());
    data_ = nullptr;
    bytes_ = 0;
  }

 private:
  struct Free {
    Free() noexcept : mapped_bytes(0) {}
    explicit Free(std::size_t bytes) noexcept : mapped_bytes(bytes) {}
    std::size_t mapped_bytes;  // of memory from malloc: 0
    void operator()(void* memory) const noexcept;
  };
  std::unique_ptr<void, Free> memory_;
  std::byte* data_ = nullptr;  // in memory_, at the first aligned address
  std::size_t bytes_ = 0;
};

}  // namespace sluice
