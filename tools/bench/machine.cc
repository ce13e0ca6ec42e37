#include "bench/machine.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <linux/magic.h>
#include <sched.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace sluice::bench {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t start = line.find_first_not_of(": \t", line.find(':'));
    if (start != std::string::npos) return line.substr(start);
  }
  return "unknown";
}

unsigned usable_cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 0;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

std::uint64_t memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

std::string kernel() {
  utsname name{};
  if (::uname(&name) != 0) return "unknown";
  return fmt::format("{} {}", name.sysname, name.release);
}

// The file's text looks like `always [madvise] never`.
std::string transparent_huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  for (std::string word; file >> word;) {
    if (word.starts_with('[') && word.ends_with(']')) return word.substr(1, word.size() - 2);
  }
  return "unknown";
}

std::string compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace

Machine this_machine() {
  return {.cpu = cpu_model(),
          .cores = usable_cores(),
          .memory_bytes = memory_bytes(),
          .kernel = kernel(),
          .libc = fmt::format("glibc {}", ::gnu_get_libc_version()),
          .compiler = compiler(),
          .transparent_huge_pages = transparent_huge_pages(),
          .date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))};
}

std::string filesystem_of(const std::string& directory) {
  struct statfs facts {};
  if (::statfs(directory.c_str(), &facts) != 0) {
    throw std::runtime_error(fmt::format("statfs {}: {}", directory, std::strerror(errno)));
  }
  return filesystem_name(static_cast<std::uint64_t>(facts.f_type) & 0xffffffff);
}

std::string filesystem_name(std::uint64_t magic) {
  static constexpr std::array<std::pair<std::uint64_t, const char*>, 16> known = {{
      {EXT4_SUPER_MAGIC, "ext4"},
      {TMPFS_MAGIC, "tmpfs"},
      {XFS_SUPER_MAGIC, "xfs"},
      {BTRFS_SUPER_MAGIC, "btrfs"},
      {OVERLAYFS_SUPER_MAGIC, "overlayfs"},
      {NFS_SUPER_MAGIC, "nfs"},
      {FUSE_SUPER_MAGIC, "fuse"},
      {F2FS_SUPER_MAGIC, "f2fs"},
      {RAMFS_MAGIC, "ramfs"},
      {V9FS_MAGIC, "9p"},
      {SMB2_SUPER_MAGIC, "smb2"},
      {CIFS_SUPER_MAGIC, "cifs"},
      {CEPH_SUPER_MAGIC, "ceph"},
      {MSDOS_SUPER_MAGIC, "vfat"},
      {EXFAT_SUPER_MAGIC, "exfat"},
      {0x2fc12fc1, "zfs"},
  }};
  const auto found = std::ranges::find(known, magic, &std::pair<std::uint64_t, const char*>::first);
  return found == known.end() ? fmt::format("{:#x}", magic) : found->second;
}

}  // namespace sluice::bench
