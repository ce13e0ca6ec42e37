// PlacedBytes: the bytes of a target after all bytes that a Writer has accepted are at their
// positions.
//
// The test makes each change here before it makes the change through the Writer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sluice/status.h"

namespace sluice::testing {

class PlacedBytes {
 public:
  // `before`: the target's bytes before the first write.
  explicit PlacedBytes(std::string before = "", std::uint64_t position = 0)
      : bytes_(std::move(before)), position_(position) {}

  const std::string& bytes() const { return bytes_; }
  std::uint64_t position() const { return position_; }

  void write(std::string_view bytes) {
    put(position_, bytes);
    position_ += bytes.size();
  }

  void write_at(std::uint64_t position, std::string_view bytes) {
    without_patch_ = bytes_;
    put(position, bytes);
  }

  // Call this if the Writer has refused the latest write_at() and goes on.
  void take_back_patch() { bytes_ = without_patch_; }

  void seek(std::uint64_t position) { position_ = position; }

  // Returns the mistake in `found`, the target of a Writer with the given failure, or "". With
  // `patch_failed` the latest write_at() has failed, and a part of it may be there.
  std::string broken_by(const Status& failure, bool patch_failed, std::string found) const {
    // After two kinds of failure all accepted bytes must be in the target. The failure of a sync
    // names no byte, and the failure of a seek names a position at which no byte was accepted.
    const bool names_a_byte = failure.offset() && failure.operation() != Operation::seek;
    const std::uint64_t end = names_a_byte ? *failure.offset() : bytes_.size();
    if (end > bytes_.size()) return "the failure names a byte that was never written";
    // Bytes that were never written before this offset may be zeros, or be missing.
    found.resize(std::max<std::size_t>(found.size(), end));
    // A part of the patch may be there, and the Writer may have failed before it came to the patch.
    std::string without_patch = patch_failed ? without_patch_ : bytes_;
    without_patch.resize(std::max<std::size_t>(without_patch.size(), end));
    std::uint64_t in_place = 0;
    while (in_place < end &&
           (found[in_place] == bytes_[in_place] || found[in_place] == without_patch[in_place])) {
      ++in_place;
    }
    if (in_place == end) return "";
    return "a byte before the named byte is missing: " + failure.message();
  }

 private:
  void put(std::uint64_t position, std::string_view bytes) {
    if (bytes.empty()) return;
    if (bytes_.size() < position + bytes.size()) bytes_.resize(position + bytes.size());
    bytes_.replace(position, bytes.size(), bytes);
  }

  std::string bytes_;
  std::string without_patch_;
  std::uint64_t position_;
};

}  // namespace sluice::testing
