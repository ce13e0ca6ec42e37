#include "trace/profile/exported.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace sluice::trace {

void order(std::vector<Exported>& functions) {
  std::ranges::sort(functions, {}, [](const Exported& of) {
    return std::tuple(of.begin, of.end == of.begin, !of.is_global, of.name);
  });
}

const Exported* function_at(std::span<const Exported> functions, std::uint64_t address) {
  constexpr std::size_t most_around = 8;  // functions that begin before it and end after it
  const auto next = std::ranges::upper_bound(functions, address, {}, &Exported::begin);
  const Exported* found = nullptr;
  std::size_t tried = 0;
  for (auto at = next; at != functions.begin() && tried < most_around; ++tried) {
    --at;
    if (found != nullptr && at->begin != found->begin) break;
    const bool is_open = at->end == at->begin && std::next(at) == next;
    if (address < at->end || is_open) found = &*at;
  }
  return found;
}

std::string name_near(std::span<const Exported> functions, std::uint64_t address,
                      std::string (*shown)(std::string_view)) {
  constexpr std::uint64_t far_bytes = 16384;
  const auto next = std::ranges::upper_bound(functions, address, {}, &Exported::begin);
  if (next == functions.begin()) return "";
  const Exported& last = *std::prev(next);
  if (address >= last.end && address - last.end >= far_bytes) return "";
  return fmt::format("near {}+{:#x}", shown(last.name), address - last.begin);
}

}  // namespace sluice::trace
