// Folder: a new folder, in which all ranks make their files.
#pragma once

#include <string>

#include "sluice/status.h"

namespace sluice::ranks {

// Every rank makes one, at the same time. The first rank makes the folder, and removes it with all
// files in the destructor. If a signal ends a rank (Ctrl-C, SIGTERM or SIGHUP), that rank removes
// both before. Threads: one object at a time.
class Folder {
 public:
  // Collective. The folder lies in `parent`.
  explicit Folder(const std::string& parent);
  // Collective.
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // Whether the folder is there. The same on every rank.
  const Status& status() const { return status_; }
  // Of the file that all ranks write. The files of one rank are path_of_shared.RANK and
  // path_of_shared.RANK.other.
  std::string path_of_shared() const;

  // Removes the files and the folder, before a rank ends without the destructor.
  static void remove();

 private:
  Status status_;
  std::string path_;
};

}  // namespace sluice::ranks
