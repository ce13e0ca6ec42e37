// Powers of ten as 128-bit numbers, with which decimal digits and doubles become each other.
#pragma once

#include <cstdint>

namespace sluice::stdio {

__extension__ using Wide = unsigned __int128;

constexpr int least_power = -342;
constexpr int greatest_power = 342;
// Powers from 0 to this one are exact.
constexpr int greatest_exact_power = 55;
// Each other power is too small by less than this many units of its last bit.
constexpr unsigned power_error = 1024;

// 10^power is at least mantissa * 2^exponent. The highest bit of the mantissa is set.
struct PowerOfTen {
  Wide mantissa;
  int exponent;
};

// The power must be from least_power to greatest_power.
PowerOfTen power_of_ten(int power);

// number * mantissa, of 192 bits.
struct Product {
  Wide high;          // the upper 128 bits
  std::uint64_t low;  // the lower 64 bits
};

inline Product multiply(std::uint64_t number, Wide mantissa) {
  const Wide lower = Wide{number} * static_cast<std::uint64_t>(mantissa);
  const Wide upper = Wide{number} * static_cast<std::uint64_t>(mantissa >> 64);
  return {.high = upper + (lower >> 64), .low = static_cast<std::uint64_t>(lower)};
}

}  // namespace sluice::stdio
