// Streams whose file position nobody but this process's stdio can move.
#pragma once

#include <stdio.h>

namespace sluice::preload {

// fopen() has just opened this stream: its open file description is its own.
void remember_private(FILE* stream);

// Others can move its position from now on: it was closed, or the program has asked for its
// descriptor.
void forget_private(FILE* stream);

// Another process has inherited every descriptor.
void forget_all_private();

// May be false for a private stream, but is never true for another one. Any thread.
bool is_private(const FILE* stream);

}  // namespace sluice::preload
