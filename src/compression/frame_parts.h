// FrameParts: the memory in which the bytes of a frame stand, in order.
#pragma once

#include <cstddef>
#include <vector>

#include "sluice/bytes.h"

namespace sluice {

class FrameParts {
 public:
  // A codec adds a header for each block of a frame. No block but the last one is smaller.
  static constexpr std::size_t least_block_bytes = std::size_t{128} * 1024;

  // Makes room for a frame of so many bytes, which lie in so many pieces, so that add() needs no
  // memory. Throws std::bad_alloc.
  void begin(std::size_t bytes, std::size_t pieces) {
    parts_.clear();
    bytes_ = 0;
    parts_.reserve(pieces + 2 * (bytes / least_block_bytes) + 4);
  }

  void add(BytesView part) noexcept {
    if (part.empty()) return;
    bytes_ += part.size();
    const bool goes_on =
        !parts_.empty() && parts_.back().data() + parts_.back().size() == part.data();
    if (goes_on) {
      parts_.back() = {parts_.back().data(), parts_.back().size() + part.size()};
    } else {
      parts_.push_back(part);
    }
  }

  const std::vector<BytesView>& parts() const { return parts_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::vector<BytesView> parts_;
  std::size_t bytes_ = 0;
};

}  // namespace sluice
