// The ways to write an integer as decimal text: sluice/number.h has what everybody else needs.
#pragma once

#include <cstdint>
#include <span>

namespace sluice {

// Every way that this processor can go, the fastest first: write_decimal() goes that. All are here
// so that a test can compare them.
using WriteDecimal = char* (*)(char* to, std::uint64_t value) noexcept;
std::span<const WriteDecimal> ways_to_write_decimal() noexcept;

}  // namespace sluice
