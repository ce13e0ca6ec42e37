// Creates the logs of a program's processes.
#pragma once

namespace sluice::preload {

// Opens a new file in `folder` whose name begins with this process's number and ends in `kind`. -1
// if no file can be made: the program has changed its root, its user or its limits.
int create_log_file(const char* folder, const char* kind);

}  // namespace sluice::preload
