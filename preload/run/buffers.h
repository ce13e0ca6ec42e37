// Larger buffers for streams that have proved large: for reading by default, for writing where that
// was asked for.
//
// glibc gives a file's stream 4 KiB. A stream of a regular file that is only read or only written,
// in sequence, gets a larger buffer after it has filled its own a number of times; a buffer that
// the program has chosen is left alone. What other processes can see is kept as it would be:
// before one starts, or this one ends, settle_buffers() writes what glibc would have written by
// then, and gives back what it would not yet have read.
//
// Only the program itself, outside of stdio, may change a stream's buffer: there are larger ones
// while it has one thread and no signal handler (alone.cc).
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

namespace sluice::preload {

// Before the C library does what a buffer could not; only where the stream's lock may be skipped.
void before_slow_write(FILE* stream);
void before_slow_read(FILE* stream);

// Before a seek that leaves the buffer: random reading in large pieces would read everything.
void before_slow_seek(FILE* stream);

// Before the stream is closed: glibc leaves the file where it has read to, and whoever shares the
// descriptor reads on from there.
void give_back_read_ahead(const FILE* stream);

// After the program gave the stream a buffer of its own: ours is free again.
void release_unused_buffer(const FILE* stream);

// The same before it is closed: nobody looks at what it points to any more.
void release_larger_buffer(const FILE* stream);

// From now on the stream is as it would be: somebody else may use its file.
void return_to_plain_buffer(const FILE* stream);
void return_to_plain_buffers();

// The same for the streams that read this file: the program writes to it.
void return_to_plain_buffers_of(const struct stat& status);

// All streams, or all that are read, are as they would be, for good.
void give_up_larger_buffers();
void give_up_larger_reading();

// Streams that have one: all of them, and those that are written.
[[gnu::visibility("hidden")]] extern size_t larger_buffers_in_use;
[[gnu::visibility("hidden")]] extern size_t larger_written_in_use;
bool has_larger_buffer(const FILE* stream);

// What others can see: of what was written, or of what was read as well.
enum class Direction { written, both };
void settle_buffers(Direction direction);

}  // namespace sluice::preload
