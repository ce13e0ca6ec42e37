// The digits of printf's conversion %f.
#pragma once

#include <cstdint>
#include <optional>

namespace sluice::stdio {

struct FixedDigits {
  std::uint64_t whole = 0;     // before the point
  std::uint64_t fraction = 0;  // behind the point, times 10 to the power of the number of digits
};

// As many digits as a double has, rounded up.
constexpr int most_fixed_digits = 17;

// Rounds |number| exactly to `digits` digits behind the point, ties to even. There is no result if
// there are more digits than most_fixed_digits, if |number| is not below 2^64, and for infinity and
// NaN. For a long double there is a result only if it is x86's type of 80 bits.
std::optional<FixedDigits> fixed_digits(double number, int digits);
std::optional<FixedDigits> fixed_digits(long double number, int digits);

}  // namespace sluice::stdio
