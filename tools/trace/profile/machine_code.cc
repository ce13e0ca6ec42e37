#include "trace/profile/machine_code.h"

#include <cstddef>

namespace sluice::trace {
namespace {

using Code = std::span<const unsigned char>;

// The numbers of registers and modes in the operands of the machine's code.
constexpr unsigned rdx = 2;
constexpr unsigned rsp = 4;
constexpr unsigned in_register = 3;

// How many bytes an operand takes behind the byte that describes it.
std::size_t operand_bytes(unsigned mode, unsigned base) {
  const std::size_t index_byte = mode != in_register && base == rsp ? 1 : 0;
  if (mode == 1) return index_byte + 1;
  const bool is_relative = mode == 0 && base == 5;
  return index_byte + (mode == 2 || is_relative ? 4 : 0);
}

// A move, as far as it is known here.
struct Move {
  std::size_t bytes = 0;  // 0: it is another instruction
  bool to_rdx = false;
};

// Moves between registers and memory, of constants to memory, `lea` and `xor`: compilers put these
// between the arguments of a call.
Move move_at(Code code) {
  std::size_t at = 0;
  const auto byte = [&](std::size_t place) -> unsigned {
    return place < code.size() ? code[place] : 0;
  };
  const bool is_short = byte(at) == 0x66;  // two bytes
  if (is_short) ++at;
  const unsigned wide = (byte(at) & 0xf0) == 0x40 ? byte(at++) : 0;  // the high bits of registers
  const bool is_extension = byte(at) == 0x0f;                        // of a smaller number
  if (is_extension) ++at;
  const unsigned operation = byte(at++);
  const unsigned operand = byte(at++);
  const unsigned mode = operand >> 6;
  const unsigned first = (operand >> 3 & 7) | (wide & 4) << 1;
  const unsigned second = (operand & 7) | (wide & 1) << 3;
  at += operand_bytes(mode, operand & 7);
  if (is_extension) {
    const bool is_known = (operation & 0xf6) == 0xb6;
    return is_known ? Move{at, first == rdx} : Move{};
  }
  switch (operation) {
    case 0x8b:  // mov to a register
    case 0x8d:  // lea
      return {at, first == rdx};
    case 0x31:  // xor
    case 0x89:  // mov from a register
      return {at, mode == in_register && second == rdx};
    case 0xc7:  // mov of a constant
      return {at + (is_short ? 2 : 4), mode == in_register && second == rdx};
    default: return {};
  }
}

bool is_call(Code code) {
  if (code.size() == 5) return code[0] == 0xe8;
  return code.size() == 6 && code[0] == 0xff && code[1] == 0x15;
}

// True for nothing but moves and then the call.
bool leads_to_call(Code code) {
  while (!is_call(code)) {
    const Move move = move_at(code);
    if (move.bytes == 0 || move.bytes > code.size() || move.to_rdx) return false;
    code = code.subspan(move.bytes);
  }
  return true;
}

}  // namespace

std::optional<std::uint32_t> third_argument_before(Code code) {
  constexpr unsigned char move_to_edx = 0xba;
  constexpr unsigned char other_register = 0x41;  // before such an instruction
  constexpr std::size_t bytes = 5;                // of this instruction, with its number
  for (std::size_t at = code.size() < bytes ? 0 : code.size() - bytes + 1; at-- > 0;) {
    if (code[at] != move_to_edx || code[at + 3] != 0 || code[at + 4] != 0) continue;
    if (at > 0 && code[at - 1] == other_register) continue;
    if (!leads_to_call(code.subspan(at + bytes))) continue;
    return static_cast<std::uint32_t>(code[at + 1] | code[at + 2] << 8);
  }
  return std::nullopt;
}

}  // namespace sluice::trace
