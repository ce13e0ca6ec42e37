#include "launch/log_folder.h"

#include <fmt/format.h>
#include <linux/magic.h>
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

LogFolder::LogFolder() {
  const std::string parent = parent_of_logs();
  if (!folder_.make(parent, "sluice-logs-")) {
    throw std::runtime_error(
        fmt::format("cannot create a folder for logs in {}: {}: set TMPDIR to another folder",
                    parent, std::strerror(errno)));
  }
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
