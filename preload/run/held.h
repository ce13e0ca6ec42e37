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

// Before the program uses a descriptor itself: it knows those of the standard streams.
inline void settle_for(int descriptor) {
  if (descriptor <= 2) {
    settle_all();
  } else {
    settle_written();
  }
}

}  // namespace sluice::preload
