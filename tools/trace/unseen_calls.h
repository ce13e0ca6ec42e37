// Calls of stdio that no hook sees: those with wide characters.
#pragma once

#include <string>
#include <vector>

namespace sluice::trace {

// The names of such functions that a file of code imports, such as "fgetwc"; nothing if the file
// cannot be read. A file that imports a function need not call it.
std::vector<std::string> unseen_calls_of(const std::string& path);

}  // namespace sluice::trace
