// The name by which the loader finds one of the preloaded objects.
#pragma once

#include <string>

namespace sluice {

// The loader splits LD_PRELOAD at spaces and colons and replaces names behind a dollar sign, and
// nothing escapes these characters. An object whose path has one of them is reached through a
// symbolic link in a temporary folder, which is removed with this. Nobody but this user and root
// can change the folder or put another one in its place, now or when it is gone: whoever could do
// that could run code as this user.
class ObjectPath {
 public:
  // `file` is an object's path. Throws std::runtime_error if it needs a link and no folder is safe.
  explicit ObjectPath(const std::string& file);
  ~ObjectPath();
  ObjectPath(const ObjectPath&) = delete;
  ObjectPath& operator=(const ObjectPath&) = delete;

  const std::string& path() const { return path_; }
  bool is_temporary() const { return !folder_.empty(); }

 private:
  std::string path_;
  std::string folder_;  // of the link; empty if there is none
};

}  // namespace sluice
