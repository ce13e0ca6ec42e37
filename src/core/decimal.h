// The ways to write an integer as decimal text. sluice/number.h has the function that all other
// code calls.
#pragma once

#include <cstdint>
#include <span>

namespace sluice {

// The ways that this processor can go, the fastest one first. write_decimal() goes the fastest one.
// All ways are here so that a test can compare them.
using WriteDecimal = char* (*)(char* to, std::uint64_t value) noexcept;
std::span<const WriteDecimal> ways_to_write_decimal() noexcept;

}  // namespace sluice
