// Programs that run scripts, and files that belong to programs.
#pragma once

#include <string>
#include <string_view>

namespace sluice::trace {

// The name of the language of an interpreter, such as "Perl". "jq" for the program `jq`, which
// compiles its own functions in each run. Empty for shells, for awk, which start at once, and for
// any other program.
std::string_view interpreter_in(const std::string& program);

// True of a file that is no data for this program: a library, a header, settings, or, for an
// interpreter, a script. A program reads such files whenever it starts.
bool is_of_program(std::string_view file, const std::string& program);

}  // namespace sluice::trace
