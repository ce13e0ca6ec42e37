// Hooks leave errno as the C library's function sets it.
#pragma once

#include <errno.h>

namespace sluice::preload {

// At the end of its block, errno becomes what it was at the beginning.
class KeepErrno {
 public:
  KeepErrno() = default;
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;
  ~KeepErrno() { errno = error_; }

 private:
  const int error_ = errno;
};

}  // namespace sluice::preload
