#include "stdio/powers_of_ten.h"

#include <array>
#include <cstddef>

namespace sluice::stdio {
namespace {

constexpr Wide highest_bit = Wide{1} << 127;
constexpr auto first_whole = static_cast<std::size_t>(-least_power);
constexpr std::size_t count = first_whole + 1 + static_cast<std::size_t>(greatest_power);

// Bits that do not fit are cut off, so each step loses less than two units of the last bit.
constexpr Wide times_ten(Wide mantissa) {
  const Wide low = Wide{static_cast<std::uint64_t>(mantissa)} * 10;
  const Wide high = (mantissa >> 64) * 10 + (low >> 64);
  const int shift = (high >> 67) != 0 ? 4 : 3;
  return high << (64 - shift) | static_cast<std::uint64_t>(low) >> shift;
}

constexpr Wide divided_by_ten(Wide mantissa) {
  Wide quotient = mantissa / 10;
  Wide rest = mantissa % 10;
  while ((quotient & highest_bit) == 0) {
    rest *= 2;
    quotient = quotient << 1 | (rest >= 10 ? 1 : 0);
    rest %= 10;
  }
  return quotient;
}

constexpr auto mantissas = [] {
  std::array<Wide, count> powers{};
  powers[first_whole] = highest_bit;
  for (std::size_t i = first_whole + 1; i < count; ++i) powers[i] = times_ten(powers[i - 1]);
  for (std::size_t i = first_whole; i > 0; --i) powers[i - 1] = divided_by_ten(powers[i]);
  return powers;
}();

}  // namespace

PowerOfTen power_of_ten(int power) {
  const int bits_before = power * 217706 >> 16;  // floor(power * log2(10))
  return {.mantissa = mantissas[static_cast<std::size_t>(power - least_power)],
          .exponent = bits_before - 127};
}

}  // namespace sluice::stdio
