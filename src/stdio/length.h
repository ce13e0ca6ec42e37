// The lengths of conversions that print_plain() and scan_plain() know.
#pragma once

#include <cstdint>

namespace sluice::stdio {

enum class Length : std::uint8_t {
  none,
  of_char,
  of_short,
  of_long,
  of_long_long,
  of_long_double,
  of_size,
  of_largest,
  of_distance
};

// Takes "hh", "h", "l", "ll", "L", "z", "j" or "t" from the format, if it stands there.
inline Length take_length(const char*& at) {
  const auto doubled = [&at](char letter, Length twice, Length once) {
    if (*++at != letter) return once;
    ++at;
    return twice;
  };
  switch (*at) {
    case 'l': return doubled('l', Length::of_long_long, Length::of_long);
    case 'h': return doubled('h', Length::of_char, Length::of_short);
    case 'L': ++at; return Length::of_long_double;
    case 'z': ++at; return Length::of_size;
    case 'j': ++at; return Length::of_largest;
    case 't': ++at; return Length::of_distance;
    default: return Length::none;
  }
}

}  // namespace sluice::stdio
