#include "stdio/decimal_to_binary.h"

#include <bit>
#include <limits>
#include <type_traits>

#include "stdio/powers_of_ten.h"

namespace sluice::stdio {

template <typename Number>
std::optional<Number> decimal_to_binary(std::uint64_t digits, std::int64_t power) {
  using Bits = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
  constexpr int mantissa_bits = std::numeric_limits<Number>::digits;  // with the highest one
  constexpr int bias = std::numeric_limits<Number>::max_exponent - 1;
  if (digits == 0) return Number{0};
  if (power < least_power || power > greatest_power) return std::nullopt;
  const PowerOfTen ten = power_of_ten(static_cast<int>(power));
  const int zeros = std::countl_zero(digits);
  const Product product = multiply(digits << zeros, ten.mantissa);
  // The upper 128 bits are 1 to 1.99 times 2^(126 or 127).
  const int highest = static_cast<std::uint64_t>(product.high >> 127) != 0 ? 127 : 126;
  const int places = highest + 1 - mantissa_bits;
  const Wide rest = product.high & ((Wide{1} << places) - 1);
  const Wide half = Wide{1} << (places - 1);
  auto mantissa = static_cast<std::uint64_t>(product.high >> places);
  bool rounds_up = rest > half;
  if (power >= 0 && power <= greatest_exact_power) {
    rounds_up = rounds_up || (rest == half && (product.low != 0 || mantissa % 2 != 0));
  } else if (rest <= half && half - rest <= power_error) {
    return std::nullopt;
  }
  mantissa += rounds_up ? 1 : 0;
  // A mantissa that has become a power of two adds its bit to the exponent.
  const int exponent = ten.exponent + 64 - zeros + highest + bias;
  const std::uint64_t carry = mantissa >> mantissa_bits;
  if (exponent < 1 || exponent + static_cast<int>(carry) > 2 * bias) return std::nullopt;
  const std::uint64_t above = static_cast<std::uint64_t>(exponent - 1) << (mantissa_bits - 1);
  return std::bit_cast<Number>(static_cast<Bits>(above + mantissa));
}

template std::optional<double> decimal_to_binary(std::uint64_t digits, std::int64_t power);
template std::optional<float> decimal_to_binary(std::uint64_t digits, std::int64_t power);

}  // namespace sluice::stdio
