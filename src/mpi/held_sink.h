// HeldSink: keeps the bytes of one rank in memory until the ranks place them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sluice/bytes.h"
#include "sluice/sink.h"

namespace sluice {

// The bytes that one rank holds. Threads: those of the rank's Writer.
struct Held {
  Bytes bytes;
  std::size_t max_bytes = 0;

  // Drops the first `count` bytes.
  void drop(std::size_t count);
};

// `path` and `held` must outlive the Sink. It has no positions.
class HeldSink final : public Sink {
 public:
  HeldSink(const std::string& path, Held& held) : path_(path), held_(held) {}

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override;
  Status sync() override { return {}; }  // MpiWriter::flush() makes the placed bytes durable
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  Status append(std::uint64_t position, BytesView piece);

  const std::string& path_;
  Held& held_;
};

}  // namespace sluice
