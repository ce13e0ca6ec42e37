// The sequence of a program's write sizes, as `sluice bench replay` reads it.
#pragma once

#include <string>
#include <vector>

namespace sluice::trace {

// The sequences of write sizes among `logs`, one process after the other, as lines `SIZE COUNT`.
// Adds a problem for writes that could not be recorded.
std::string sizes_in(const std::vector<std::string>& logs, std::vector<std::string>& problems);

}  // namespace sluice::trace
