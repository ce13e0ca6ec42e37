// The functions of a file of code by their addresses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::trace {

struct Exported {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;    // `begin` if its size is not known
  std::string_view name{};  // points into the contents of the file of code
  bool is_global = true;    // it is exported, and not a local or weak name
};

// Puts the functions in the order of their begin. Of several names of one function, the first is
// the best one.
void order(std::vector<Exported>& functions);

// The function that has the address; nullptr if there is none. A function of unknown size ends
// where the next one begins.
const Exported* function_at(std::span<const Exported> functions, std::uint64_t address);

// "near name+0x1c": the code at the address has no name, and lies this far from the begin of the
// last function that begins before it. Empty if there is none, or if it ends far from the address.
// `shown` makes a name readable.
std::string name_near(
    std::span<const Exported> functions, std::uint64_t address,
    std::string (*shown)(std::string_view) = [](std::string_view name) {
      return std::string(name);
    });

}  // namespace sluice::trace
