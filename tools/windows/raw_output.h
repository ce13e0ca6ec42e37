// RawOutput: a file that WriteFile writes, without a buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace sluice::bench {

class RawOutput {
 public:
  explicit RawOutput(const std::string& path);  // throws std::runtime_error
  ~RawOutput();
  RawOutput(const RawOutput&) = delete;
  RawOutput& operator=(const RawOutput&) = delete;

  void write(const void* data, std::size_t bytes);
  std::uint64_t calls() const { return calls_; }

 private:
  void* handle_;
  std::uint64_t calls_ = 0;
};

}  // namespace sluice::bench
