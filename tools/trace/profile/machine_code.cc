#include "trace/profile/machine_code.h"

#include <cstddef>

namespace sluice::trace {

std::optional<std::uint32_t> third_argument_before(std::span<const unsigned char> code) {
  constexpr unsigned char move_to_edx = 0xba;
  constexpr std::size_t bytes = 5;  // of this instruction, with a number of four bytes
  for (std::size_t at = code.size() < bytes ? 0 : code.size() - bytes + 1; at-- > 0;) {
    if (code[at] != move_to_edx || code[at + 3] != 0 || code[at + 4] != 0) continue;
    return static_cast<std::uint32_t>(code[at + 1] | code[at + 2] << 8);
  }
  return std::nullopt;
}

}  // namespace sluice::trace
