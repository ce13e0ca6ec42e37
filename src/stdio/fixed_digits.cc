#include "stdio/fixed_digits.h"

#include <array>
#include <bit>
#include <cstddef>

namespace sluice::stdio {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int mantissa_bits = 52;
constexpr int exponent_bias = 1075;  // a number is mantissa * 2^(exponent - exponent_bias)

constexpr auto powers_of_ten = [] {
  std::array<std::uint64_t, most_fixed_digits + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// fraction / 2^shift becomes fixed.fraction / 10^digits, rounded. `fraction` is below 2^53.
void round_fraction(std::uint64_t fraction, int shift, int digits, FixedDigits& fixed) {
  if (shift > 127) return;  // it is below 2^-75, and rounds to 0
  const std::uint64_t power = powers_of_ten[static_cast<std::size_t>(digits)];
  const Wide scaled = Wide{fraction} * power;
  const Wide rest = scaled & ((Wide{1} << shift) - 1);
  const Wide half = Wide{1} << (shift - 1);
  fixed.fraction = static_cast<std::uint64_t>(scaled >> shift);
  const std::uint64_t last_digit = digits == 0 ? fixed.whole : fixed.fraction;
  if (rest > half || (rest == half && last_digit % 2 != 0)) ++fixed.fraction;
  if (fixed.fraction == power) {
    fixed.fraction = 0;
    ++fixed.whole;
  }
}

}  // namespace

std::optional<FixedDigits> fixed_digits(double number, int digits) {
  if (digits > most_fixed_digits) return std::nullopt;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const auto exponent = static_cast<int>(bits >> mantissa_bits & 0x7ff);
  const std::uint64_t low = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
  const std::uint64_t mantissa = exponent == 0 ? low : low | std::uint64_t{1} << mantissa_bits;
  const int shift = exponent_bias - (exponent == 0 ? 1 : exponent);
  if (shift <= -11) return std::nullopt;
  FixedDigits fixed{.is_negative = bits >> 63 != 0};
  if (shift <= 0) {
    fixed.whole = mantissa << -shift;
    return fixed;
  }
  fixed.whole = shift > mantissa_bits ? 0 : mantissa >> shift;
  const std::uint64_t fraction =
      shift > mantissa_bits ? mantissa : mantissa & ((std::uint64_t{1} << shift) - 1);
  round_fraction(fraction, shift, digits, fixed);
  return fixed;
}

}  // namespace sluice::stdio
