// The sequence of a program's write sizes, as `sluice bench replay` reads it.
#pragma once

#include <string>
#include <vector>

namespace sluice::trace {

// Writes the sequences of write sizes among `logs` to `path`, one process after the other, as lines
// `SIZE COUNT`. Adds a problem for writes that could not be recorded. Throws std::runtime_error if
// `path` cannot be written.
void write_sizes(const std::vector<std::string>& logs, const std::string& path,
                 std::vector<std::string>& problems);

}  // namespace sluice::trace
