// Rows that write the pattern of bench/data.h to a file: the shape of most writing experiments.
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

// What a slow row is given of `amount`.
constexpr std::uint64_t scaled_down(std::uint64_t amount, std::uint64_t divisor) {
  return std::max<std::uint64_t>(amount / divisor, 1);
}

// One row: a name and the work. `write` puts byte_at(0) .. byte_at(bytes - 1) into a new file.
struct OutputRow {
  std::string name;
  Kind kind = Kind::peer;
  std::uint64_t buffer_bytes = 0;
  std::uint64_t divisor = 1;  // a slow row writes scaled_down(bytes, divisor)
  std::function<void(const std::string& path, std::uint64_t bytes)> write;
};

// What the row is to write. The file's bytes are verified against the pattern.
struct OutputSize {
  std::uint64_t bytes = 0;
  std::uint64_t operations = 0;  // in all of `bytes`
};

Strategy output_strategy(const OutputRow& row, const std::string& path, OutputSize size);

// The limit of a writing row: the pattern by write(2), in pieces of raw_write_block_bytes from one
// warm block.
inline constexpr std::size_t raw_write_block_bytes = 256 * 1024;

enum class Finish { visible, durable };  // durable: with fdatasync in the timed part

struct RawWrite {
  std::vector<std::string> paths;  // written one after the other; one named twice is written anew
  std::uint64_t bytes = 0;         // to each
  Finish finish = Finish::visible;
};

Strategy raw_write_strategy(const RawWrite& raw);

// Its two parts, for limits of another shape: the block, and one file.
std::unique_ptr<WarmMemory> warm_pattern_block();
void write_in_blocks(const std::string& path, std::uint64_t bytes, Finish finish,
                     const WarmMemory& block);

// Calls put(byte_at(i)) for every i below `bytes`.
template <typename Put>
void each_byte(std::uint64_t bytes, Put put) {
  for (std::uint64_t i = 0; i < bytes; ++i) put(byte_at(i));
}

}  // namespace sluice::bench
