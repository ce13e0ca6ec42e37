// Tells whether others share standard input's position: other descriptors of this process, streams
// on it, other processes. They would miss the bytes that are read ahead.
#pragma once

#include <sys/stat.h>

namespace sluice::preload {

// From now on standard input is read as glibc reads it.
void share_input();

// Does the same as share_input(), if `descriptor` is or becomes standard input.
void share_if_input(int descriptor);

// Also looks for descriptors that the process has inherited or received. `status` is the status of
// standard input.
bool is_input_shared(const struct stat& status);

}  // namespace sluice::preload
