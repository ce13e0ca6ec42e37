// The sequence of a program's write sizes, as `sluice bench replay` reads it.
#pragma once

#include <string>
#include <vector>

namespace sluice::trace {

// Writes the sequences among `logs` to `path`, one process after the other, as lines `SIZE COUNT`.
// Writes that could not be kept are reported as a problem. Throws std::runtime_error if `path`
// cannot be written.
void write_sizes(const std::vector<std::string>& logs, const std::string& path,
                 std::vector<std::string>& problems);

}  // namespace sluice::trace
