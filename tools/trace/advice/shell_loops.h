// How a loop of a shell makes fewer processes.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace sluice::trace {

// For a loop that starts these programs, most of all `most`.
std::string cure_of_shell_loop(const std::set<std::string>& programs, const std::string& most);

// What runs in a copy of the shell, and what needs none.
inline constexpr std::string_view cure_of_copies_of_shell =
    "A command in `$(...)`, in `(...)` or in a pipe runs in a copy of the shell. Leave these out "
    "where the shell does the work itself: `x=$y` in place of `x=$(echo \"$y\")`, `x=${y%.*}`, "
    "`x=$((y + 1))`, in bash `printf -v x`; and let a function set a variable in place of "
    "printing its result.";

}  // namespace sluice::trace
