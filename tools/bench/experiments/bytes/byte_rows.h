// The rows of `bytes`: ways to write or to read a file with one byte per call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/experiments/output/pattern_output.h"

namespace sluice::bench {

// Says which rows a group has.
enum class Extent {
  all,   // with every buffer size
  some,  // with the buffer sizes of a quick run
  main,  // without the variants
};

// The work that every reading row does with each byte. The result depends on the order of the
// bytes. The two additions do not wait for each other.
class ByteSum {
 public:
  void add(unsigned char byte) {
    sum_ += byte;
    sum_of_sums_ += sum_;
  }
  std::uint64_t value() const { return sum_of_sums_ * 31 + sum_; }

 private:
  std::uint64_t sum_ = 0;
  std::uint64_t sum_of_sums_ = 0;
};

// A row that reads, like OutputRow. `read` returns the ByteSum of the first `bytes` bytes of the
// file.
struct InputRow {
  std::string name;
  Kind kind = Kind::peer;
  std::uint64_t buffer_bytes = 0;
  std::uint64_t divisor = 1;
  std::function<std::uint64_t(const std::string& path, std::uint64_t bytes)> read;
};

std::vector<OutputRow> byte_writing_rows(Extent extent);
std::vector<InputRow> byte_reading_rows(Extent extent);

// Divisors of slow rows: they move only this fraction of the bytes.
inline constexpr std::uint64_t sweep_divisor = 8;
inline constexpr std::uint64_t system_call_divisor = 256;

// The buffer sizes given to setvbuf.
std::vector<std::size_t> swept_buffer_sizes(Extent extent);

}  // namespace sluice::bench
