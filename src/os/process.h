// What core code has to know of the process it runs in.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace sluice::os {

// Counts the fork() calls between the first use of this function and this process: what was made
// under another number belongs to the parent. Children of vfork and posix_spawn keep their parent's
// number, and so do those of a bare clone() or _Fork(), which run no handlers.
unsigned fork_generation() noexcept;

// Has `function` called in every child of fork(), before fork() returns there, until the library is
// unloaded. False when there is no memory for it.
bool call_in_forked_child(void (*function)()) noexcept;

// The processors that this process may use.
std::size_t processors() noexcept;

// One line on standard error, in parts (15 at most), without stdio (which may be locked or gone).
void print_line_to_standard_error(std::initializer_list<std::string_view> parts) noexcept;

}  // namespace sluice::os
