// Creates the logs of a program's processes.
#pragma once

namespace sluice::preload {

// Opens a new file in `folder` whose name begins with this process's number and ends in `kind`. -1
// if no file can be made: the program has changed its root, its user or its limits.
int create_log_file(const char* folder, const char* kind);

// Removes the file that the last call of create_log_file() has made, if it has made one.
void remove_created_log_file();

// True if a program that this process starts now, or becomes, has the right to make a file in
// `folder`. Uses only the stack, as code must between vfork and exec.
bool may_create_log_file(const char* folder);

}  // namespace sluice::preload
