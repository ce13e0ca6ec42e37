#include "trace/profile/debug_information.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace sluice::trace {
namespace {

std::string source_of_call(Dwarf_Die* inlined, Dwarf_Die& unit) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0;
  Dwarf_Word line = 0;
  Dwarf_Files* files = nullptr;
  const bool known =
      dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) == 0 &&
      dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) == 0 &&
      dwarf_getsrcfiles(&unit, &files, nullptr) == 0;
  const char* const name = known ? dwarf_filesrc(files, file, nullptr, nullptr) : nullptr;
  return name == nullptr ? "" : fmt::format("{}:{}", name, line);
}

// The part of `scope`, a block or an inlined function, that has the address.
bool find_part(const Dwarf_Die& scope, Dwarf_Addr address, Dwarf_Die& part) {
  Dwarf_Die parent = scope;
  if (dwarf_child(&parent, &part) != 0) return false;
  do {
    const int tag = dwarf_tag(&part);
    const bool has_code = tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine;
    if (has_code && dwarf_haspc(&part, address) > 0) return true;
  } while (dwarf_siblingof(&part, &part) == 0);
  return false;
}

// The innermost first.
std::vector<Dwarf_Die> inlined_in(Dwarf_Die scope, Dwarf_Addr address) {
  std::vector<Dwarf_Die> inlined;
  for (Dwarf_Die part; find_part(scope, address, part); scope = part) {
    if (dwarf_tag(&part) == DW_TAG_inlined_subroutine) inlined.push_back(part);
  }
  std::ranges::reverse(inlined);
  return inlined;
}

// With -gsplit-dwarf the program has a skeleton of each unit, and a file beside its objects has the
// rest.
Dwarf_Die whole_unit(Dwarf_Die unit) {
  std::uint8_t type = 0;
  Dwarf_Die rest{};
  const bool is_known =
      dwarf_cu_info(unit.cu, nullptr, &type, nullptr, &rest, nullptr, nullptr, nullptr) == 0;
  return is_known && type == DW_UT_skeleton && rest.addr != nullptr ? rest : unit;
}

std::string source_at(Dwarf_Die unit, Dwarf_Addr address) {
  Dwarf_Line* const line = dwarf_getsrc_die(&unit, address);
  int number = 0;
  if (line == nullptr || dwarf_lineno(line, &number) != 0) return "";
  const char* const file = dwarf_linesrc(line, nullptr, nullptr);
  return file == nullptr ? "" : fmt::format("{}:{}", file, number);
}

}  // namespace

int DebugInformation::add_ranges(Dwarf_Die* owner, void* ranges) {
  Dwarf_Addr base = 0;
  Range range{.begin = 0, .end = 0, .owner = *owner};
  for (std::ptrdiff_t at = 0;
       (at = dwarf_ranges(owner, at, &base, &range.begin, &range.end)) > 0;) {
    static_cast<std::vector<Range>*>(ranges)->push_back(range);
  }
  return DWARF_CB_OK;
}

const Dwarf_Die* DebugInformation::owner_of(const std::vector<Range>& ranges, Dwarf_Addr address) {
  const auto found = std::ranges::find_if(
      ranges, [address](const Range& each) { return each.begin <= address && address < each.end; });
  return found == ranges.end() ? nullptr : &found->owner;
}

const std::vector<DebugInformation::Range>& DebugInformation::units_of(Dwfl_Module* module) {
  if (units_) return *units_;
  units_.emplace();
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias_)) != nullptr;) {
    add_ranges(unit, &*units_);
  }
  return *units_;
}

const std::vector<DebugInformation::Range>& DebugInformation::functions_of(Dwarf_Die& unit) {
  const auto [known, is_new] = functions_.try_emplace(unit.addr);
  if (is_new) dwarf_getfuncs(&unit, add_ranges, &known->second, 0);
  return known->second;
}

std::vector<Frame> DebugInformation::frames_at(Dwfl_Module* module, Dwarf_Addr address,
                                               Frame function) {
  const std::vector<Range>& units = units_of(module);
  address -= bias_;
  const Dwarf_Die* const found = owner_of(units, address);
  if (found == nullptr) return {std::move(function)};
  function.source = source_at(*found, address);
  Dwarf_Die unit = whole_unit(*found);
  std::vector<Frame> frames;
  if (const Dwarf_Die* const outermost = owner_of(functions_of(unit), address)) {
    for (Dwarf_Die& each : inlined_in(*outermost, address)) {
      const char* const name = dwarf_diename(&each);
      frames.push_back({name == nullptr ? "(inlined)" : name, function.source, function.module});
      function.source = source_of_call(&each, unit);
    }
  }
  frames.push_back(std::move(function));
  return frames;
}

}  // namespace sluice::trace
