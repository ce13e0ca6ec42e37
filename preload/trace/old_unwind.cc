// Unwinds the stack where glibc may be old. libgcc's functions cannot be a part of this object
// there: they need a newer glibc.
#include <execinfo.h>

#include "trace/sites.h"

namespace sluice::preload {
namespace {

// Loads the library of backtrace() now, and not in the middle of a call.
[[gnu::constructor]] void load_library() {
  void* frames[2];
  backtrace(frames, 2);
}

}  // namespace

void unwind(Unwound& room) {
  constexpr int frames_of_this_object = 8;
  void* stack[max_frames + frames_of_this_object];
  const int count = backtrace(stack, static_cast<int>(max_frames) + frames_of_this_object);
  for (int i = 0; i < count; ++i) {
    if (!keep_frame(room, reinterpret_cast<uintptr_t>(stack[i]))) return;
  }
}

}  // namespace sluice::preload
