#include "launch/log_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace sluice {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_begins = "sluice-logs-";

// A younger folder may belong to a command that has not locked it yet.
constexpr std::time_t least_age_s = 60;

int open_folder(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool lock(int folder) { return ::flock(folder, LOCK_EX | LOCK_NB) == 0; }

// True if the command that made the folder was killed, so that the folder was not removed.
bool is_abandoned(int folder) {
  struct stat status {};
  return ::fstat(folder, &status) == 0 && status.st_uid == ::geteuid() &&
         std::time(nullptr) - status.st_mtime >= least_age_s && lock(folder);
}

void remove_abandoned_folders(const std::string& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (!entry.path().filename().string().starts_with(name_begins)) continue;
    const int folder = open_folder(entry.path().string());
    if (folder < 0) continue;
    if (is_abandoned(folder)) fs::remove_all(entry.path(), ignored);
    ::close(folder);
  }
}

}  // namespace

LogFolder::LogFolder() {
  const char* const chosen = std::getenv("TMPDIR");
  const std::string parent = chosen == nullptr || *chosen == '\0' ? "/tmp" : chosen;
  remove_abandoned_folders(parent);
  path_ = fmt::format("{}/{}XXXXXX", parent, name_begins);
  if (::mkdtemp(path_.data()) == nullptr) {
    throw std::runtime_error(
        fmt::format("cannot create a folder for logs in {}: {}: set TMPDIR to another folder",
                    parent, std::strerror(errno)));
  }
  folder_ = open_folder(path_);
  lock(folder_);  // otherwise the folder would look abandoned after a minute
}

LogFolder::~LogFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (folder_ >= 0) ::close(folder_);
}

// The processes know the folder by its old name alone.
void LogFolder::close_to_processes() {
  const std::string closed = path_ + "-closed";
  std::error_code failed;
  fs::rename(path_, closed, failed);
  if (!failed) path_ = closed;
}

// The list is empty if the program has removed the folder.
std::vector<std::string> LogFolder::files() const {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path_, ignored)) {
    files.push_back(entry.path().string());
  }
  return files;
}

}  // namespace sluice
