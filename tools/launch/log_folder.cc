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
  path_ = parent + "/sluice-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) {
    throw std::runtime_error(
        fmt::format("cannot create a folder for logs in {}: {}: set TMPDIR to another folder",
                    parent, std::strerror(errno)));
  }
}

LogFolder::~LogFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

// Empty if the program has removed the folder.
std::vector<std::string> LogFolder::files() const {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(path_, ignored)) {
    files.push_back(entry.path().string());
  }
  return files;
}

}  // namespace sluice
