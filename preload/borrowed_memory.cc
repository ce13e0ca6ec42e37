#include "borrowed_memory.h"

#include <unistd.h>

namespace sluice::preload {

constinit thread_local pid_t vfork_caller = 0;

// A child of vfork() may itself call vfork(). The memory is still that of the first parent.
void before_vfork() {
  if (!is_child_of_vfork()) vfork_caller = getpid();
}

bool asks_is_child_of_vfork() {
  if (getpid() != vfork_caller) return true;
  vfork_caller = 0;
  return false;
}

}  // namespace sluice::preload
