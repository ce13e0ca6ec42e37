// Files that the program has opened for writing itself: what it reads of them is not read further
// ahead than glibc does, so that it sees what it has written meanwhile.
#pragma once

#include <sys/stat.h>

namespace sluice::preload {

// After the program has opened `descriptor`, in whatever way.
void remember_if_written(int descriptor);

// Also true of the standard descriptors' files, and once there are too many to be remembered.
bool is_written_by_program(const struct stat& status);

}  // namespace sluice::preload
