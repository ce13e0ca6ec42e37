// The sequence of a program's write sizes, as `sluice bench replay` reads it.
#pragma once

#include <string>
#include <vector>

namespace sluice::trace {

// Writes the sequences among `logs`, one process after the other, to `path`, lines `SIZE COUNT`.
// What could not be kept is a problem. Throws std::runtime_error when `path` cannot be written.
void write_sizes(const std::vector<std::string>& logs, const std::string& path,
                 std::vector<std::string>& problems);

}  // namespace sluice::trace
