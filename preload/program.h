// The file that a program is about to be started from.
#pragma once

namespace sluice::preload {

// False for what the loader puts nothing into (program_kind.h), and what dies of it: it would only
// see the environment that is meant for the loader. True where the file cannot be read. Uses the
// caller's stack alone, as has to be between vfork and exec. `folder` is as openat(2) has it; an
// empty path stands for that descriptor itself.
bool can_be_covered(int folder, const char* path);

// The same for what execvp() looks for in PATH.
bool can_be_covered_by_name(const char* file);

}  // namespace sluice::preload
