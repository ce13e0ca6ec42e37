// Larger buffers for streams that have proved large: for reading by default, for writing if that
// was asked for.
//
// glibc gives a file's stream 4 KiB. A stream of a regular file that is only read or only written,
// in sequence, gets a larger buffer after it has filled its own a number of times. A buffer that
// the program has chosen is left alone. Other processes see the files as they would be without
// larger buffers: before another process starts, or this one ends, settle_buffers() writes the
// bytes that glibc would have written by then, and gives back the bytes that glibc would not yet
// have read.
//
// Only the program itself, outside of stdio, may change a stream's buffer. So there are larger
// buffers while the program has one thread and no signal handler (alone.cc).
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

namespace sluice::preload {

// Called before the C library does the work that the buffer could not; only if the stream's lock
// may be skipped.
void before_slow_write(FILE* stream);
void before_slow_read(FILE* stream);

// Called before a seek that leaves the buffer: random reading in large pieces would read too much.
void before_slow_seek(FILE* stream);

// Called before the stream is closed: glibc leaves the file at the position that was read to, and
// other users of the descriptor read on from there.
void give_back_read_ahead(const FILE* stream);

// Called after the program gave the stream a buffer of its own: the larger one is free again.
void release_unused_buffer(const FILE* stream);

// Called before the stream is closed: its pointers are not used any more.
void release_larger_buffer(const FILE* stream);

// Restores the stream for good, because somebody else may use its file.
void return_to_plain_buffer(const FILE* stream);
void return_to_plain_buffers();

// Restores the streams that read this file, because the program writes to it.
void return_to_plain_buffers_of(const struct stat& status);

// Restores all streams, or all that are read, for good.
void give_up_larger_buffers();
void give_up_larger_reading();

// The number of streams with a larger buffer: all of them, and those that are written.
[[gnu::visibility("hidden")]] extern size_t larger_buffers_in_use;
[[gnu::visibility("hidden")]] extern size_t larger_written_in_use;
bool has_larger_buffer(const FILE* stream);

// Brings files up to date for others: the written bytes, or also the read positions.
enum class Direction { written, both };
void settle_buffers(Direction direction);

}  // namespace sluice::preload
