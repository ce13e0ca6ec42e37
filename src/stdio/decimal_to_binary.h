// Decimal digits become a double or a float, without the C library.
#pragma once

#include <cstdint>
#include <optional>

namespace sluice::stdio {

// digits * 10^power, rounded to nearest, ties to even. Nothing if 192 bits do not tell how to
// round, or if the result is too small or too large for all of its bits.
template <typename Number>
std::optional<Number> decimal_to_binary(std::uint64_t digits, std::int64_t power);

}  // namespace sluice::stdio
