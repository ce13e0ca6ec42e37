#include "launch/log_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace sluice {

// Each process of the program makes a log. On a disk, the start of each process would be slower.
// A container may have only 64 MiB of /dev/shm, which the program may need for itself. The free
// room does not count: the ranks of a job must all find the same folder.
std::string parent_of_logs() {
  const char* const chosen = std::getenv("TMPDIR");
  // The processes of the program may have other working directories than this command.
  if (chosen != nullptr && *chosen != '\0') return std::filesystem::absolute(chosen);
  constexpr auto in_memory = "/dev/shm";
  constexpr std::uint64_t least_bytes = std::uint64_t{1} << 30;
  struct statfs system {};
  const bool is_there = ::statfs(in_memory, &system) == 0 && system.f_type == TMPFS_MAGIC &&
                        ::access(in_memory, W_OK | X_OK) == 0;
  const auto block_bytes = static_cast<std::uint64_t>(system.f_bsize);
  return is_there && system.f_blocks >= least_bytes / block_bytes ? in_memory : "/tmp";
}

namespace {

bool is_full(int error) { return error == ENOSPC || error == EDQUOT; }

// A file that is longer than this process may make it would end the process.
bool may_be_as_long(rlim_t bytes) {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= bytes;
}

// Makes files like those of the first process, and removes them: it needs a log and a count of
// logs. Returns the error of a full disk, or 0.
int error_of_full_disk(const std::string& folder) {
  constexpr off_t least_log_bytes = 32768;
  int error = 0;
  std::vector<std::string> made;
  for (const char* const name : {"/room", "/count"}) {
    const std::string path = folder + name;
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) error = errno;
    if (file < 0) break;
    made.push_back(path);
    if (may_be_as_long(least_log_bytes)) error = ::posix_fallocate(file, 0, least_log_bytes);
    ::close(file);
    if (is_full(error)) break;
  }
  for (const std::string& path : made) ::unlink(path.c_str());
  return is_full(error) ? error : 0;
}

[[noreturn]] void refuse(const std::string& parent, int error) {
  throw std::runtime_error(fmt::format("cannot keep logs in {}: {}: set TMPDIR to a folder {}",
                                       parent, std::strerror(error),
                                       is_full(error) ? "with room" : "in which you can write"));
}

}  // namespace

LogFolder::LogFolder() {
  const std::string parent = parent_of_logs();
  if (!folder_.make(parent, "sluice-logs-")) refuse(parent, errno);
  if (const int error = error_of_full_disk(path()); error != 0) refuse(parent, error);
}

// The processes know the folder by its old name alone.
void LogFolder::close_to_processes() { folder_.rename(path() + closed_end); }

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
