// The functions of File that make bytes and names durable.
#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

#include "os/failed_call.h"
#include "os/file.h"
#include "os/system_calls.h"

namespace sluice::os {
namespace {

// Finds what `name` in `directory` stands for, without following it.
CallResult facts_of_entry(const File& directory, const std::string& name, FileStat& facts) {
  const CallResult descriptor = uninterrupted(
      [&] { return calls().openat(directory.descriptor(), name.c_str(), O_PATH | O_NOFOLLOW, 0); });
  if (descriptor < 0) return descriptor;
  File entry = File::adopt(static_cast<int>(descriptor), name);
  const CallResult result = facts_of(entry.descriptor(), facts);
  const Status closed = entry.close();
  return closed.ok() ? result : -closed.code().value();
}

Status no_durable_name(Operation during, const File& file, int code, std::string_view why) {
  return failed_call(during, file.path(), code, {why, ", so its name cannot be made durable"});
}

// Opens the directory in `path`. ENOENT if the name there does not stand for `file`, which has
// these facts.
Status open_directory_in(const std::string& path, Operation during, const File& file,
                         const FileStat& facts, File& out) {
  const std::size_t slash = path.find_last_of('/');
  const bool has_folder = slash != std::string::npos;
  File directory;
  const Status opened =
      File::open(has_folder ? path.substr(0, std::max<std::size_t>(slash, 1)) : ".",
                 File::Access::directory, 0, directory);
  if (!opened.ok()) {
    return no_durable_name(during, file, opened.code().value(), "its directory cannot be opened");
  }
  FileStat found{};
  CallResult result = facts_of_entry(directory, has_folder ? path.substr(slash + 1) : path, found);
  const bool is_it = found.st_dev == facts.st_dev && found.st_ino == facts.st_ino;
  if (result >= 0 && !is_it) result = -ENOENT;
  if (result < 0) {
    return no_durable_name(during, file, error_of(result), "its directory is not found");
  }
  out = std::move(directory);
  return {};
}

}  // namespace

Status File::sync() {
  const CallResult result = uninterrupted([&] { return calls().fdatasync(descriptor_); });
  return result < 0 ? sync_failed(error_of(result)) : Status();
}

Status File::sync_with_attributes() {
  const CallResult result = uninterrupted([&] { return calls().fsync(descriptor_); });
  return result < 0 ? sync_failed(error_of(result)) : Status();
}

// EROFS counts as unsupported only for special files. For a regular file it means that the file
// system was remounted read-only after an error, with the bytes not on the disk.
Status File::sync_failed(int code) {
  const bool unsupported = is_unsupported(code);
  if (!unsupported && code != EROFS) return Status::failure(Operation::sync, path_, code);
  FileStat facts{};
  const bool known = facts_of(descriptor_, facts) >= 0;
  if (known && !S_ISREG(facts.st_mode) && !S_ISBLK(facts.st_mode) && !S_ISDIR(facts.st_mode)) {
    return {};
  }
  if (!unsupported) return Status::failure(Operation::sync, path_, code);
  return failed_call(Operation::sync, path_, code, {"the file system does not support it"});
}

Status File::start_write_back(std::uint64_t position, std::uint64_t bytes) {
  return sync_range(position, bytes, SYNC_FILE_RANGE_WRITE);
}

Status File::wait_for_write_back(std::uint64_t position, std::uint64_t bytes) {
  return sync_range(
      position, bytes,
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

Status File::sync_range(std::uint64_t position, std::uint64_t bytes, unsigned flags) {
  const CallResult result =
      uninterrupted([&] { return calls().sync_file_range(descriptor_, position, bytes, flags); });
  if (result >= 0 || result == -ESPIPE || result == -ENOSYS || result == -ENOTSUP) return {};
  return Status::failure(Operation::sync, path_, error_of(result));
}

// The kernel's own name of the open file. If the kernel has none, the path that it was opened by.
std::string File::present_path() const {
  std::array<char, 4096> name;
  const CallResult bytes = calls().name_of(descriptor_, name.data(), name.size());
  if (bytes <= 0 || name[0] != '/') return path_;
  return {name.data(), static_cast<std::size_t>(bytes)};
}

Status File::open_directory(Operation during, File& out) const {
  if (!names_need_a_sync) return {};
  FileStat facts{};
  const CallResult result = facts_of(descriptor_, facts);
  if (result < 0) return Status::failure(Operation::stat, path_, error_of(result));
  if (!S_ISREG(facts.st_mode) || facts.st_nlink == 0) return {};
  Status status = open_directory_in(present_path(), during, *this, facts, out);
  const int code = status.code().value();
  if (code != EACCES && code != ENOENT) return status;
  // Tries both paths. The path that the file was opened by may need fewer permissions. It is no
  // longer valid if the file was renamed.
  for (const std::string& path : {path_, present_path()}) {
    if (open_directory_in(path, during, *this, facts, out).ok()) return {};
  }
  return status;
}

Status File::sync_name_in(File& directory) const {
  Status status = directory.sync_with_attributes();
  if (is_unsupported_sync(status)) return status;
  if (status.ok()) {
    status = directory.close();
    if (status.ok()) return status;
    return failed_call(Operation::close, path_, status.code().value(),
                       {"the file's name is durable, but its directory cannot be closed"});
  }
  return failed_call(Operation::sync_directory, path_, status.code().value(),
                     {"the bytes are durable, but the file's name may not survive a power cut"});
}

Status File::sync_directory() {
  File directory;
  Status status = open_directory(Operation::sync_directory, directory);
  if (!status.ok() || !directory.is_open()) return status;
  return sync_name_in(directory);
}

}  // namespace sluice::os
