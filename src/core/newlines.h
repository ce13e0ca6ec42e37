// find_newlines: where the lines of a piece of text end, in one pass with the widest vectors that
// the processor has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

// Entries that `positions` must have beyond one per byte: they are written without looking.
constexpr std::size_t newline_slack = 64;

// Stores the offset of every '\n' in data[0, bytes) and returns how many there are. `bytes` is less
// than 2^32, `positions` has room for bytes + newline_slack entries.
std::size_t find_newlines(const std::byte* data, std::size_t bytes, std::uint32_t* positions);

// Every way that this processor can go, the fastest first: find_newlines() goes that. All are here
// so that a test can compare them.
using FindNewlines = std::size_t (*)(const std::byte* data, std::size_t bytes,
                                     std::uint32_t* positions);
std::span<const FindNewlines> ways_to_find_newlines();

}  // namespace sluice
