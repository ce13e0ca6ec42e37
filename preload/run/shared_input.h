// Whether others have standard input's position as well: other descriptors of this process, streams
// on it, other processes. What is read ahead would be missing where they read on.
#pragma once

#include <sys/stat.h>

namespace sluice::preload {

// From now on it is read as glibc reads it.
void share_input();

// The same where the descriptor is, or becomes, that of standard input.
void share_if_input(int descriptor);

// Also looks for descriptors that the process has inherited or been sent. `status` is the input's.
bool is_input_shared(const struct stat& status);

}  // namespace sluice::preload
