// Before somebody looks: what others can see of the program's files becomes what it would be.
#pragma once

#include "buffers.h"
#include "coalesce.h"

namespace sluice::preload {

// Before somebody looks at a file: written.
void settle_written_now();
inline void settle_written() {
  if ((larger_written_in_use | held_descriptors) != 0) [[unlikely]]
    settle_written_now();
}

// Before another process shares or takes over the program's files: written, and read. Streams that
// a thread has locked are passed over.
void settle_all_now();
inline void settle_all() {
  if ((larger_buffers_in_use | held_descriptors) != 0) [[unlikely]]
    settle_all_now();
}

// Before the C library writes or reads the stream by itself: who is at the other end of a pipe may
// look at the program's other files then. A stream with a larger buffer is a file's.
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

// Whether settle_for() would do anything.
inline bool must_settle_for(int descriptor) {
  const size_t buffers = descriptor <= 2 ? larger_buffers_in_use : larger_written_in_use;
  return (buffers | held_descriptors) != 0;
}

}  // namespace sluice::preload
