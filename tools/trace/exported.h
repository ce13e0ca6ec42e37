// The functions that a library without other names exports.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sluice::trace {

struct Exported {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // `begin` if its size is not known
  std::string name{};
};

// "near name+0x1c": the code at the address has no name, and lies this far from the begin of the
// last function that begins before it. Empty if there is none, or if it ends far from the address.
// The functions are in the order of their begin.
std::string name_near(std::span<const Exported> functions, std::uint64_t address);

}  // namespace sluice::trace
