// What the hooks of `sluice run` tell the part that holds writes back for --coalesce.
//
// Two objects are built from these hooks. libsluice_coalesce.so holds writes back (../coalesce).
// libsluice_run.so holds nothing back, and its functions do nothing (nothing_held.cc).
#pragma once

namespace sluice::preload {

// The object is ready, before the program runs.
void begin_holding();

// The program ends. From here on libraries may still write, and nothing is held.
void end_holding();

// Somebody may look at the program's files: writes the held bytes.
void write_all_held();

// Another process shares every open file from now on.
void stop_holding_all();

// Code is about to run in the program's memory in a thread that pthread_create() did not start.
void memory_is_shared();

// `caller` has opened a stream on this descriptor.
void stream_opened(int descriptor, const void* caller);

// An existing stream has got this descriptor.
void stream_reopened(int descriptor);

// The descriptor is about to be closed: writes its held bytes. Returns the errno of a held write
// that no call has returned yet, else 0.
int stop_holding(int descriptor);

// The program ends, and has made no call that returns the error of a held write: then it is
// printed.
void tell_of_lost_writes();

}  // namespace sluice::preload
