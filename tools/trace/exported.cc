#include "trace/exported.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::trace {

std::string name_near(std::span<const Exported> functions, std::uint64_t address) {
  constexpr std::uint64_t far_bytes = 16384;
  const auto next = std::ranges::upper_bound(functions, address, {}, &Exported::begin);
  if (next == functions.begin()) return "";
  const Exported& last = *std::prev(next);
  if (address >= last.end && address - last.end >= far_bytes) return "";
  return fmt::format("near {}+{:#x}", last.name, address - last.begin);
}

}  // namespace sluice::trace
