// The first 128 bits of the powers of ten, as R. Giulietti's "The Schubfach way to render doubles"
// (2020) needs them. The compiler computes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sluice {

__extension__ using Product = unsigned __int128;  // has room for a product of two words

struct Bits128 {
  std::uint64_t high;
  std::uint64_t low;
};

inline constexpr int min_power_of_ten = -292;
inline constexpr int max_power_of_ten = 324;

namespace powers_of_ten {

// A whole number below 2^1280. The word of least weight comes first.
using Words = std::array<std::uint64_t, 20>;

constexpr void multiply_by_ten(Words& number) {
  std::uint64_t carry = 0;
  for (std::uint64_t& word : number) {
    const auto product = static_cast<Product>(word) * 10 + carry;
    word = static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> 64);
  }
}

constexpr void divide_by_ten(Words& number) {
  std::uint64_t rest = 0;
  for (std::size_t i = number.size(); i-- > 0;) {
    const auto part = static_cast<Product>(rest) << 64 | number[i];
    number[i] = static_cast<std::uint64_t>(part / 10);
    rest = static_cast<std::uint64_t>(part % 10);
  }
}

// Returns the 128 bits from the first set bit on, with 1 added in the last place. So the result is
// always above the number, and never equal to it.
constexpr Bits128 first_bits(const Words& number) {
  std::size_t top = number.size() - 1;
  while (number[top] == 0) --top;
  const auto word = [&](std::size_t below) { return below <= top ? number[top - below] : 0; };
  int shift = 0;
  while ((word(0) << shift >> 63) == 0) ++shift;
  const auto joined = [&](std::size_t below) {
    return shift == 0 ? word(below) : word(below) << shift | word(below + 1) >> (64 - shift);
  };
  const std::uint64_t low = joined(1) + 1;
  return {joined(0) + (low == 0 ? 1 : 0), low};
}

constexpr auto all() {
  std::array<Bits128, max_power_of_ten - min_power_of_ten + 1> powers{};
  Words number{1};
  for (int exponent = 0; exponent <= max_power_of_ten; ++exponent) {
    powers[static_cast<std::size_t>(exponent - min_power_of_ten)] = first_bits(number);
    multiply_by_ten(number);
  }
  number = {};
  number.back() = std::uint64_t{1} << 63;  // 2^1279: its tenths keep more than 128 bits
  for (int exponent = -1; exponent >= min_power_of_ten; --exponent) {
    divide_by_ten(number);
    powers[static_cast<std::size_t>(exponent - min_power_of_ten)] = first_bits(number);
  }
  return powers;
}

inline constexpr auto table = all();

}  // namespace powers_of_ten

// Returns 10^exponent. `exponent` is between min_power_of_ten and max_power_of_ten.
inline Bits128 power_of_ten(int exponent) {
  return powers_of_ten::table[static_cast<std::size_t>(exponent - min_power_of_ten)];
}

}  // namespace sluice
