#include "os/directory.h"

#include <array>
#include <cerrno>
#include <utility>

#include "os/failed_call.h"
#include "os/system_calls.h"

namespace sluice::os {
namespace {

Entry::Kind kind_of(unsigned mode) {
  if (S_ISREG(mode)) return Entry::Kind::regular;
  if (S_ISDIR(mode)) return Entry::Kind::directory;
  if (S_ISLNK(mode)) return Entry::Kind::symbolic_link;
  return Entry::Kind::other;
}

// Opens without waiting and without changing the target, except that it may create it.
CallResult open_at(int directory, const std::string& name, int flags, unsigned permissions) {
  return uninterrupted([&] { return calls().openat(directory, name.c_str(), flags, permissions); });
}

}  // namespace

Status Directory::open(const Directory* from, const std::string& folder, const std::string& path,
                       Directory& out) {
  return open_with(from, folder, O_RDONLY, path, out);
}

Status Directory::open_for_search(const Directory* from, const std::string& folder,
                                  const std::string& path, Directory& out) {
  return open_with(from, folder, O_PATH, path, out);
}

Status Directory::open_with(const Directory* from, const std::string& folder, int flags,
                            const std::string& path, Directory& out) {
  const int start = from != nullptr ? from->descriptor() : AT_FDCWD;
  const CallResult descriptor = open_at(start, folder, flags | O_DIRECTORY, 0);
  if (descriptor < 0) {
    return failed_call(Operation::open, path, error_of(descriptor),
                       {"its directory cannot be opened"});
  }
  out.file_ = File::adopt(static_cast<int>(descriptor), path);
  return {};
}

Status Directory::read_names(bool (*is_wanted)(std::string_view),
                             std::vector<std::string>& names) const {
  alignas(DirectoryEntry) std::array<char, 16384> entries;
  for (;;) {
    const CallResult bytes = uninterrupted(
        [&] { return calls().read_directory(descriptor(), entries.data(), entries.size()); });
    if (bytes == 0) return {};
    if (bytes < 0) return Status::failure(Operation::read, path(), error_of(bytes));
    for (const char* at = entries.data(); at < entries.data() + bytes;) {
      const auto* const entry = reinterpret_cast<const DirectoryEntry*>(at);
      if (is_wanted(entry->d_name)) names.emplace_back(entry->d_name);
      at += entry->d_reclen;
    }
  }
}

Status Directory::look_up(const std::string& name, Entry& out) const {
  out = Entry();
  const CallResult descriptor = open_at(this->descriptor(), name, O_PATH | O_NOFOLLOW, 0);
  if (descriptor == -ENOENT) return {};
  if (descriptor < 0) return Status::failure(Operation::open, path(), error_of(descriptor));
  out.file = File::adopt(static_cast<int>(descriptor), path());
  FileStat facts{};
  const CallResult result = facts_of(out.file.descriptor(), facts);
  if (result < 0) return Status::failure(Operation::stat, path(), error_of(result));
  out.kind = kind_of(facts.st_mode);
  out.mode = facts.st_mode & 07777;
  out.owner = facts.st_uid;
  out.group = facts.st_gid;
  out.links = facts.st_nlink;
  out.device = facts.st_dev;
  out.inode = facts.st_ino;
  return {};
}

Status Directory::stands_for(const std::string& name, const File& file, bool& result) const {
  Entry entry;
  if (Status status = look_up(name, entry); !status.ok()) return status;
  FileStat facts{};
  const CallResult code = facts_of(file.descriptor(), facts);
  if (code < 0) return Status::failure(Operation::stat, path(), error_of(code));
  result = entry.exists() && entry.device == facts.st_dev && entry.inode == facts.st_ino;
  return {};
}

Status Directory::read_link(const Entry& link, std::string& target) const {
  std::array<char, 4096> text;  // the longest path that Linux makes
  const CallResult bytes = calls().link_target(link.file.descriptor(), text.data(), text.size());
  if (bytes < 0) return Status::failure(Operation::open, path(), error_of(bytes));
  target.assign(text.data(), static_cast<std::size_t>(bytes));
  return {};
}

Status Directory::create(const std::string& name, File& out) const {
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY;
  File file = File::borrow(-1, path());  // made first: later steps may not need memory
  const CallResult descriptor = open_at(this->descriptor(), name, flags, 0600);
  if (descriptor < 0) {
    return failed_call(Operation::open, path(), error_of(descriptor),
                       {"no file can be created in its directory"});
  }
  file.own(static_cast<int>(descriptor));
  out = std::move(file);
  return {};
}

Status Directory::open_file(const std::string& name, File& out) const {
  constexpr int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const CallResult descriptor = open_at(this->descriptor(), name, flags, 0);
  if (descriptor < 0) return Status::failure(Operation::open, path(), error_of(descriptor));
  out = File::adopt(static_cast<int>(descriptor), path());
  return {};
}

Status Directory::rename(const std::string& from, const std::string& to) const {
  const CallResult result =
      uninterrupted([&] { return calls().renameat(descriptor(), from.c_str(), to.c_str()); });
  return result < 0 ? Status::failure(Operation::replace, path(), error_of(result)) : Status();
}

Status Directory::remove(const std::string& name) const {
  bool was_there = false;
  return remove(name, was_there);
}

Status Directory::remove(const std::string& name, bool& was_there) const {
  const CallResult result =
      uninterrupted([&] { return calls().unlinkat(descriptor(), name.c_str()); });
  was_there = result >= 0;
  if (result >= 0 || result == -ENOENT) return {};
  return failed_call(Operation::remove, path(), error_of(result),
                     {"its temporary file ", name, " stays behind"});
}

// Where a directory has no sync, the sync of the file writes the journal, which has the name.
Status Directory::sync_name_of(const File& renamed) const {
  const int synced = names_need_a_sync ? descriptor() : renamed.descriptor();
  const CallResult result = uninterrupted([&] { return calls().fsync(synced); });
  if (result >= 0) return {};
  return failed_call(Operation::sync_directory, path(), error_of(result),
                     {"the file is replaced, but after a power cut the old one may be back"});
}

std::string_view fixed_as(const File& file_or_directory) {
  std::uint64_t attributes = 0;
  if (calls().fixed_attributes(file_or_directory.descriptor(), attributes) < 0) return {};
  if ((attributes & STATX_ATTR_IMMUTABLE) != 0) return "immutable";
  return (attributes & STATX_ATTR_APPEND) != 0 ? "append-only" : "";
}

Status expect_at(const std::string& path, const Entry& entry) {
  FileStat facts{};
  const CallResult result = facts_at(path, facts);
  if (result == -ENOENT && !entry.exists()) return {};
  if (result < 0) return Status::failure(Operation::open, path, error_of(result));
  if (entry.exists() && facts.st_dev == entry.device && facts.st_ino == entry.inode) return {};
  return Status::failure(
      Operation::open, path, EINVAL, std::nullopt,
      "the path leads through a symbolic link that changed while it was being opened, or into a "
      "place without a name (such as /proc/self/fd)");
}

void remove_file(const std::string& path) {
  uninterrupted([&] { return calls().unlinkat(AT_FDCWD, path.c_str()); });
}

Status random_bytes(const std::string& path, MutableBytesView into) {
  const CallResult got =
      uninterrupted([&] { return calls().random_bytes(into.data(), into.size()); });
  if (got == static_cast<CallResult>(into.size())) return {};
  const int code = got < 0 ? error_of(got) : EIO;
  return failed_call(Operation::open, path, code,
                     {"the system gives no random numbers for the name of a temporary file"});
}

Status random_name(const std::string& path, std::string& name) {
  std::array<std::byte, random_name_letters> bytes;
  if (Status status = random_bytes(path, bytes); !status.ok()) return status;
  name.clear();
  for (const std::byte byte : bytes) {
    name += letters_of_random_names[std::to_integer<unsigned>(byte) % 32];
  }
  return {};
}

}  // namespace sluice::os
