// Tells whether two descriptors or names lead to one file.
#pragma once

#include <sys/stat.h>

#include "real.h"

namespace sluice::preload {

inline bool is_same_file(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

// False for a descriptor that is closed.
inline bool leads_to(int descriptor, const struct stat& status) {
  struct stat own {};
  return real().fstat(descriptor, &own) == 0 && is_same_file(own, status);
}

}  // namespace sluice::preload
