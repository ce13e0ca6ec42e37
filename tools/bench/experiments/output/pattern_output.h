// Rows that write the pattern of bench/data.h to a file. Most writing experiments have this shape.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/data.h"
#include "bench/experiments/input/raw_read.h"  // WarmMemory
#include "bench/strategy.h"

namespace sluice::bench {

// The part of `amount` that a slow row does.
constexpr std::uint64_t scaled_down(std::uint64_t amount, std::uint64_t divisor) {
  return std::max<std::uint64_t>(amount / divisor, 1);
}

// One row: its name and its work. `write` puts byte_at(0) .. byte_at(bytes - 1) into a new file.
struct OutputRow {
  std::string name;
  Kind kind = Kind::peer;
  std::uint64_t buffer_bytes = 0;
  std::uint64_t divisor = 1;  // a slow row writes scaled_down(bytes, divisor)
  std::function<void(const std::string& path, std::uint64_t bytes)> write;
};

// The size of a row's work. The file's bytes are verified against the pattern.
struct OutputSize {
  std::uint64_t bytes = 0;
  std::uint64_t operations = 0;  // operations that write all of `bytes`
};

Strategy output_strategy(const OutputRow& row, const std::string& path, OutputSize size);

// The limit of a writing row: write(2) writes the pattern in pieces of raw_write_block_bytes, from
// one warm block.
inline constexpr std::size_t raw_write_block_bytes = 256 * 1024;

enum class Finish { visible, durable };  // durable: with fdatasync in the timed part

struct RawWrite {
  std::vector<std::string> paths;  // written in this order; a path may be repeated
  std::uint64_t bytes = 0;         // to each path
  Finish finish = Finish::visible;
};

Strategy raw_write_strategy(const RawWrite& raw);

// The two parts of this limit, for limits of another shape: the warm block, and writing one file.
std::unique_ptr<WarmMemory> warm_pattern_block();
void write_in_blocks(const std::string& path, std::uint64_t bytes, Finish finish,
                     const WarmMemory& block);

// Calls put(byte_at(i)) for every i below `bytes`.
template <typename Put>
void each_byte(std::uint64_t bytes, Put put) {
  for (std::uint64_t i = 0; i < bytes; ++i) put(byte_at(i));
}

}  // namespace sluice::bench
