// The hooks of `sluice run` call these functions to report what the program does. With --coalesce
// the functions hold writes.
//
// Two objects are built from these hooks. libsluice_coalesce.so holds writes (../coalesce).
// libsluice_run.so holds nothing: there these functions do nothing (start.cc).
#pragma once

#include <stdio.h>

namespace sluice::preload {

// Writes the held bytes. To be called before the program or another process may look at the files.
void write_all_held();

// Another process shares every open file from now on.
void stop_holding_all();

// `caller` has opened this stream.
void stream_opened(const FILE* stream, const void* caller);

// An existing stream has got this descriptor.
void stream_reopened(int descriptor);

// The descriptor is about to be closed: writes its held bytes. Returns the errno of a held write
// that no call has returned yet, else 0.
int stop_holding(int descriptor);

// The program ends, or becomes another one. Prints the errors of held writes that no call has
// returned. If exec fails, the next call on the descriptor returns the error all the same.
void tell_of_lost_writes();

}  // namespace sluice::preload
