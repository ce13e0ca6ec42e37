#include "launch/temporary_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>

namespace sluice {
namespace {

namespace fs = std::filesystem;

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

void remove_abandoned_folders(const std::string& parent, std::string_view name_begins) {
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

namespace {

// The last one of all that exist. They end in the order opposite to the order in which they began.
TemporaryFolder* newest = nullptr;

constexpr int ending[] = {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

// Signals that end the command remove its folders from now on, until others handle them.
void set_handlers() {
  for (const int signal : ending) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_DFL) {
      std::signal(signal, TemporaryFolder::remove_all_and_end);
    }
  }
}

// Holds these signals back.
class Hold {
 public:
  Hold() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : ending) sigaddset(&held, signal);
    ::sigprocmask(SIG_BLOCK, &held, &before_);
  }
  ~Hold() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

TemporaryFolder::TemporaryFolder() : older_(newest) { newest = this; }

bool TemporaryFolder::make(const std::string& parent, std::string_view name_begins) {
  remove_abandoned_folders(parent, name_begins);
  std::string path = fmt::format("{}/{}XXXXXX", parent, name_begins);
  set_handlers();
  const Hold hold;
  if (::mkdtemp(path.data()) == nullptr) return false;
  path_ = path;
  folder_ = open_folder(path_);
  lock(folder_);  // otherwise the folder would look abandoned after a minute
  return true;
}

TemporaryFolder::~TemporaryFolder() {
  newest = older_;
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (folder_ >= 0) ::close(folder_);
}

void TemporaryFolder::rename(const std::string& path) {
  std::error_code failed;
  fs::rename(path_, path, failed);
  if (!failed) path_ = path;
}

void TemporaryFolder::remove_all_and_end(int signal) {
  for (const TemporaryFolder* each = newest; each != nullptr; each = each->older_) {
    each->remove_now();
  }
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

// Makes system calls alone.
void TemporaryFolder::remove_now() const {
  if (folder_ < 0) return;
  alignas(dirent64) char entries[4096];
  ::lseek(folder_, 0, SEEK_SET);
  for (;;) {
    const ssize_t size = ::getdents64(folder_, entries, sizeof entries);
    if (size <= 0) break;
    for (ssize_t at = 0; at < size;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(entries + at);
      ::unlinkat(folder_, entry->d_name, 0);
      at += entry->d_reclen;
    }
  }
  ::rmdir(path_.c_str());
}

}  // namespace sluice
