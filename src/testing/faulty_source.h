// FaultySource: a Source over memory that reads short, fails, grows and shrinks as a test orders.
//
// The Reader owns the Source; the test keeps the SourceScript.
// Threads: as any Source; the script is changed only between calls.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "sluice/source.h"

namespace sluice::testing {

struct SourceScript {
  std::string bytes;
  std::size_t max_bytes_per_read = SIZE_MAX;
  std::uint64_t fail_at = UINT64_MAX;  // bytes from here on cannot be read
  int read_error = EIO;
  int close_error = 0;
  bool has_positions = false;
  bool reads_anywhere = false;
  std::size_t bypass_bytes = SIZE_MAX;
  bool says_too_many = false;        // end_read() gives one byte more than it was asked for
  bool cannot_wait = false;          // end_read() ends no read
  bool reads_in_background = false;  // only together with reads_anywhere
  std::size_t max_bytes_in_background = SIZE_MAX;  // of one read
  std::uint64_t size = UINT64_MAX;  // the size that the Source reports; by default it is unknown

  std::size_t reads = 0;
  std::size_t seeks = 0;
  std::size_t questions = 0;  // calls of reads_anywhere()
  std::size_t closes = 0;
  std::uint64_t given_bytes = 0;  // by all reads
  std::size_t begun = 0;          // reads in the background
  MutableBytesView under_way{};   // the memory of the read that was begun and has not ended
  bool out_of_turn = false;       // a position was not contiguous, or a call came after close()
  std::uint64_t next_position = 0;
};

class FaultySource final : public Source {
 public:
  explicit FaultySource(std::shared_ptr<SourceScript> script) : script_(std::move(script)) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    SourceScript& script = *script_;
    ++script.reads;
    const bool is_in_turn = position == script.next_position || script.reads_anywhere;
    if (!is_in_turn || script.closes != 0 || into.empty()) {
      script.out_of_turn = true;
    }
    if (position >= script.fail_at) {
      got = SIZE_MAX;  // after a failure `got` does not count
      return Status::failure(Operation::read, path_, script.read_error, position);
    }
    const std::uint64_t end = std::min<std::uint64_t>(script.bytes.size(), script.fail_at);
    const std::uint64_t rest = end - std::min(position, end);
    got = std::min({rest, std::uint64_t{into.size()}, std::uint64_t{script.max_bytes_per_read}});
    if (got != 0) std::memcpy(into.data(), script.bytes.data() + position, got);
    script.next_position = position + got;
    script.given_bytes += got;
    return {};
  }

  Status seek(std::uint64_t position) override {
    ++script_->seeks;
    if (!script_->has_positions) return Source::seek(position);
    script_->next_position = position;
    return {};
  }

  Status size(std::uint64_t& bytes) override {
    if (script_->size == UINT64_MAX) return Source::size(bytes);
    bytes = script_->size;
    return {};
  }

  bool reads_anywhere() override {
    ++script_->questions;
    return script_->reads_anywhere;
  }

  std::size_t bypass_bytes() override { return script_->bypass_bytes; }

  bool can_begin_read(std::uint64_t) override { return script_->reads_in_background; }

  // The bytes are those of now, but come to the memory only in end_read(): the worst moments.
  bool begin_read(std::uint64_t position, MutableBytesView into) override {
    SourceScript& script = *script_;
    ++script.begun;
    if (!script.under_way.empty() || script.closes != 0) script.out_of_turn = true;
    std::memset(into.data(), '?', into.size());
    script.under_way = into;
    const std::uint64_t end = std::min<std::uint64_t>(script.bytes.size(), script.fail_at);
    const std::size_t most = std::min(into.size(), script.max_bytes_in_background);
    const std::uint64_t begin = std::min(position, end);
    begun_bytes_ = script.bytes.substr(begin, std::min<std::uint64_t>(most, end - begin));
    return true;
  }

  std::size_t end_read() override {
    SourceScript& script = *script_;
    if (script.cannot_wait) {
      script.reads_in_background = false;
      return SIZE_MAX;
    }
    const MutableBytesView into = std::exchange(script.under_way, {});
    if (into.empty() || script.closes != 0) script.out_of_turn = true;
    std::memcpy(into.data(), begun_bytes_.data(), begun_bytes_.size());
    script.given_bytes += begun_bytes_.size();
    return script.says_too_many ? into.size() + 1 : begun_bytes_.size();
  }

  Status close() override {
    if (!script_->under_way.empty()) script_->out_of_turn = true;
    ++script_->closes;
    if (script_->close_error == 0) return {};
    return Status::failure(Operation::close, path_, script_->close_error);
  }

  const std::string& path() const override { return path_; }

 private:
  std::shared_ptr<SourceScript> script_;
  std::string path_ = "(script)";
  std::string begun_bytes_;
};

}  // namespace sluice::testing
