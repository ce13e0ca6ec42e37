#include "stdio/fixed_digits.h"

#include <array>
#include <bit>
#include <cfloat>
#include <cstddef>
#include <cstring>

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

// fraction / 2^shift becomes fixed.fraction / 10^digits, rounded.
void round_fraction(std::uint64_t fraction, int shift, int digits, FixedDigits& fixed) {
  if (shift > 127) return;  // it is below 2^-64, and rounds to 0
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

// The digits of mantissa / 2^shift. There are none if the number is not below 2^64.
std::optional<FixedDigits> digits_of(std::uint64_t mantissa, int shift, int digits) {
  FixedDigits fixed;
  if (shift <= 0) {
    if (shift < -std::countl_zero(mantissa)) return std::nullopt;
    fixed.whole = mantissa << -shift;
    return fixed;
  }
  fixed.whole = shift > 63 ? 0 : mantissa >> shift;
  const std::uint64_t fraction =
      shift > 63 ? mantissa : mantissa & ((std::uint64_t{1} << shift) - 1);
  round_fraction(fraction, shift, digits, fixed);
  return fixed;
}

}  // namespace

std::optional<FixedDigits> fixed_digits(double number, int digits) {
  if (digits > most_fixed_digits) return std::nullopt;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const auto exponent = static_cast<int>(bits >> mantissa_bits & 0x7ff);
  const std::uint64_t low = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
  const std::uint64_t mantissa = exponent == 0 ? low : low | std::uint64_t{1} << mantissa_bits;
  return digits_of(mantissa, exponent_bias - (exponent == 0 ? 1 : exponent), digits);
}

std::optional<FixedDigits> fixed_digits(long double number, int digits) {
#if defined(__x86_64__) && LDBL_MANT_DIG == 64
  constexpr int bias = 16383 + 63;
  std::uint64_t mantissa = 0;
  std::uint16_t sign_and_exponent = 0;
  std::memcpy(&mantissa, &number, sizeof mantissa);
  std::memcpy(&sign_and_exponent, reinterpret_cast<const char*>(&number) + sizeof mantissa,
              sizeof sign_and_exponent);
  const int exponent = sign_and_exponent & 0x7fff;
  const bool is_normal = mantissa >> 63 != 0;
  const bool is_tiny = exponent == 0;  // also 0. Each such number rounds to 0
  if (digits > most_fixed_digits || (!is_normal && !is_tiny)) return std::nullopt;
  return digits_of(mantissa, bias - exponent, digits);
#else
  static_cast<void>(number);
  static_cast<void>(digits);
  return std::nullopt;
#endif
}

}  // namespace sluice::stdio
