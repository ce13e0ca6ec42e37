// Calls that no hook sees: those of stdio with wide characters, asynchronous ones, those for
// sockets alone, those of OpenMP, whose threads wait for each other, and those that make a
// std::istringstream or the like.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::trace {

// The names of such functions that a file of code imports, such as "fgetwc"; nothing if the file
// cannot be read. A file that imports a function need not call it. The asynchronous calls of POSIX
// count in programs alone, not in libraries. Calls for sockets and string streams (with the name
// of the class, "std::istringstream") count only in programs of the user's own.
std::vector<std::string> unseen_calls_of(const std::string& path);

bool is_asynchronous(std::string_view call);
bool is_of_sockets(std::string_view call);  // recv, send and the like
bool is_of_string_streams(std::string_view call);
bool is_of_openmp(std::string_view call);

}  // namespace sluice::trace
