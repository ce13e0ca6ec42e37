// Facts about a file, without the library under test.
#pragma once

#include <sys/stat.h>

#include <stdexcept>
#include <string>

namespace sluice::testing {

// The result of lstat(2) for the file. Throws if there is no such file.
inline struct stat facts_of(const std::string& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0) throw std::runtime_error("cannot look at " + path);
  return facts;
}

inline unsigned permissions_of(const std::string& path) { return facts_of(path).st_mode & 07777; }

}  // namespace sluice::testing
