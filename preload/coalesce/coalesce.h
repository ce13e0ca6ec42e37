// --coalesce: small write(2) calls to a file are gathered into large ones.
//
// This is done for regular files that this process has opened itself and that nobody else writes:
// in a file system that only stores bytes (file_system.h), with one name, without O_APPEND, without
// synchronous or direct writing, and never for the standard descriptors. Every call by which
// somebody could see the difference first writes the held bytes (observers.cc). Two events cannot
// be hidden: a kill from outside and a crash lose the held bytes. The next write to the same
// descriptor, fsync() or close() returns the error of a held write.
//
// Writes are held while the program has one thread and no signal handler (alone.cc).
#pragma once

#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "run/held.h"

namespace sluice::preload {

// The number of descriptors with held writes.
[[gnu::visibility("hidden")]] extern size_t held_descriptors;

// False before the program runs, and after an event that ends all holding for good.
[[gnu::visibility("hidden")]] extern bool is_holding;

// The number of descriptors with an error of a held write that no call has returned yet. An error
// outlives the holding.
[[gnu::visibility("hidden")]] extern size_t failed_descriptors;

// The program has opened this descriptor. Its writes may be held if it is of the right kind.
void may_hold(int descriptor);

// The same file may be read or written in ways that cannot be ordered with the held writes.
void may_not_hold(int descriptor);

// The program has mapped the file: bytes written to it show in that memory at once.
void may_not_hold_mapped(int descriptor);

// Ends all holding, for good.
void give_up_holding();

// Takes the bytes, or returns false: then the caller writes them. `failed` is the errno of an
// earlier write of the same descriptor, to be returned instead of this one's result.
bool hold(int descriptor, const iovec* pieces, int count, int& failed);

// Writes the held bytes.
void write_held_of(int descriptor);

// Like tell_of_lost_writes() without arguments, for descriptors that are closed in a way that has
// no result.
void tell_of_lost_writes(unsigned first, unsigned last);

// Like write_held_of(), and returns the error of a held write, else 0.
int take_held_error(int descriptor);

}  // namespace sluice::preload
