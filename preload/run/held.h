// Brings the program's files up to date before somebody looks at them.
#pragma once

#include "buffers.h"
#include "coalesce.h"

namespace sluice::preload {

// Before somebody looks at a file: writes.
void settle_written_now();
inline void settle_written() {
  if ((larger_written_in_use | held_descriptors) != 0) [[unlikely]]
    settle_written_now();
}

// Before another process shares or takes over the program's files: writes, and gives back read
// positions. Streams that a thread has locked are left out.
void settle_all_now();
inline void settle_all() {
  if ((larger_buffers_in_use | held_descriptors) != 0) [[unlikely]]
    settle_all_now();
}

// Before the C library writes or reads the stream by itself: the process at the other end of a pipe
// may then look at the program's other files. (A stream with a larger buffer belongs to a file.)
void settle_for_stream_now(const FILE* stream);
inline void settle_for_stream(const FILE* stream) {
  if ((larger_written_in_use | held_descriptors) != 0) [[unlikely]]
    settle_for_stream_now(stream);
}

// Before the program uses a descriptor itself: it knows those of the standard streams.
inline void settle_for(int descriptor) {
  if (descriptor <= 2) {
    settle_all();
  } else {
    settle_written();
  }
}

// True if settle_for() would do anything.
inline bool must_settle_for(int descriptor) {
  const size_t buffers = descriptor <= 2 ? larger_buffers_in_use : larger_written_in_use;
  return (buffers | held_descriptors) != 0;
}

}  // namespace sluice::preload
