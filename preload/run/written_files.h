// Files that the program has opened for writing. They are not read further ahead than glibc reads,
// so that the program sees the bytes that it writes meanwhile.
#pragma once

#include <sys/stat.h>

namespace sluice::preload {

// Called after the program has opened `descriptor` in any way.
void remember_if_written(int descriptor);

// Also true for the standard descriptors' files, and when there are too many files to remember.
bool is_written_by_program(const struct stat& status);

}  // namespace sluice::preload
