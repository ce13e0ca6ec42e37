// Children that no handler of pthread_atfork() tells of.
//
// A child of vfork() works in the memory of its parent, but has descriptors of its own, so it must
// leave the tables of the parent as they are. A child of _Fork(), clone() or syscall() has memory
// of its own, and has to begin a log of its own.
#pragma once

#include <sys/types.h>

namespace sluice::preload {

// The parent if this thread has started such a child, else 0. Parent and child of vfork() share
// this variable, because the thread of the parent waits while the child runs.
[[gnu::visibility("hidden")]] extern constinit thread_local pid_t vfork_caller;

// Asks the kernel. Once the parent runs again, this thread counts as one that has not called
// vfork(). A child that has memory of its own begins its log.
bool asks_is_child_of_vfork();

// True in a child of vfork(). Fast in a thread that has not called vfork().
inline bool is_child_of_vfork() {
  return __builtin_expect(vfork_caller != 0, 0) && asks_is_child_of_vfork();
}

}  // namespace sluice::preload
