// The functions that a compiler has inlined around an address.
#pragma once

#include <elfutils/libdwfl.h>

#include <map>
#include <vector>

#include "trace/profile/profile.h"

namespace sluice::trace {

// One file's debug information.
class InlinedFunctions {
 public:
  // `function` is from the symbol table. The functions that were inlined around the address come
  // before it in the result, innermost first. The source of a function that inlines another one is
  // the place of the inlined call.
  std::vector<Frame> around(Dwfl_Module* module, Dwarf_Addr address, Frame function);

 private:
  // A range of addresses with the code of a function.
  struct Range {
    Dwarf_Addr begin;
    Dwarf_Addr end;
    Dwarf_Die function;
  };
  static int add_ranges(Dwarf_Die* function, void* ranges);
  const std::vector<Range>& ranges_of(Dwarf_Die& unit);

  // By the place of the unit in memory. A unit may have a hundred thousand entries, and libdw goes through
  // all of them, so this is done once for each unit and not for each address.
  std::map<const void*, std::vector<Range>> ranges_;
};

}  // namespace sluice::trace
