// The lengths of conversions that print_plain() and scan_plain() know.
#pragma once

#include <cstdint>

namespace sluice::stdio {

enum class Length : std::uint8_t { none, of_long, of_long_long, of_size };

// Takes "l", "ll" or "z" from the format, if it stands there.
inline Length take_length(const char*& at) {
  if (*at != 'z' && *at != 'l') return Length::none;
  if (*at++ == 'z') return Length::of_size;
  if (*at != 'l') return Length::of_long;
  ++at;
  return Length::of_long_long;
}

}  // namespace sluice::stdio
