// What the machine code before a call tells of the call.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace sluice::trace {

// The third argument of the call behind this code of x86-64, if a constant below 2^16 was put into
// its register. Compilers do so right before the call. A number that only looks like this
// instruction is unlikely: its value would have to be small too.
std::optional<std::uint32_t> third_argument_before(std::span<const unsigned char> code);

}  // namespace sluice::trace
