// The folder in which preloaded objects leave their logs.
#pragma once

#include <string>
#include <vector>

#include "launch/temporary_folder.h"

namespace sluice {

// What TMPDIR names; else /dev/shm if it is in memory and has at least 1 GiB; else /tmp.
std::string parent_of_logs();

// The folder has its name with this end after LogFolder::close_to_processes().
inline constexpr char closed_end[] = "-closed";

class LogFolder {
 public:
  // Throws std::runtime_error.
  LogFolder();

  const std::string& path() const { return folder_.path(); }

  // From now on no process can make a log here. A process that is making a log gets it.
  void close_to_processes();

  // The paths of the logs, in no particular order.
  std::vector<std::string> files() const;

 private:
  TemporaryFolder folder_;
};

}  // namespace sluice
