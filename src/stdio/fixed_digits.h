// The digits of printf's conversion %f.
#pragma once

#include <cstdint>
#include <optional>

namespace sluice::stdio {

struct FixedDigits {
  bool is_negative = false;
  std::uint64_t whole = 0;     // before the point
  std::uint64_t fraction = 0;  // behind the point, times 10 to the power of the number of digits
};

// As many digits as a double has, rounded up.
constexpr int most_fixed_digits = 17;

// Rounds exactly to `digits` digits behind the point, ties to even. There is no result if there are
// more digits than most_fixed_digits, if |number| is not below 2^63, and for infinity and NaN.
std::optional<FixedDigits> fixed_digits(double number, int digits);

}  // namespace sluice::stdio
