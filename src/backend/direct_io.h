// DirectWrites and DirectReads: write and read a file directly, not through the kernel's cache.
//
// The kernel moves only aligned bytes directly: position, size and memory must be multiples of the
// file's alignment. These classes cut each transfer into the part that is aligned and the parts
// around it. Aligned bytes in aligned memory are not copied.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>

#include "backend/write_back.h"
#include "os/file.h"
#include "sluice/bytes.h"
#include "sluice/options.h"
#include "sluice/status.h"

namespace sluice {

// What both classes need: the alignment, and aligned memory for bytes that must be copied.
class DirectMemory {
 public:
  // `direct` stays null if the file is written or read through the cache: with Direct::off, and
  // with Direct::if_possible if the file has no direct I/O.
  template <typename DirectIo>
  static Status open(Direct option, const os::File& file, std::unique_ptr<DirectIo>& direct) {
    if (option == Direct::off) return {};
    DirectMemory memory;
    Status status = memory.prepare(option, file);
    if (status.ok() && memory.memory_) direct = std::make_unique<DirectIo>(std::move(memory));
    return status;
  }

  // Both are at least the file's alignment. Positions are also aligned to whole pages, because part
  // of a page could be in the cache.
  std::size_t file_alignment() const { return alignment_.file_bytes; }
  bool is_aligned(std::uint64_t position) const { return position % alignment_.file_bytes == 0; }
  bool is_aligned(const std::byte* memory) const {
    return reinterpret_cast<std::uintptr_t>(memory) % alignment_.memory_bytes == 0;
  }
  std::size_t whole_bytes(std::size_t bytes) const { return bytes - bytes % file_alignment(); }
  MutableBytesView copies() const { return {data_, bytes_}; }
  bool may_give_up() const { return option_ == Direct::if_possible; }

 private:
  struct Free {
    void operator()(void* memory) const noexcept { std::free(memory); }
  };

  Status prepare(Direct option, const os::File& file);

  Direct option_ = Direct::off;
  os::File::DirectAlignment alignment_;
  std::unique_ptr<void, Free> memory_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

class DirectWrites {
 public:
  explicit DirectWrites(DirectMemory memory) : memory_(std::move(memory)) {}

  // As os::File::write_at(). The bytes around the aligned part go through the cache; `write_back`
  // is told how many these are.
  Status write(os::File& file, std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written, WriteBack& write_back);
  // Writes bytes over old ones, through the cache.
  Status patch(os::File& file, std::uint64_t position, BytesView bytes, std::size_t& written,
               WriteBack& write_back);

  std::size_t alignment() const { return memory_.file_alignment(); }

 private:
  Status write_some(os::File& file, std::uint64_t position, std::span<const BytesView> pieces,
                    std::size_t skipped, std::size_t bytes, std::size_t& written);
  Status write_directly(os::File& file, std::uint64_t position, BytesView bytes,
                        std::size_t& written);
  Status write_through_cache(os::File& file, std::uint64_t position, BytesView bytes,
                             std::size_t& written);
  BytesView copy(std::span<const BytesView> pieces, std::size_t skipped, std::size_t bytes);
  Status set_direct(os::File& file, bool is_direct);

  DirectMemory memory_;
  bool is_direct_ = false;
  bool has_given_up_ = false;
  std::uint64_t cached_bytes_ = 0;  // went through the cache, and write_back was not told
};

class DirectReads {
 public:
  explicit DirectReads(DirectMemory memory) : memory_(std::move(memory)) {}

  // As os::File::read_at(). The file must have been made direct. If the kernel refuses a read and
  // the option allows it, this read and all later ones go through the cache.
  Status read(os::File& file, std::uint64_t position, MutableBytesView into, std::size_t& got);
  // True if a read from this position on can go directly, and if a read of all of `into` does.
  bool is_direct(std::uint64_t position) const {
    return !has_given_up_ && memory_.is_aligned(position);
  }
  bool is_direct(std::uint64_t position, MutableBytesView into) const {
    return is_direct(position) && memory_.is_aligned(into.data()) &&
           memory_.whole_bytes(into.size()) == into.size();
  }

 private:
  Status read_directly(os::File& file, std::uint64_t position, MutableBytesView into,
                       std::size_t& got);

  DirectMemory memory_;
  bool has_given_up_ = false;
};

}  // namespace sluice
