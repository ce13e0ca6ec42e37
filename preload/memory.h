// Recognises addresses that cannot be memory.
#pragma once

#include <stdint.h>

namespace sluice::preload {

// Null and small error values are recognised for free. Any other bad address crashes the hook that
// reads there; asking the kernel beforehand would cost a system call.
inline bool may_be_memory(const void* address) {
  constexpr intptr_t first_page_that_linux_gives = 65536;
  return reinterpret_cast<intptr_t>(address) >= first_page_that_linux_gives;
}

}  // namespace sluice::preload
