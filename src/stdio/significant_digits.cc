#include "stdio/significant_digits.h"

#include <array>
#include <bit>
#include <cstddef>

#include "stdio/powers_of_ten.h"

namespace sluice::stdio {
namespace {

constexpr int mantissa_bits = 52;
constexpr int exponent_bias = 1075;

constexpr auto small_powers = [] {
  std::array<std::uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// mantissa * 2^exponent. The highest bit of the mantissa is set.
struct Binary {
  std::uint64_t mantissa;
  int exponent;
};

Binary split(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const auto biased = static_cast<int>(bits >> mantissa_bits);
  const std::uint64_t low = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
  const std::uint64_t mantissa = biased == 0 ? low : low | std::uint64_t{1} << mantissa_bits;
  const int zeros = std::countl_zero(mantissa);
  return {.mantissa = mantissa << zeros,
          .exponent = (biased == 0 ? 1 : biased) - exponent_bias - zeros};
}

std::uint64_t round_half(std::uint64_t whole, bool is_more, bool is_half) {
  return whole + (is_more || (is_half && whole % 2 != 0) ? 1 : 0);
}

// A whole number below 2^64, divided by a power of ten. Its quotient may lie exactly between two.
std::optional<std::uint64_t> divide_whole(const Binary& binary, int power) {
  const int places = -binary.exponent;
  if (power < -19 || places < 0 || places > 63) return std::nullopt;
  if ((binary.mantissa & ((std::uint64_t{1} << places) - 1)) != 0) return std::nullopt;
  const std::uint64_t number = binary.mantissa >> places;
  const std::uint64_t divisor = small_powers[static_cast<std::size_t>(-power)];
  const std::uint64_t rest = number % divisor;
  return round_half(number / divisor, rest > divisor / 2, rest == divisor / 2);
}

// The number times 10^power, rounded.
std::optional<std::uint64_t> scale(const Binary& binary, int power) {
  if (power < 0) {
    if (const auto whole = divide_whole(binary, power)) return whole;
  }
  const PowerOfTen ten = power_of_ten(power);
  const Product product = multiply(binary.mantissa, ten.mantissa);
  // How many of the upper 128 bits stand behind the point. The whole part has 1 to 60 bits.
  const int places = -(binary.exponent + ten.exponent + 64);
  const Wide rest = product.high & ((Wide{1} << places) - 1);
  const Wide half = Wide{1} << (places - 1);
  const auto whole = static_cast<std::uint64_t>(product.high >> places);
  if (power >= 0 && power <= greatest_exact_power) {
    const bool is_more = rest > half || (rest == half && product.low != 0);
    return round_half(whole, is_more, rest == half && product.low == 0);
  }
  // The product is too small by less than power_error units of `rest`.
  const bool is_unclear = rest <= half && half - rest <= power_error;
  if (is_unclear) return std::nullopt;
  return round_half(whole, rest > half, false);
}

}  // namespace

std::optional<SignificantDigits> significant_digits(double number, int count) {
  const Binary binary = split(number);
  // The power of ten below the number, or the one below that.
  constexpr std::int64_t log_of_two = 1'292'913'986;  // times 2^32
  auto exponent = static_cast<int>((binary.exponent + 63) * log_of_two >> 32);
  auto digits = scale(binary, count - 1 - exponent);
  const std::uint64_t too_large = small_powers[static_cast<std::size_t>(count)];
  if (digits && *digits >= too_large) {
    ++exponent;
    digits = *digits == too_large ? too_large / 10 : scale(binary, count - 1 - exponent);
  }
  if (!digits) return std::nullopt;
  return SignificantDigits{.digits = *digits, .exponent = exponent};
}

}  // namespace sluice::stdio
