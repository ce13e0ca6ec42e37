// PassedPages: with Cache::drop, has the kernel give up the pages that a Source has read. Not
// thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "backend/write_back.h"
#include "os/file.h"
#include "os/memory.h"
#include "sluice/options.h"

namespace sluice {

class PassedPages {
 public:
  explicit PassedPages(Cache cache) : drops_(cache == Cache::drop) {}

  // Call this when `bytes` bytes at `position` have been read.
  void passed(std::uint64_t position, std::uint64_t bytes, os::File& file) {
    if (!drops_ || bytes == 0) return;
    begin_ = std::min(begin_, position);
    last_end_ = position + bytes;
    end_ = std::max(end_, last_end_);
    // A read of a few bytes brings a page into the cache.
    count_ += std::max<std::uint64_t>(bytes, os::page_bytes);
    if (count_ >= dropped_at_once) drop(end_, file);
  }

  // Call this before the file is closed. The kernel may have read ahead of the last read.
  void end(os::File& file) {
    if (last_end_ == 0) return;
    begin_ = std::min(begin_, last_end_);
    drop(std::max(end_, last_end_ + most_read_ahead), file);
    last_end_ = 0;
  }

 private:
  static constexpr std::uint64_t dropped_at_once = 8 * 1024 * 1024;
  static constexpr std::uint64_t most_read_ahead = 32 * 1024 * 1024;

  void drop(std::uint64_t end, os::File& file) {
    const std::uint64_t begin = begin_of_folios(begin_);
    file.forget_cached(begin, std::min(end, os::max_position) - begin);
    begin_ = nothing;
    end_ = count_ = 0;
  }

  static constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();

  const bool drops_;
  // All bytes that were read since the last drop() lie between these positions.
  std::uint64_t begin_ = nothing;
  std::uint64_t end_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t last_end_ = 0;
};

}  // namespace sluice
