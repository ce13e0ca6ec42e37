// Counts the calls that look a name up: openings, stat() and access().
#pragma once

#include "account.h"

namespace sluice::preload {

// Makes a call that opens a file of this name, as a stream if it is Call::fopen, and counts it.
long open_by_name(Call call, const Arguments& arguments, const Name& name);

// Makes the system call of statx() with these arguments.
long statx_by_number(const long* given, Caller caller);

}  // namespace sluice::preload
