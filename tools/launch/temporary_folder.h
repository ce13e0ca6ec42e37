// Folders that last as long as the command.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// A temporary folder that is removed with its contents, also by a signal that ends the command. If
// SIGKILL ends the command, the next command that makes such a folder in the same place removes it.
// Threads: one, which makes and removes all such folders.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Makes a folder in `parent` that only this user can enter. To be called once. False if there can
  // be none; errno tells why. `name_begins` tells the folders of one kind from all other names.
  bool make(const std::string& parent, std::string_view name_begins);

  // Empty if there is no folder.
  const std::string& path() const { return path_; }

  // On failure the folder keeps its name.
  void rename(const std::string& path);

  // A signal handler: removes all folders that this command has made, with the files in them, and
  // ends the command by the signal.
  static void remove_all_and_end(int signal);

 private:
  void remove_now() const;

  std::string path_;
  int folder_ = -1;  // locked as long as the command lives
  TemporaryFolder* const older_;
};

}  // namespace sluice
