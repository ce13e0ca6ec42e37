#include "bench/experiments/cache/memory_limit.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace sluice::bench {
namespace {

struct Group {
  std::string folder;      // of the group of this process
  std::string limit_file;  // in the folder of a new group
};

// Finds the memory group of this process: version 1 or 2 of control groups.
Group present_group() {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers == "memory") {
      return {"/sys/fs/cgroup/memory" + path, "memory.limit_in_bytes"};
    }
    std::ifstream offered("/sys/fs/cgroup" + path + "/cgroup.subtree_control");
    std::ostringstream names;
    names << offered.rdbuf();
    if (controllers.empty() && names.str().find("memory") != std::string::npos) {
      return {"/sys/fs/cgroup" + path, "memory.max"};
    }
  }
  return {};
}

bool write_number(const std::string& path, std::uint64_t number) {
  std::ofstream file(path);
  file << number << std::flush;
  return file.good();
}

// glibc has close_range() since version 2.34 alone, and this program runs with older ones.
void close_all(unsigned first, unsigned last) { ::syscall(SYS_close_range, first, last, 0U); }

// Runs in a process of its own, until the other end of the pipe is closed by the end of the process
// in the group. It keeps no other descriptor: somebody may wait for the end of our output.
[[noreturn]] void remove_at_end(const std::string& folder, int end_of_pipe) {
  ::setsid();  // a signal that ends the measured process and its group does not end this one
  for (const int ignored : {SIGINT, SIGTERM, SIGHUP}) ::signal(ignored, SIG_IGN);
  ::dup2(end_of_pipe, 3);
  close_all(0, 2);
  close_all(4, ~0U);
  pollfd wait{3, POLLIN, 0};
  while (::poll(&wait, 1, -1) < 0) {
  }
  for (int tries = 0; ::rmdir(folder.c_str()) != 0 && tries < 1'000; ++tries) ::usleep(10'000);
  ::_exit(0);
}

}  // namespace

bool can_limit_memory() {
  const Group present = present_group();
  return !present.folder.empty() && ::geteuid() == 0 && ::access(present.folder.c_str(), W_OK) == 0;
}

bool limit_memory(std::uint64_t bytes) {
  const Group present = present_group();
  if (present.folder.empty()) return false;
  const std::string folder = fmt::format("{}/sluice-bench-{}", present.folder, ::getpid());
  int pipe_ends[2];
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) return false;
  const bool is_made = ::mkdir(folder.c_str(), 0700) == 0;
  if (is_made && ::fork() == 0) remove_at_end(folder, pipe_ends[0]);
  ::close(pipe_ends[0]);
  // The writing end stays open to the end of this process.
  if (!is_made) ::close(pipe_ends[1]);
  return is_made && write_number(folder + "/" + present.limit_file, bytes) &&
         write_number(folder + "/cgroup.procs", static_cast<std::uint64_t>(::getpid()));
}

}  // namespace sluice::bench
