// The names of call sites and files in reports.
#pragma once

#include <string>

#include "trace/profile/profile.h"

namespace sluice::trace {

// "function at file.cc:12". If the code of a language made the call, for example an interpreter,
// the place is the first function outside of that code which has a name. The user of an interpreter
// does not know its functions, so without such a function the place is the interpreter's name.
std::string place_of(const Site& site);

// The file's name on one line. A deleted file without a name of its own is described.
std::string shown_file(const std::string& name);

}  // namespace sluice::trace
