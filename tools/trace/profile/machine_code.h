// What the machine code before a call tells of the call.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace sluice::trace {

// The third argument of the call with which this code of x86-64 ends, if it is a constant below
// 2^16 that the code puts into its register. Between this instruction and the call, there may only
// be moves of other arguments into their registers: so the constant is not that of another call.
std::optional<std::uint32_t> third_argument_before(std::span<const unsigned char> code);

}  // namespace sluice::trace
