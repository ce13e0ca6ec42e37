// The formats of numbers in the C interface.
#pragma once

#include <charconv>
#include <optional>

#include "sluice/c.h"

namespace sluice::c {

// Returns nothing if `format` is no enum sluice_number_format.
inline std::optional<std::chars_format> number_format(int format) {
  switch (format) {
    case SLUICE_GENERAL: return std::chars_format::general;
    case SLUICE_FIXED: return std::chars_format::fixed;
    case SLUICE_SCIENTIFIC: return std::chars_format::scientific;
    case SLUICE_HEX: return std::chars_format::hex;
    default: return std::nullopt;
  }
}

}  // namespace sluice::c
