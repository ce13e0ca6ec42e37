// The types of numbers that Writer::write_number writes and Reader::next_number reads as text.
#pragma once

#include <bit>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>

namespace sluice {

// Every signed and unsigned integer of up to 64 bits, int8_t and uint8_t among them. bool and the
// types of characters are excluded, because their text is not a number.
template <typename T>
concept Integer = std::integral<T> && sizeof(T) <= sizeof(std::uint64_t) &&
                  !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
                  !std::same_as<T, char8_t> && !std::same_as<T, char16_t> &&
                  !std::same_as<T, char32_t>;

// float, double and long double.
template <typename T>
concept FloatingPoint = std::floating_point<T>;

// A type that write_number and next_number accept.
template <typename T>
concept Number = Integer<T> || FloatingPoint<T>;

// A type that write_number and next_number refuse.
template <typename T>
concept NotNumber = !Number<T>;

// Sets `value` to the number that `text` is, by the rules of std::from_chars: no whitespace, no
// plus sign, and `nan` and `inf` are numbers. If a byte of the text does not belong to the number,
// or if the number does not fit T, returns false and leaves `value` as it was.
template <Number T>
[[nodiscard]] bool parse_number(std::string_view text, T& value) {
  T parsed;
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, parsed);
  if (result.ec != std::errc() || result.ptr != end) return false;
  value = parsed;
  return true;
}

namespace number_details {

template <typename... Arguments>
inline constexpr bool are_base = sizeof...(Arguments) == 0;
template <Integer Base>
inline constexpr bool are_base<Base> = true;

template <typename... Arguments>
inline constexpr bool are_format = sizeof...(Arguments) == 0;
template <>
inline constexpr bool are_format<std::chars_format> = true;

template <typename... Arguments>
inline constexpr bool are_format_and_precision = are_format<Arguments...>;
template <Integer Precision>
inline constexpr bool are_format_and_precision<std::chars_format, Precision> = true;

}  // namespace number_details

// The lists of arguments that write_number and next_number refuse after the number itself. After an
// integer, only a base may follow. After a floating-point number that is read, only a format may
// follow. After a floating-point number that is written, only a format and then a precision may
// follow.
template <typename... Arguments>
concept NotBase = !number_details::are_base<Arguments...>;
template <typename... Arguments>
concept NotFormat = !number_details::are_format<Arguments...>;
template <typename... Arguments>
concept NotFormatAndPrecision = !number_details::are_format_and_precision<Arguments...>;

// Implementation details follow.

// Returns the number without its sign. The result for the least integer fits too.
template <Integer T>
constexpr std::uint64_t magnitude_of(T value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

// Loads 8 bytes of text. The first byte becomes the lowest byte of the result.
inline std::uint64_t load_text(const std::byte* from) {
  std::uint64_t text;
  std::memcpy(&text, from, sizeof text);
  if constexpr (std::endian::native == std::endian::big) text = __builtin_bswap64(text);
  return text;
}

// Reads the digits at the beginning of 8 bytes of text, all of them together. This takes the same
// time for every number of digits. A loop over the digits takes three times as long if the
// processor does not foresee how many digits there are. "Fast Numeric String to Int" by Johnny Lee
// describes the multiplications.
struct LeadingDigits {
  unsigned count;  // 0 to 8
  std::uint64_t value;
};
inline LeadingDigits leading_digits(std::uint64_t text) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  // The highest bit of a byte is 1 if the byte is above '9' or below '0'. Carries and borrows
  // change only the bytes behind the first such byte.
  const std::uint64_t from_zero = text - ones * '0';
  const std::uint64_t others = ((text + ones * (0x7F - '9')) | from_zero) & (ones * 0x80);
  const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (count == 0) return {0, 0};
  // Moves the digits to the end, behind zeros.
  std::uint64_t digits = from_zero << (64 - 8 * count);
  digits = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FF;
  digits = (digits * 100 + (digits >> 16)) & 0x0000FFFF0000FFFF;
  digits = digits * 10'000 + (digits >> 32);
  return {count, digits & 0xFFFFFFFF};
}

inline constexpr std::uint64_t small_powers_of_ten[] = {
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};

// The longest integer in base 10 has 20 digits, or 19 digits and a sign. Its text is stored 8 bytes
// at a time.
inline constexpr std::size_t decimal_room_bytes = 28;

// The shortest text of a double has at most 24 bytes, as in -2.2250738585072014e-308. Its parts are
// stored 17 bytes at a time.
inline constexpr std::size_t shortest_room_bytes = 40;

// Writes `value` in base 10, and returns the end of the text. The first decimal_room_bytes bytes at
// `to` may change.
char* write_decimal(char* to, std::uint64_t value) noexcept;

// Writes the text that std::to_chars gives: the shortest text that std::from_chars reads as `value`
// again. Returns the end of the text. The first shortest_room_bytes bytes at `to` may change.
char* write_shortest(char* to, double value) noexcept;
char* write_shortest(char* to, float value) noexcept;

}  // namespace sluice
