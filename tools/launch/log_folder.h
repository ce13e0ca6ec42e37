// The folder in which preloaded objects leave their logs.
#pragma once

#include <string>
#include <vector>

namespace sluice {

// A temporary folder that is removed with its contents. If the command is killed, the next command
// with the same folder for temporary files removes it.
class LogFolder {
 public:
  // Throws std::runtime_error.
  LogFolder();
  ~LogFolder();
  LogFolder(const LogFolder&) = delete;
  LogFolder& operator=(const LogFolder&) = delete;

  const std::string& path() const { return path_; }

  // From now on no process can make a log here. A process that is making a log gets it.
  void close_to_processes();

  // The paths of the logs, in no particular order.
  std::vector<std::string> files() const;

 private:
  std::string path_;
  int folder_ = -1;  // locked as long as the command lives
};

}  // namespace sluice
