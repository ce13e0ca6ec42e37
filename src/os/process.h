// What core code has to know of the process it runs in.
#pragma once

namespace sluice::os {

// Counts the fork() calls between the first use of this function and this process: what was made
// under another number belongs to the parent. Children of vfork and posix_spawn keep their parent's
// number, and so do those of a bare clone() or _Fork(), which run no handlers.
unsigned fork_generation() noexcept;

// Has `function` called in every child of fork(), before fork() returns there, until the library is
// unloaded. False when there is no memory for it.
bool call_in_forked_child(void (*function)()) noexcept;

// Whether two threads can run at once.
bool has_second_processor() noexcept;

// One line on standard error, without stdio (which may be locked or gone).
void print_line_to_standard_error(const char* line) noexcept;

}  // namespace sluice::os
