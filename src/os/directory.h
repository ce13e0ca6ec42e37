// Directory: an open directory, and operations on the names in it.
//
// A name is looked up in the directory that was opened, even if the directory is moved meanwhile. A
// symbolic link is never followed. Every Status names the path that the directory was opened for.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/file.h"
#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice::os {

// The file that a name stands for. `file` keeps the inode in use, so that no new file can get its
// number. `file` cannot be read, so no permission is needed to open it.
struct Entry {
  enum class Kind : std::uint8_t { none, regular, directory, symbolic_link, other };

  Kind kind = Kind::none;
  unsigned mode = 0;  // permissions, with the set-id and sticky bits
  unsigned owner = 0;
  unsigned group = 0;
  std::uint64_t links = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  File file;

  bool exists() const noexcept { return kind != Kind::none; }
};

// A path without its last name, and that name: "." and "b" for "b", "/" and "b" for "/b".
std::pair<std::string, std::string> split_path(const std::string& path);

class Directory {
 public:
  // A relative `folder` starts at `from`, or at the current directory. `path` is for messages.
  static Status open(const Directory* from, const std::string& folder, const std::string& path,
                     Directory& out);
  // Opens a directory that may be searched but not read: names in it can be looked up.
  static Status open_for_search(const Directory* from, const std::string& folder,
                                const std::string& path, Directory& out);

  // Gives all names for which `is_wanted` returns true.
  Status read_names(bool (*is_wanted)(std::string_view), std::vector<std::string>& names) const;
  // Finds what `name` stands for now. An Entry that does not exist is not a failure.
  Status look_up(const std::string& name, Entry& out) const;
  // Tells whether `name` now stands for `file`.
  Status stands_for(const std::string& name, const File& file, bool& result) const;
  Status read_link(const Entry& link, std::string& target) const;
  // Creates a file that only its owner may use, open for writing. EEXIST if the name is taken.
  Status create(const std::string& name, File& out) const;
  // Opens the file of that name for reading, without waiting and without following a link.
  Status open_file(const std::string& name, File& out) const;
  Status rename(const std::string& from, const std::string& to) const;
  Status remove(const std::string& name) const;  // ok if it is gone already
  Status remove(const std::string& name, bool& was_there) const;
  // Makes the new name of a file durable. The message of a failure says that a file was replaced,
  // and its operation is Operation::sync_directory.
  Status sync_name_of(const File& renamed) const;

  Status close() { return file_.close(); }

  int descriptor() const noexcept { return file_.descriptor(); }
  const std::string& path() const noexcept { return file_.path(); }
  const File& file() const noexcept { return file_; }

 private:
  static Status open_with(const Directory* from, const std::string& folder, int flags,
                          const std::string& path, Directory& out);

  File file_;
};

// Returns "immutable" or "append-only" if chattr(1) has given the file or directory this attribute:
// then the name of the file, or any name in the directory, cannot be given to another file. Returns
// "" if it has neither attribute, or if the file system does not tell.
std::string_view fixed_as(const File& file_or_directory);

// Fails unless the kernel finds `entry` at `path`. `entry` was found by following the symbolic
// links one by one. The kernel may find another file, because a link in /proc may stand for a file
// without a name. It may also refuse to follow a link that another user may have planted
// (fs.protected_symlinks).
Status expect_at(const std::string& path, const Entry& entry);

// Removes a file that this process has made. Reports no failure.
void remove_file(const std::string& path);

// Bytes that nobody can guess. `path` is for messages.
Status random_bytes(const std::string& path, MutableBytesView into);

// Letters and digits that nobody can guess.
inline constexpr std::size_t random_name_letters = 16;
inline constexpr std::string_view letters_of_random_names = "abcdefghijklmnopqrstuvwxyz012345";
Status random_name(const std::string& path, std::string& name);

}  // namespace sluice::os
