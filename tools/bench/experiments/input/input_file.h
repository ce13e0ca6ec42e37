// The files that the reading experiments read, and what a right reading of them finds.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "bench/strategy.h"

namespace sluice::bench {

// The work done with every item read, the same in every row: cheap, and wrong unless each item's
// size (or value) and first byte were really seen, in order.
struct Tally {
  std::uint64_t items = 0;
  std::uint64_t sum = 0;
  std::uint64_t checksum = 0;

  void add_line(const char* data, std::size_t bytes) {
    ++items;
    sum += bytes;
    const unsigned char first = bytes == 0 ? 0 : static_cast<unsigned char>(*data);
    checksum = std::rotl(checksum, 1) ^ first;
  }
  void add_line(std::string_view line) { add_line(line.data(), line.size()); }

  void add_value(std::uint64_t value) {
    ++items;
    sum += value;
    checksum = std::rotl(checksum, 1) ^ value;
  }

  bool operator==(const Tally&) const = default;
};

// Throws, naming both, unless they are equal.
void expect_tally(const Tally& found, const Tally& expected);

// One input file. Declared with its path and size; make_input_file adds the file and the rest.
// Strategies share it: what they run in is forked after the file was made.
struct InputFile {
  std::string path;
  std::uint64_t bytes = 0;
  // Known once the file is made:
  std::uint64_t hash = 0;
  std::uint64_t last_block_hash = 0;  // of what the last read of raw_block_bytes gives
  Tally lines;
};

using SharedInput = std::shared_ptr<InputFile>;
SharedInput declare_input_file(const std::string& directory, const char* name, std::uint64_t bytes);

// Fills the file with `sample`, again and again, cut off at input.bytes: the last line may have no
// newline. Then reads it back, byte by byte, for what is to be expected of it.
void make_input_file(InputFile& input, const std::string& sample);

// Lines of exactly `line_bytes` bytes, newline included.
std::string sample_of_equal_lines(std::size_t line_bytes);

// Lines of 2 to 2 * mean_bytes - 2 bytes, newline included, in no order that a processor could
// learn. None is empty: the branch for those in a row's own work would be guessed wrong.
std::string sample_of_varied_lines(std::size_t mean_bytes);

// The text in the file at `path`. NUL bytes, behind which fgets cannot see, become spaces.
std::string sample_of_real_text(const std::string& path);

// Has `strategy` find the file in the cache, or not, when it runs. Its other preparations come
// first.
void prepare_cache(Strategy& strategy, const SharedInput& input, bool cached);

// "WHAT, cache dropped", and a word of warning where files live in memory and there is none to
// drop.
std::string cold_title(const char* what, const std::string& directory);

}  // namespace sluice::bench
