// The types of numbers that Writer::write_number writes and Reader::next_number reads as text.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

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

// Implementation details follow.

// Returns the number without its sign. The result for the least integer fits too.
template <Integer T>
constexpr std::uint64_t magnitude_of(T value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

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
