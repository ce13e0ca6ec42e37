#include "os/file_copy.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <limits>

#include "os/system_calls.h"

namespace sluice::os {
namespace {

FileFacts facts_from(const FileStat& found) {
  return {.exists = true,
          .is_regular = S_ISREG(found.st_mode),
          .permissions = found.st_mode & 0777U,
          .device = found.st_dev,
          .inode = found.st_ino};
}

}  // namespace

Status find_facts(const File& file, FileFacts& facts) {
  FileStat found{};
  const CallResult result = facts_of(file.descriptor(), found);
  if (result < 0) return Status::failure(Operation::stat, file.path(), error_of(result));
  facts = facts_from(found);
  return {};
}

Status find_facts(const std::string& path, FileFacts& facts) {
  if (Status status = check_path(Operation::open, path); !status.ok()) return status;
  FileStat found{};
  const CallResult result = facts_at(path, found);
  facts = result < 0 ? FileFacts() : facts_from(found);
  if (result >= 0 || result == -ENOENT) return {};
  return Status::failure(Operation::stat, path, error_of(result));
}

bool clone(const File& from, const File& to) {
  return uninterrupted([&] { return calls().clone_file(from.descriptor(), to.descriptor()); }) >= 0;
}

std::uint64_t copy_range(const File& from, const File& to, std::uint64_t position,
                         std::uint64_t bytes) {
  const auto part_bytes =
      static_cast<std::size_t>(std::min<std::uint64_t>(bytes, max_bytes_per_call));
  const CallResult result = uninterrupted(
      [&] { return calls().copy_range(from.descriptor(), to.descriptor(), position, part_bytes); });
  return static_cast<std::uint64_t>(std::max<CallResult>(result, 0));
}

bool find_data(const File& file, std::uint64_t position, Extent& extent) {
  const CallResult begin = calls().seek_data(file.descriptor(), position);
  if (begin == -ENXIO) {
    const CallResult end = calls().seek_end(file.descriptor());
    extent = {position,
              std::max(position, static_cast<std::uint64_t>(std::max<CallResult>(end, 0)))};
    return false;
  }
  extent = {position, std::numeric_limits<std::uint64_t>::max()};
  if (begin < 0) return true;
  const CallResult end = calls().seek_hole(file.descriptor(), static_cast<std::uint64_t>(begin));
  if (end > begin) extent = {static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end)};
  return true;
}

}  // namespace sluice::os
