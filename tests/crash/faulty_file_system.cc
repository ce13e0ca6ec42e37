// A FUSE file system in memory whose calls fail on command.
//
// usage: crash_faulty_file_system -f -s MOUNTPOINT
//
// It has one folder of files. Writes and reads arrive as the program made them (direct_io).
// Commands are written to the file `orders`. Each command replaces the one before:
//   short              every write takes half of its bytes (or its only byte)
//   CALL NTH ERRNO     the NTH call from now on fails with ERRNO and does nothing. CALL is write,
//                      read, fsync, fsyncdir, flush (which close makes), rename or create
//   end                no call fails any more
// Reading `orders` gives 1 if an ordered call has come, else 0. Linux only; one thread.
#define FUSE_USE_VERSION 31
#include <fcntl.h>
#include <fuse.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

namespace {

const std::string orders_path = "/orders";

struct File {
  std::string contents;
  mode_t mode = S_IFREG | 0600;
  uid_t owner = 0;
  gid_t group = 0;
};

std::map<std::string, File> files;

struct {
  bool shorten = false;
  std::string call;
  unsigned calls_until = 0;
  int error = 0;
  bool has_come = false;
} order;

// The error that was ordered for this call, or 0.
int fault(const std::string& call, const char* path) {
  if (path != nullptr && path == orders_path) return 0;
  if (order.calls_until == 0 || order.call != call || --order.calls_until != 0) return 0;
  order.has_come = true;
  return -order.error;
}

void take_order(const std::string& text) {
  const bool has_come = order.has_come;
  order = {};
  if (text == "end") order.has_come = has_come;
  order.shorten = text == "short";
  char call[16];
  if (std::sscanf(text.c_str(), "%15s %u %d", call, &order.calls_until, &order.error) == 3) {
    order.call = call;
  }
}

File* find(const char* path) {
  const auto found = files.find(path);
  return found == files.end() ? nullptr : &found->second;
}

int get_attributes(const char* path, struct stat* result, fuse_file_info* /*info*/) {
  *result = {};
  result->st_nlink = 1;
  if (std::strcmp(path, "/") == 0) {
    result->st_mode = S_IFDIR | 0755;
    return 0;
  }
  const File* file = find(path);
  if (file == nullptr) return -ENOENT;
  result->st_mode = file->mode;
  result->st_uid = file->owner;
  result->st_gid = file->group;
  result->st_size = static_cast<off_t>(file->contents.size());
  return 0;
}

int read_directory(const char* /*path*/, void* buffer, fuse_fill_dir_t fill, off_t /*position*/,
                   fuse_file_info* /*info*/, fuse_readdir_flags /*flags*/) {
  for (const auto& [path, file] : files) {
    fill(buffer, path.c_str() + 1, nullptr, 0, static_cast<fuse_fill_dir_flags>(0));
  }
  return 0;
}

int create(const char* path, mode_t mode, fuse_file_info* info) {
  if (const int error = fault("create", path); error != 0) return error;
  files[path].mode = mode;
  info->direct_io = 1;
  return 0;
}

int open_file(const char* path, fuse_file_info* info) {
  File* file = find(path);
  if (file == nullptr) return -ENOENT;
  if ((info->flags & O_TRUNC) != 0) file->contents.clear();
  info->direct_io = 1;
  return 0;
}

int read_file(const char* path, char* into, std::size_t bytes, off_t position,
              fuse_file_info* /*info*/) {
  if (const int error = fault("read", path); error != 0) return error;
  const std::string all =
      path == orders_path ? std::string(order.has_come ? "1" : "0") : find(path)->contents;
  const auto begin = std::min(static_cast<std::size_t>(position), all.size());
  return static_cast<int>(all.copy(into, bytes, begin));
}

int write_file(const char* path, const char* from, std::size_t bytes, off_t position,
               fuse_file_info* /*info*/) {
  if (path == orders_path) {
    take_order(std::string(from, bytes));
    return static_cast<int>(bytes);
  }
  if (const int error = fault("write", path); error != 0) return error;
  if (order.shorten) {
    order.has_come = true;
    bytes = std::max<std::size_t>(bytes / 2, 1);
  }
  std::string& contents = find(path)->contents;
  const auto begin = static_cast<std::size_t>(position);
  contents.resize(std::max(contents.size(), begin + bytes));
  contents.replace(begin, bytes, from, bytes);
  return static_cast<int>(bytes);
}

int truncate(const char* path, off_t bytes, fuse_file_info* /*info*/) {
  if (path != orders_path) find(path)->contents.resize(static_cast<std::size_t>(bytes));
  return 0;
}

int unlink(const char* path) { return files.erase(path) == 1 ? 0 : -ENOENT; }

int rename(const char* from, const char* to, unsigned flags) {
  if (const int error = fault("rename", to); error != 0) return error;
  if (flags != 0) return -EINVAL;
  auto node = files.extract(from);
  files.erase(to);
  node.key() = to;
  files.insert(std::move(node));
  return 0;
}

int flush(const char* path, fuse_file_info* /*info*/) { return fault("flush", path); }

int sync(const char* path, int /*data_only*/, fuse_file_info* /*info*/) {
  return fault("fsync", path);
}

int sync_directory(const char* path, int /*data_only*/, fuse_file_info* /*info*/) {
  return fault("fsyncdir", path);
}

int change_mode(const char* path, mode_t mode, fuse_file_info* /*info*/) {
  find(path)->mode = S_IFREG | (mode & 07777);
  return 0;
}

int change_owner(const char* path, uid_t owner, gid_t group, fuse_file_info* /*info*/) {
  File& file = *find(path);
  if (owner != static_cast<uid_t>(-1)) file.owner = owner;
  if (group != static_cast<gid_t>(-1)) file.group = group;
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  files[orders_path] = {};
  fuse_operations operations{};
  operations.getattr = get_attributes;
  operations.readdir = read_directory;
  operations.create = create;
  operations.open = open_file;
  operations.read = read_file;
  operations.write = write_file;
  operations.truncate = truncate;
  operations.unlink = unlink;
  operations.rename = rename;
  operations.flush = flush;
  operations.fsync = sync;
  operations.fsyncdir = sync_directory;
  operations.chmod = change_mode;
  operations.chown = change_owner;
  return fuse_main(count, arguments, &operations, nullptr);
}
