#include <cerrno>
#include <string>
#include <vector>

#include "backend/temporary_name.h"
#include "os/directory.h"
#include "os/guarded.h"
#include "sluice/files.h"

namespace sluice {
namespace {

// True if the file belongs to another user, or no longer exists.
bool is_not_ours_to_remove(const Status& status) {
  const int code = status.code().value();
  return code == EACCES || code == EPERM || code == ENOENT || code == ELOOP;
}

// A writer holds the lock until its file has taken the target's name. A process that gets the lock
// may therefore remove the file: no process writes it. The name is looked up again under the lock,
// because the file may have been renamed before.
Status remove_if_abandoned(const os::Directory& directory, const std::string& name,
                           std::uint64_t& removed) {
  os::Entry entry;
  if (Status status = directory.look_up(name, entry); !status.ok()) return status;
  if (entry.kind != os::Entry::Kind::regular) return {};
  os::File file;
  Status status = directory.open_file(name, file);
  if (!status.ok()) return is_not_ours_to_remove(status) ? Status() : status;
  if (!file.lock().ok()) return {};  // a process writes the file, or there are no locks
  bool is_there = false;
  status = directory.stands_for(name, file, is_there);
  if (!status.ok() || !is_there) return status;
  // The process that made the file removes it if it finds the file locked.
  bool was_there = false;
  status = directory.remove(name, was_there);
  if (was_there) ++removed;
  return is_not_ours_to_remove(status) ? Status() : status;
}

Status remove_all_abandoned(const std::string& path, std::uint64_t& removed) {
  if (Status status = os::check_path(Operation::open, path); !status.ok()) return status;
  os::Directory directory;
  Status status = os::Directory::open(nullptr, path, path, directory);
  if (!status.ok()) return status;
  std::vector<std::string> names;
  status = directory.read_names(is_temporary_name, names);
  for (const std::string& name : names) {
    status = status.also(remove_if_abandoned(directory, name, removed));
  }
  return status;
}

}  // namespace

Status remove_abandoned_replacements(const std::string& directory, std::uint64_t& removed) {
  removed = 0;
  return os::guarded_status(directory, [&] { return remove_all_abandoned(directory, removed); });
}

}  // namespace sluice
