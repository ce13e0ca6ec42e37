// PiecewiseSource: memory that is read in sequence and a few bytes at a time, as a slow pipe is.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>

#include "sluice/source.h"

namespace sluice::testing {

class PiecewiseSource final : public Source {
 public:
  // The bytes must outlive the Source. Those from `fail_at` on cannot be read.
  PiecewiseSource(BytesView bytes, std::size_t at_a_time, std::uint64_t fail_at = UINT64_MAX)
      : from_(make_memory_source(bytes)), at_a_time_(at_a_time), fail_at_(fail_at) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    if (position >= fail_at_) return Status::failure(Operation::read, path(), EIO);
    return from_->read(position, into.first(std::min(into.size(), at_a_time_)), got);
  }
  Status close() override { return {}; }
  const std::string& path() const override { return from_->path(); }

 private:
  const std::unique_ptr<Source> from_;
  const std::size_t at_a_time_;
  const std::uint64_t fail_at_;
};

}  // namespace sluice::testing
