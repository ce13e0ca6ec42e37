// Where the logs of a program's processes are created.
#pragma once

namespace sluice::preload {

// Opens a new file in `folder` whose name begins with this process's number and ends in `kind`. -1
// when none can be had: the program has changed its root, its user, its limits.
int create_log_file(const char* folder, const char* kind);

}  // namespace sluice::preload
