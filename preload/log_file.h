// Creates the logs of a program's processes.
#pragma once

#include <stddef.h>

namespace sluice::preload {

// Writes the digits of a number, and returns their end. snprintf() may need more stack than there
// is, and touches much memory that a short process needs for nothing else.
char* append_number(char* to, unsigned number);

// The path of a file in `folder`. nullptr if it is too long. It stays until the next call of one of
// these functions: the process has one thread when it makes its logs.
const char* path_of_log(const char* folder, const char* name);

// Opens a new file in `folder` whose name begins with this process's number and ends in `kind`. -1
// if no file can be made: the program has changed its root, its user or its limits.
int create_log_file(const char* folder, const char* kind);

// If a process writes beyond its limit of file sizes, the kernel sends it a signal.
bool may_be_as_long(size_t bytes);

// Removes the file that the last call of create_log_file() has made, if it has made one.
void remove_created_log_file();

// True if a program that this process starts now, or becomes, has these rights (R_OK and the like)
// to the file or folder. Uses only the stack, as code must between vfork and exec.
bool may_reach(const char* name, int rights);

}  // namespace sluice::preload
