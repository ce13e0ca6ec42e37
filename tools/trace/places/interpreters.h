// Programs that run scripts, and files that belong to programs.
#pragma once

#include <string>
#include <string_view>

namespace sluice::trace {

// The name of the language of an interpreter, such as "Perl". "jq" for the program `jq`, which
// compiles its own functions in each run. Empty for shells, for awk, which start at once, and for
// any other program.
std::string_view interpreter_in(const std::string& program);

// True of a file that is no data, such as a library, a header or settings: programs read such files
// when they start.
bool is_of_programs(std::string_view file);

// True of the name of a script, which is no data for an interpreter.
bool is_script(std::string_view file);

}  // namespace sluice::trace
