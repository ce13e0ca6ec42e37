// Floating-point numbers as the text of std::to_chars.
#include "core/shortest.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string_view>

#include "sluice/number.h"

namespace sluice {
namespace {

constexpr int word_bytes = 8;
constexpr std::size_t max_digits = 17;
constexpr std::uint64_t zeros = 0x3030303030303030;  // the text "00000000"

// The digits of a number as text, without zeros at the end. append() copies a fixed number of bytes
// from here, which costs less than copying as many bytes as there are digits.
struct Digits {
  explicit Digits(const Decimal& decimal) {
    std::memset(bytes, 0, word_bytes);  // a NUL byte is not the digit 0
    const char* end = write_decimal(text(), decimal.digits);
    point = static_cast<int>(end - text()) + decimal.exponent;
    int zero_bytes;
    do {
      std::uint64_t word;
      std::memcpy(&word, end - word_bytes, word_bytes);
      zero_bytes = std::countl_zero(word ^ zeros) / 8;
      end -= zero_bytes;
    } while (zero_bytes == word_bytes);
    count = static_cast<int>(end - text());
  }

  char* text() { return bytes + word_bytes; }
  const char* text() const { return bytes + word_bytes; }

  char bytes[word_bytes + max_digits + decimal_room_bytes];
  int count;
  int point;  // digits before the decimal point; 0 or less for 0.1, 0.01, ...
};

char* append(char* to, const char* from, int bytes) {
  std::memcpy(to, from, max_digits);  // `to` has room for all of them
  return to + bytes;
}

char* write_exponent(char* to, int exponent) {
  *to++ = 'e';
  *to++ = exponent < 0 ? '-' : '+';
  const int magnitude = std::abs(exponent);
  if (magnitude < 10) *to++ = '0';
  return write_decimal(to, static_cast<std::uint64_t>(magnitude));
}

char* write_scientific(char* to, const Digits& digits) {
  *to++ = digits.text()[0];
  if (digits.count > 1) {
    *to++ = '.';
    to = append(to, digits.text() + 1, digits.count - 1);
  }
  return write_exponent(to, digits.point - 1);
}

char* write_fixed(char* to, const Digits& digits) {
  if (digits.point <= 0) {
    std::string_view("0.00000000").copy(to, 10);
    return append(to + 2 - digits.point, digits.text(), digits.count);
  }
  char* end = append(to, digits.text(), digits.count);
  if (digits.point >= digits.count) {
    std::memcpy(end, &zeros, word_bytes);
    return to + digits.point;
  }
  append(to + digits.point + 1, digits.text() + digits.point, 0);
  to[digits.point] = '.';
  return end + 1;
}

int fixed_bytes(const Digits& digits) {
  if (digits.point <= 0) return 2 - digits.point + digits.count;
  return digits.point < digits.count ? digits.count + 1 : digits.point;
}

int scientific_bytes(const Digits& digits) {
  const int exponent = std::abs(digits.point - 1);
  return digits.count + (digits.count > 1 ? 1 : 0) + (exponent < 100 ? 4 : 5);
}

template <typename T>
char* write_shortest_of(char* to, T value) noexcept {
  if (value == 0 || !std::isfinite(value)) {
    return std::to_chars(to, to + shortest_room_bytes, value).ptr;
  }
  const Digits digits(shortest_decimal(Binary<T>(value)));
  const bool is_fixed = fixed_bytes(digits) <= scientific_bytes(digits);
  // If a whole number has more digits than are needed to identify it, std::to_chars writes all of
  // them.
  if (is_fixed && digits.point > digits.count && digits.point > std::numeric_limits<T>::digits10) {
    return std::to_chars(to, to + shortest_room_bytes, value).ptr;
  }
  if (value < 0) *to++ = '-';
  return is_fixed ? write_fixed(to, digits) : write_scientific(to, digits);
}

}  // namespace

char* write_shortest(char* to, double value) noexcept { return write_shortest_of(to, value); }

char* write_shortest(char* to, float value) noexcept { return write_shortest_of(to, value); }

}  // namespace sluice
