#include "os/process.h"

namespace sluice::os {

bool call_in_forked_child(void (*)()) noexcept { return true; }  // Windows has no fork()

unsigned fork_generation() noexcept { return 0; }

}  // namespace sluice::os
