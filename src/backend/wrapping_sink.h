// WrappingSink: owns another Sink and hands every call on to it. A derived class changes some of
// the calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

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
  bool wants_full_blocks() override { return wrapped_->wants_full_blocks(); }
  bool is_compute_bound() override { return wrapped_->is_compute_bound(); }
  bool is_ordinary_end(const Status& failure) override {
    return wrapped_->is_ordinary_end(failure);
  }
  std::uint64_t start_position() override { return wrapped_->start_position(); }
  Durability durability() override { return wrapped_->durability(); }
  std::size_t block_alignment() override { return wrapped_->block_alignment(); }
  const std::string& path() const override { return wrapped_->path(); }

 protected:
  Sink& wrapped() { return *wrapped_; }

 private:
  const std::unique_ptr<Sink> wrapped_;
};

}  // namespace sluice
