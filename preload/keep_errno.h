// Hooks leave errno as the C library's function sets it.
#pragma once

#include <errno.h>

namespace sluice::preload {

// At the end of its block, errno becomes what it was at the beginning.
struct KeepErrno {
  const int error = errno;
  ~KeepErrno() { errno = error; }
};

}  // namespace sluice::preload
