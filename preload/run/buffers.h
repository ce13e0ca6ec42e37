// Larger buffers for streams that have proved large.
//
// glibc gives a file's stream 4 KiB. A stream of a regular file that is only read or only written,
// in sequence, gets a larger buffer after it has filled its own a number of times; a buffer that
// the program has chosen is left alone. What other processes can see is kept as it would be:
// before one starts, or this one ends, settle_all() writes what glibc would have written by then,
// and gives back what it would not yet have read.
#pragma once

#include <stddef.h>
#include <stdio.h>

namespace sluice::preload {

// Before the C library does what a buffer could not; only where the stream's lock may be skipped.
void before_slow_write(FILE* stream);
void before_slow_read(FILE* stream);

// Before a seek that leaves the buffer: random reading in large pieces would read everything.
void before_slow_seek(FILE* stream);

// Before the stream is closed: glibc leaves the file where it has read to, and whoever shares the
// descriptor reads on from there.
void give_back_read_ahead(const FILE* stream);

// After the stream was closed, or the program gave it a buffer of its own: ours is free again.
void release_larger_buffer(const FILE* stream);

// From now on the stream is as it would be: somebody else may use its file.
void return_to_plain_buffer(const FILE* stream);
void return_to_plain_buffers();

extern size_t larger_buffers_in_use;

// Before another process shares or takes over the program's files: written, and read. Streams that
// a thread has locked are passed over.
void settle_all_now();
inline void settle_all() {
  if (larger_buffers_in_use != 0) [[unlikely]]
    settle_all_now();
}

// Before somebody looks at a file: written.
void settle_written_now();
inline void settle_written() {
  if (larger_buffers_in_use != 0) [[unlikely]]
    settle_written_now();
}

// Before the program uses a descriptor itself: it knows those of the standard streams.
inline void settle_for(int descriptor) {
  if (descriptor <= 2) {
    settle_all();
  } else {
    settle_written();
  }
}

}  // namespace sluice::preload
