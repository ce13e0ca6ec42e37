// Facts about the process that core code runs in.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace sluice::os {

// Returns the number of fork() calls between the process that first called this function and this
// process. If the number was another one when an object was made, the object belongs to the parent
// process. Children of vfork and posix_spawn keep their parent's number. So do children of a bare
// clone() or _Fork(), which run no handlers.
unsigned fork_generation() noexcept;

// Calls `function` in every child of fork(), before fork() returns there, until the library is
// unloaded. False if there is no memory for this.
bool call_in_forked_child(void (*function)()) noexcept;

// The number of processors that this process may use.
std::size_t processors() noexcept;

// Prints one line on standard error, in at most 15 parts, without stdio (which may be locked or
// gone).
void print_line_to_standard_error(std::initializer_list<std::string_view> parts) noexcept;

}  // namespace sluice::os
