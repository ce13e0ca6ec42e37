// The name by which the loader finds one of the preloaded objects.
#pragma once

#include <string>

#include "launch/temporary_folder.h"

namespace sluice {

// The loader splits LD_PRELOAD at spaces and colons and replaces names after a dollar sign, and
// these characters cannot be escaped. An object whose path has such a character is reached through
// a symbolic link in a temporary folder. Only this user and root
// can change the folder or replace it, even after it is removed. If another user could, that user
// could run code as this user.
class ObjectPath {
 public:
  // `file` is the path of an object. Throws std::runtime_error if the object needs a link and no
  // folder is safe.
  explicit ObjectPath(const std::string& file);

  const std::string& path() const { return path_; }
  bool is_temporary() const { return !folder_.path().empty(); }

 private:
  std::string path_;
  TemporaryFolder folder_;  // of the link, if there is one
};

}  // namespace sluice
