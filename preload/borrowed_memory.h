// Children of vfork(). They work in the memory of their parent, but have descriptors of their own,
// so they must leave the tables of the parent as they are.
#pragma once

#include <sys/types.h>

namespace sluice::preload {

// The parent if this thread has called vfork(), else 0. Parent and child share this variable,
// because the thread of the parent waits while the child runs.
[[gnu::visibility("hidden"),
  gnu::tls_model("initial-exec")]] extern constinit thread_local pid_t vfork_caller;

// To be called when the program is about to call vfork().
void before_vfork();

// Asks the kernel. Once the parent runs again, this thread counts as one that has not called
// vfork().
bool asks_is_child_of_vfork();

// True in a child of vfork(). Fast in a thread that has not called vfork().
inline bool is_child_of_vfork() {
  return __builtin_expect(vfork_caller != 0, 0) && asks_is_child_of_vfork();
}

}  // namespace sluice::preload
