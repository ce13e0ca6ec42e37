// --coalesce: small write(2) calls to a file are gathered into large ones.
//
// For regular files that this process has opened itself and that nobody else writes: one name, no
// O_APPEND, no synchronous or direct writing, never the standard descriptors. Everything by which
// somebody could see the difference writes what is held first (observers.cc); what it cannot hide
// is a kill from outside, or a crash, which lose what is held. An error of a held write is returned
// by the next write to the same descriptor, by fsync() or by close().
//
// Writes are held while the program has one thread and no signal handler (alone.cc).
#pragma once

#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

namespace sluice::preload {

// Descriptors with held writes.
[[gnu::visibility("hidden")]] extern size_t held_descriptors;

// Descriptors with an error of a held write that nobody has been told of. It outlives the holding.
[[gnu::visibility("hidden")]] extern size_t failed_descriptors;

// The program has opened this descriptor: its writes may be held, if it is of the right kind.
void may_hold(int descriptor);

// The same file may be read or written by ways that cannot be put in order with what is held.
void may_not_hold(int descriptor);

// The program has the file in its memory: what is written to it shows there at once.
void may_not_hold_mapped(int descriptor);

// Nothing is held any more, for good.
void give_up_holding();

// The descriptor is closed, or shared with others now: what is held is written, nothing is held any
// more. Gives the error of a held write, else 0.
int stop_holding(int descriptor);
void stop_holding_all();

// Takes the bytes, or gives false: then the caller writes them. `failed` is the errno of an earlier
// write of the same descriptor, to be returned in this one's place.
bool hold(int descriptor, const iovec* pieces, int count, int& failed);

// Writes what is held.
void write_held_of(int descriptor);
void write_all_held();

// The program ends, or closes these descriptors in a way that has no result, and has not asked what
// became of what it has written: then we say it.
void tell_of_lost_writes();
void tell_of_lost_writes(unsigned first, unsigned last);

// As write_held_of(); gives the error of a held write, else 0.
int take_held_error(int descriptor);

}  // namespace sluice::preload
