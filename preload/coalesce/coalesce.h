// --coalesce: the bytes of small write(2) calls to a file are held, and written by a large call.
//
// Writes to a file are held under these conditions: it is a regular file with one name in a
// file system that only stores bytes (file_system.h); this process has opened it itself, for
// writing only, and without O_APPEND, O_SYNC, O_DSYNC and O_DIRECT; and no other descriptor and no
// mapping of the process leads to it. The held bytes are written before
// every call by which the program or another process could see the difference (observers.cc). Two
// events cannot be hidden: a kill from outside and a crash lose the held bytes. The next write to
// the same descriptor, fsync() or close() returns the error of a held write.
//
// Writes are held while the program has one thread and no signal handler (alone.cc).
#pragma once

#include <stddef.h>
#include <sys/uio.h>

#include "counters.h"
#include "run/held.h"

namespace sluice::preload {

// The number of descriptors with held writes. The name is the one that assembler text uses.
[[gnu::visibility("hidden")]] extern size_t held_descriptors asm("sluice_held_descriptors");

// False before the program runs, and after an event that ends all holding for good.
[[gnu::visibility("hidden")]] extern bool is_holding;

// The program has opened this descriptor. From now on its writes are held if the file is of the
// right kind.
void may_hold(int descriptor);

// From now on no writes to the descriptor's file are held, because the file may also be read or
// written in ways that cannot be ordered with held writes.
void may_not_hold(int descriptor, NotHeld why = NotHeld::shared);

// Like may_not_hold(), for a file that the program has mapped: bytes that are written to the file
// show in the mapped memory at once.
void may_not_hold_mapped(int descriptor);

// Ends all holding, for good. Only the first reason is kept.
void give_up_holding(EndOfHolding why);

// Holds the bytes and returns their number. If they cannot be held, returns 0, and the caller
// writes them. If an earlier held write to the same descriptor has failed, takes no bytes, and
// returns its negative errno: the program must get this error.
long hold(int descriptor, const iovec* pieces, int count);

// The same for one piece, if bytes of the descriptor are held already. A loop that writes makes
// nearly all of its writes so. False says nothing: see hold().
bool hold_behind_others(int descriptor, const void* data, size_t bytes);

// Writes the held bytes of this descriptor. Returns the error of a held write, else 0.
int take_held_error(int descriptor);

}  // namespace sluice::preload
