#include "launch/log_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace sluice {

LogFolder::LogFolder() {
  const char* const chosen = std::getenv("TMPDIR");
  const std::string parent = chosen == nullptr || *chosen == '\0' ? "/tmp" : chosen;
  if (!folder_.make(parent, "sluice-logs-")) {
    throw std::runtime_error(
        fmt::format("cannot create a folder for logs in {}: {}: set TMPDIR to another folder",
                    parent, std::strerror(errno)));
  }
}

// The processes know the folder by its old name alone.
void LogFolder::close_to_processes() { folder_.rename(path() + "-closed"); }

// The list is empty if the program has removed the folder.
std::vector<std::string> LogFolder::files() const {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(path(), ignored)) {
    files.push_back(entry.path().string());
  }
  return files;
}

}  // namespace sluice
