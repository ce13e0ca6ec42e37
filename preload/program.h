// Looks at the file from which a program is about to be started.
#pragma once

namespace sluice::preload {

// False for a program into which the loader puts no object (program_kind.h), and for a program that
// ends if an object is put into it. Such a program would only see the environment that is meant for
// the loader. True if the file cannot be read. Uses the caller's stack alone, as code must between
// vfork and exec. `folder` is the descriptor argument of openat(2); an empty path stands for that
// descriptor itself.
bool can_be_covered(int folder, const char* path);

// Like can_be_covered(), for the program that execvp() finds in PATH.
bool can_be_covered_by_name(const char* file);

}  // namespace sluice::preload
