// Counts system calls that a program makes by their numbers.
#pragma once

#include "hook.h"

namespace sluice::preload {

// Makes the system call of copy_file_range() with these arguments.
long copy_file_range_by_number(const long* given, Caller caller);

}  // namespace sluice::preload
