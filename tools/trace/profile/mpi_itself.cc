#include "trace/profile/mpi_itself.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace sluice::trace {
namespace {

// The libraries of Open MPI and MPICH, and those that they bring.
constexpr std::array<std::string_view, 17> libraries = {
    "libmpi",    "libopen-pal", "libopen-rte", "mca_",     "libmca_", "libpmi",
    "libprrte",  "libevent",    "libhwloc",    "libucp",   "libuct",  "libucs",
    "libfabric", "libpsm",      "libibverbs",  "libmunge", "libnl-"};

constexpr std::array<std::string_view, 3> folders_of_system = {"/proc/", "/sys/", "/etc/"};

constexpr std::array<std::string_view, 4> starts_and_ends = {"MPI_Init", "PMPI_Init",
                                                             "MPI_Finalize", "PMPI_Finalize"};

template <std::size_t count>
bool begins_with_one_of(std::string_view text,
                        const std::array<std::string_view, count>& beginnings) {
  return std::ranges::any_of(
      beginnings, [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool is_of_mpi(const Frame& frame) {
  const std::string name = std::filesystem::path(frame.module).filename();
  return begins_with_one_of(name, libraries);
}

bool joins_processes(const File& file) {
  return S_ISSOCK(file.kind) || S_ISFIFO(file.kind) || S_ISCHR(file.kind) ||
         file.name.starts_with("anon_inode:");
}

bool starts_or_ends_mpi(const Frame& frame) {
  return is_of_mpi(frame) && begins_with_one_of(frame.function, starts_and_ends);
}

}  // namespace

bool is_of_mpi_itself(const Profile& profile, const Use& use) {
  const std::vector<Frame>& frames = profile.sites[use.site].frames;
  if (std::ranges::any_of(frames, starts_or_ends_mpi)) return true;
  if (frames.empty() || !is_of_mpi(frames.front())) return false;
  const File& file = profile.files[use.file];
  return joins_processes(file) || begins_with_one_of(file.name, folders_of_system);
}

}  // namespace sluice::trace
