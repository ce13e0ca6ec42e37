#include "compression/adler32.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sluice {
namespace {

constexpr std::uint64_t modulus = 65521;
constexpr std::size_t columns = 32;
constexpr std::size_t max_rows = 4096;  // so that no sum of a column exceeds 32 bits

}  // namespace

// The checksum is a = 1 + the sum of the bytes, and b = the sum of all values that `a` takes. The
// bytes lie in rows of `columns` bytes, so that the compiler can use vector instructions: each
// column has a sum, and a sum of all values that this sum takes.
std::uint32_t adler32(BytesView bytes) {
  std::uint64_t a = 1;
  std::uint64_t b = 0;
  while (bytes.size() >= columns) {
    const std::size_t rows = std::min(bytes.size() / columns, max_rows);
    std::array<std::uint32_t, columns> sums{};
    std::array<std::uint32_t, columns> sums_of_sums{};
    for (std::size_t row = 0; row < rows; ++row) {
      const std::byte* const from = bytes.data() + row * columns;
      for (std::size_t i = 0; i < columns; ++i) {
        sums[i] += std::to_integer<std::uint32_t>(from[i]);
        sums_of_sums[i] += sums[i];
      }
    }
    b += a * rows * columns;
    for (std::size_t i = 0; i < columns; ++i) {
      a += sums[i];
      b += std::uint64_t{sums_of_sums[i]} * columns - std::uint64_t{sums[i]} * i;
    }
    a %= modulus;
    b %= modulus;
    bytes = bytes.subspan(rows * columns);
  }
  for (const std::byte byte : bytes) {
    a += std::to_integer<std::uint32_t>(byte);
    b += a;
  }
  return static_cast<std::uint32_t>(b % modulus << 16 | a % modulus);
}

}  // namespace sluice
