// The lines of the source, and the functions that a compiler has inlined, at an address.
#pragma once

#include <elfutils/libdwfl.h>

#include <map>
#include <optional>
#include <vector>

#include "trace/profile/profile.h"

namespace sluice::trace {

// The debug information of one file of code.
class DebugInformation {
 public:
  // `function` is from the symbol table. The functions that were inlined around the address come
  // before it in the result, innermost first. The source of a function that inlines another one is
  // the place of the inlined call.
  std::vector<Frame> frames_at(Dwfl_Module* module, Dwarf_Addr address, Frame function);

 private:
  // A range of addresses with the code of a function or of a unit of the compiler.
  struct Range {
    Dwarf_Addr begin;
    Dwarf_Addr end;
    Dwarf_Die owner;
  };
  static int add_ranges(Dwarf_Die* owner, void* ranges);
  static const Dwarf_Die* owner_of(const std::vector<Range>& ranges, Dwarf_Addr address);
  const std::vector<Range>& units_of(Dwfl_Module* module);
  const std::vector<Range>& functions_of(Dwarf_Die& unit);

  // Addresses as in the file. Clang writes no table of the units' addresses (.debug_aranges), which
  // libdw would need, so the units themselves are asked.
  std::optional<std::vector<Range>> units_;
  Dwarf_Addr bias_ = 0;

  // By the place of the unit in memory. A unit may have a hundred thousand entries, and libdw goes
  // through all of them, so this is done once for each unit and not for each address.
  std::map<const void*, std::vector<Range>> functions_;
};

}  // namespace sluice::trace
