// The rows of `numbers`, which write and read. `Number` is int or double.
#pragma once

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/experiments/input/input_file.h"
#include "bench/strategy.h"

namespace sluice::bench {

// The rows make texts of at most 25 bytes, as in "-2.2250738585072014e-308\n".
inline constexpr std::size_t max_number_bytes = 32;

// Writes the shortest text that reads back as `number`, and a newline. Returns the end of the text.
template <typename Number>
char* append_number(char* to, Number number) {
  char* end = std::to_chars(to, to + max_number_bytes - 1, number).ptr;
  *end++ = '\n';
  return end;
}

inline void add_number(Tally& tally, int number) {
  tally.add_value(static_cast<std::uint64_t>(number));
}
inline void add_number(Tally& tally, double number) {
  tally.add_value(std::bit_cast<std::uint64_t>(number));
}

template <typename Number>
struct NumberWritingRow {
  const char* name;
  Kind kind;
  std::uint64_t buffer_bytes;
  void (*write)(const std::string& path, const std::vector<Number>& numbers);
};

template <typename Number>
std::vector<NumberWritingRow<Number>> number_writing_rows();

struct NumberReadingRow {
  const char* name;
  Kind kind;
  std::uint64_t buffer_bytes;
  Tally (*read)(const std::string& path);
};

template <typename Number>
std::vector<NumberReadingRow> number_reading_rows();

}  // namespace sluice::bench
