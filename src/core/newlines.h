// find_newlines: finds the ends of the lines of a piece of text, in one pass with the widest
// vectors that the processor has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

// `positions` must have an entry for each byte and this number of additional entries. The fast
// implementations write into the additional entries without a check.
constexpr std::size_t newline_slack = 64;

// Stores the offset of every '\n' in data[0, bytes), and returns the number of offsets. `bytes` is
// less than 2^32, and `positions` has room for bytes + newline_slack entries.
std::size_t find_newlines(const std::byte* data, std::size_t bytes, std::uint32_t* positions);

// The implementations that this processor can run, the fastest first. find_newlines() uses the
// fastest. The others are listed so that a test can compare them.
using FindNewlines = std::size_t (*)(const std::byte* data, std::size_t bytes,
                                     std::uint32_t* positions);
std::span<const FindNewlines> ways_to_find_newlines();

}  // namespace sluice
