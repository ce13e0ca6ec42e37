// The ways to write an integer as decimal text. sluice/number.h has the function that all other
// code calls.
#pragma once

#include <cstdint>
#include <span>

namespace sluice {

// The implementations that this processor can run, the fastest first. write_decimal() uses the
// fastest. The others are listed so that a test can compare them.
using WriteDecimal = char* (*)(char* to, std::uint64_t value) noexcept;
std::span<const WriteDecimal> ways_to_write_decimal() noexcept;

}  // namespace sluice
