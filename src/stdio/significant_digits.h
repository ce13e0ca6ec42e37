// The digits of a double for %e and %g, without the C library.
#pragma once

#include <cstdint>
#include <optional>

namespace sluice::stdio {

constexpr int most_significant_digits = 17;

// The number is digits * 10^(exponent - count + 1), rounded to nearest, ties to even. `digits` has
// exactly `count` decimal digits.
struct SignificantDigits {
  std::uint64_t digits = 0;
  int exponent = 0;
};

// The number must be finite and greater than 0, and `count` from 1 to most_significant_digits.
// Nothing if 192 bits do not tell how to round.
std::optional<SignificantDigits> significant_digits(double number, int count);

}  // namespace sluice::stdio
