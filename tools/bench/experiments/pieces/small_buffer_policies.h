// SmallBuffer: a buffer of 4 KiB in front of an output that has no buffer. Each function that takes
// a piece is one policy for a piece that does not fit.
//
// The caller calls finish() at the end.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace sluice::bench {

// Output has write(data, bytes), which makes one call of the system. For gather() it also has
// write_gathered(data, bytes, more_data, more_bytes).
template <typename Output>
class SmallBuffer {
 public:
  static constexpr std::size_t capacity = 4096;

  explicit SmallBuffer(Output& output) : output_(output) {}

  // All bytes pass through the buffer, with one call for every 4 KiB.
  void copy_through(const char* data, std::size_t bytes) {
    while (bytes > room()) {
      const std::size_t part = room();
      append(data, part);
      flush();
      data += part;
      bytes -= part;
    }
    append(data, bytes);
  }

  // The piece fills up the buffer, which is flushed. The rest of the piece is written directly,
  // unless it fits into the buffer.
  void fill_flush_direct(const char* data, std::size_t bytes) {
    if (bytes <= room()) return append(data, bytes);
    const std::size_t part = room();
    append(data, part);
    flush();
    data += part;
    bytes -= part;
    if (bytes > capacity) return output_.write(data, bytes);
    append(data, bytes);
  }

  // The buffer is flushed as it is. A piece larger than the buffer is then written directly:
  // nothing is copied, but calls may be of any size.
  void flush_then_direct(const char* data, std::size_t bytes) {
    if (bytes <= room()) return append(data, bytes);
    flush();
    if (bytes > capacity) return output_.write(data, bytes);
    append(data, bytes);
  }

  // Buffer and piece leave together in one vectored call, without a copy.
  void gather(const char* data, std::size_t bytes) {
    if (bytes <= room()) return append(data, bytes);
    output_.write_gathered(bytes_.data(), used_, data, bytes);
    used_ = 0;
  }

  void finish() { flush(); }

 private:
  std::size_t room() const { return capacity - used_; }

  void append(const char* data, std::size_t bytes) {
    std::memcpy(bytes_.data() + used_, data, bytes);
    used_ += bytes;
  }

  void flush() {
    output_.write(bytes_.data(), used_);
    used_ = 0;
  }

  Output& output_;
  std::array<char, capacity> bytes_;
  std::size_t used_ = 0;
};

}  // namespace sluice::bench
