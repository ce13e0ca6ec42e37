// WrappingSink: owns another Sink and hands every call on to it. A derived class changes some of
// the calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sluice/sink.h"

namespace sluice {

class WrappingSink : public Sink {
 public:
  explicit WrappingSink(std::unique_ptr<Sink> wrapped) : wrapped_(std::move(wrapped)) {}

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    return wrapped_->write(position, pieces, written);
  }
  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override {
    return wrapped_->write_at(position, bytes, written);
  }
  Status seek(std::uint64_t position) override { return wrapped_->seek(position); }
  Status sync() override { return wrapped_->sync(); }
  bool is_staged() override { return wrapped_->is_staged(); }
  Status publish() override { return wrapped_->publish(); }
  Status close() override { return wrapped_->close(); }
  bool wants_lines() override { return wrapped_->wants_lines(); }
  bool allows_write_behind() override { return wrapped_->allows_write_behind(); }
  bool is_ordinary_end(const Status& failure) override {
    return wrapped_->is_ordinary_end(failure);
  }
  std::uint64_t start_position() override { return wrapped_->start_position(); }
  Durability durability() override { return wrapped_->durability(); }
  const std::string& path() const override { return wrapped_->path(); }

 protected:
  Sink& wrapped() { return *wrapped_; }

 private:
  const std::unique_ptr<Sink> wrapped_;
};

inline std::size_t bytes_in(std::span<const BytesView> pieces) {
  std::size_t bytes = 0;
  for (const BytesView piece : pieces) bytes += piece.size();
  return bytes;
}

// Calls `use` with the first `bytes` bytes of the pieces, piece by piece.
template <typename Use>
void for_first_bytes(std::span<const BytesView> pieces, std::size_t bytes, Use use) {
  for (const BytesView piece : pieces) {
    const std::size_t part = std::min(piece.size(), bytes);
    if (part == 0) continue;
    use(piece.first(part));
    bytes -= part;
  }
}

// Returns pieces that hold the first `bytes` bytes of the given pieces.
inline std::vector<BytesView> first_bytes(std::span<const BytesView> pieces, std::size_t bytes) {
  std::vector<BytesView> first;
  for_first_bytes(pieces, bytes, [&](BytesView part) { first.push_back(part); });
  return first;
}

}  // namespace sluice
