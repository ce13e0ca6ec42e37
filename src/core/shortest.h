// The shortest decimal number that reads back as a given binary number. If several decimal numbers
// are shortest, the closest one is chosen. The method is from R. Giulietti, "The Schubfach way to
// render doubles" (2020).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/powers_of_ten.h"

namespace sluice {

// digits * 10^exponent. There may be zeros at the end of the digits.
struct Decimal {
  std::uint64_t digits;
  int exponent;
};

// significand * 2^exponent, from the bits of a float or double.
template <typename T>
struct Binary {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  static constexpr int significand_bits = std::numeric_limits<T>::digits - 1;
  static constexpr int exponent_bias = std::numeric_limits<T>::max_exponent - 1 + significand_bits;

  explicit Binary(T value) {
    const auto bits = std::bit_cast<Bits>(value);
    constexpr Bits hidden_bit = Bits{1} << significand_bits;
    const auto biased =
        static_cast<int>(bits >> significand_bits & (std::numeric_limits<T>::max_exponent * 2 - 1));
    significand = bits & (hidden_bit - 1);
    is_power_of_two = significand == 0 && biased > 1;
    if (biased != 0) significand |= hidden_bit;
    exponent = (biased != 0 ? biased : 1) - exponent_bias;
  }

  std::uint64_t significand;
  int exponent;
  bool is_power_of_two;  // the next number below is closer than the next one above
};

// Returns number * factor / 2^128, rounded to odd: the last bit is set if the result is not exact.
inline std::uint64_t multiply_rounding_to_odd(Bits128 number, std::uint64_t factor) {
  const auto low = static_cast<Product>(number.low) * factor;
  const auto high = static_cast<Product>(number.high) * factor + (low >> 64);
  const auto fraction = static_cast<std::uint64_t>(high);
  return static_cast<std::uint64_t>(high >> 64) | (fraction > 1 ? 1 : 0);
}

// The paper's algorithm. The unit is a quarter of the last digit. The number lies at `middle`, and
// the decimal numbers that read back as it lie between `lower` and `upper`.
template <typename T>
Decimal shortest_decimal(const Binary<T>& binary) {
  const std::uint64_t significand = binary.significand;
  if (binary.exponent <= 0 && binary.exponent > -std::numeric_limits<T>::digits &&
      (significand & ((std::uint64_t{1} << -binary.exponent) - 1)) == 0) {
    return {significand >> -binary.exponent, 0};  // a whole number, exact
  }
  // 1262611 / 2^22 is log10(2), 524031 / 2^22 is -log10(3/4), 1741647 / 2^19 is log2(10).
  const int closer = binary.is_power_of_two ? 1 : 0;
  const int exponent = (binary.exponent * 1262611 - closer * 524031) >> 22;
  const int shift = binary.exponent + ((-exponent * 1741647) >> 19) + 1;
  const Bits128 power = power_of_ten(-exponent);
  const std::uint64_t quarter = 4 * significand;
  const auto scaled = [&](std::uint64_t number) {
    return multiply_rounding_to_odd(power, number << shift);
  };
  const std::uint64_t odd = significand & 1;  // if odd, `lower` and `upper` read back as neighbours
  const std::uint64_t lower = scaled(quarter - 2 + static_cast<std::uint64_t>(closer)) + odd;
  const std::uint64_t middle = scaled(quarter);
  const std::uint64_t upper = scaled(quarter + 2) - odd;

  const std::uint64_t digits = middle / 4;
  if (digits >= 10) {
    // Looks at the two numbers with one digit less that lie next to the exact number. If only one
    // of these two reads back, it is the result.
    const std::uint64_t fewer = digits / 10;
    const bool below = lower <= 40 * fewer;
    const bool above = 40 * fewer + 40 <= upper;
    if (below != above) return {fewer + (above ? 1 : 0), exponent + 1};
  }
  const bool below = lower <= 4 * digits;
  const bool above = 4 * digits + 4 <= upper;
  const std::uint64_t half = 4 * digits + 2;
  const bool nearer_above = middle > half || (middle == half && (digits & 1) != 0);
  const bool rounds_up = below != above ? above : nearer_above;
  return {digits + (rounds_up ? 1 : 0), exponent};
}

}  // namespace sluice
