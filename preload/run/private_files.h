// Streams whose file position nobody but this process's stdio can move.
#pragma once

#include <stdio.h>

namespace sluice::preload {

// Another process has inherited every descriptor.
void forget_all_private();

// May be false for a private stream, but is never true for a stream that is not private. Any thread
// may call this.
bool is_private(const FILE* stream);

}  // namespace sluice::preload
