// Streams whose file position nobody but this process's stdio can move.
#pragma once

#include <stdio.h>

namespace sluice::preload {

// fopen() has just opened this stream, so no other descriptor shares its file position.
void remember_private(FILE* stream);

// From now on others can move the position of this stream, because it was closed or the program has
// asked for its descriptor.
void forget_private(FILE* stream);

// Another process has inherited every descriptor.
void forget_all_private();

// May be false for a private stream, but is never true for a stream that is not private. Any thread
// may call this.
bool is_private(const FILE* stream);

}  // namespace sluice::preload
