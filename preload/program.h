// Looks at the file from which a program is about to be started.
#pragma once

namespace sluice::preload {

// False for two kinds of program. The loader puts no object into a program of the first kind
// (program_kind.h). A program of the second kind ends at once if an object is put into it. Neither
// kind should get the environment that is meant for the loader. True if the file cannot be read.
// Uses the caller's stack alone, as code must between vfork and exec. `folder` is the descriptor
// argument of openat(2); an empty path stands for that descriptor itself.
bool can_be_covered(int folder, const char* path);

// Like can_be_covered(), for the program that execvp() finds in PATH.
bool can_be_covered_by_name(const char* file);

}  // namespace sluice::preload
