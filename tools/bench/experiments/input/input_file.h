// The input files of the reading experiments, and the right results of reading them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "bench/strategy.h"

namespace sluice::bench {

// The work that every reading row does with each item. It is cheap. The Tally is right only if the
// row has seen the size (or value) and the first byte of each item, in order.
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

// Throws unless the two are equal. The message has both.
void expect_tally(const Tally& found, const Tally& expected);

// One input file. A declaration has its path and size. make_input_file makes the file and fills in
// the rest. All strategies share the object: their processes are forked after the file is made.
struct InputFile {
  std::string path;
  std::uint64_t bytes = 0;
  // make_input_file fills in the members below.
  std::uint64_t hash = 0;
  std::uint64_t last_block_hash = 0;  // of the bytes that the last read of raw_block_bytes gives
  Tally lines;
};

using SharedInput = std::shared_ptr<InputFile>;
SharedInput declare_input_file(const std::string& directory, const char* name, std::uint64_t bytes);

// Fills the file with repetitions of `sample`, cut off at input.bytes, so the last line may have no
// newline. Then reads the file byte by byte, to compute the expected results.
void make_input_file(InputFile& input, const std::string& sample);

// Lines of exactly `line_bytes` bytes, including the newline.
std::string sample_of_equal_lines(std::size_t line_bytes);

// Lines of 2 to 2 * mean_bytes - 2 bytes, including the newline, in an order that a processor
// cannot learn. No line is empty, because the processor would mispredict the branch for empty
// lines.
std::string sample_of_varied_lines(std::size_t mean_bytes);

// The text in the file at `path`. NUL bytes become spaces, because fgets cannot see past them.
std::string sample_of_real_text(const std::string& path);

// Makes `strategy` find the file in the cache, or not in the cache, when it runs. Does so after the
// strategy's other preparations.
void prepare_cache(Strategy& strategy, const SharedInput& input, bool cached);

// True if files in the directory live in memory (tmpfs): then nothing can be dropped, and nothing
// is read or written directly.
bool is_in_memory(const std::string& directory);

// "WHAT, cache dropped". If the files live in memory, a warning follows that nothing can be
// dropped.
std::string cold_title(const char* what, const std::string& directory);

}  // namespace sluice::bench
