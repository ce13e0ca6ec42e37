#include "files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>

#include "keep_errno.h"
#include "real.h"
#include "recorder.h"

namespace sluice::preload {

constinit uint32_t generation[generations]{};

namespace {

void change_generation(int descriptor) {
  __atomic_add_fetch(&generation[descriptor & (generations - 1)], 1, __ATOMIC_RELAXED);
}

constexpr int max_descriptors = 65536;
constinit std::atomic<uint32_t> file_of_descriptor[max_descriptors]{};
constinit std::atomic<int> highest_descriptor = -1;

constexpr size_t buckets = 16384;
constinit std::atomic<uint32_t> file_in[buckets]{};

bool is_same(const FileEntry& entry, const struct stat& status, const char* name) {
  return entry.device == status.st_dev && entry.inode == status.st_ino &&
         strcmp(log->texts + entry.name, name) == 0;
}

uint32_t add_file(const struct stat& status, const char* name) {
  const uint32_t place = new_file();
  FileEntry& entry = log->file[place];
  entry.kind = status.st_mode & S_IFMT;
  if (place == max_files - 1) {  // for many files
    if (entry.name == 0) entry.name = keep_text("(other files)");
    return place;
  }
  entry.name = keep_text(name);
  entry.device = status.st_dev;
  entry.inode = status.st_ino;
  entry.size_bytes = static_cast<uint64_t>(status.st_size);
  return place;
}

uint64_t hash_of(const struct stat& status) {
  return status.st_ino * 0x9E3779B97F4A7C15 + status.st_dev;
}

uint64_t hash_of(const char* name, uint64_t hash) {
  for (const char* c = name; *c != '\0'; ++c) hash = hash * 31 + static_cast<unsigned char>(*c);
  return hash;
}

uint32_t find_file(const struct stat& status, const char* name) {
  const uint64_t hash = hash_of(name, hash_of(status));
  for (size_t i = 0; i < 32; ++i) {
    std::atomic<uint32_t>& bucket = file_in[(hash + i) % buckets];
    if (bucket == 0) return bucket = add_file(status, name);
    FileEntry& entry = log->file[bucket];
    if (!is_same(entry, status, name)) continue;
    const auto size_bytes = static_cast<uint64_t>(status.st_size);
    if (size_bytes > entry.size_bytes) entry.size_bytes = size_bytes;
    return bucket;
  }
  return add_file(status, name);
}

// The name under which the kernel shows a descriptor. snprintf() may need more stack than there is.
struct Link {
  explicit Link(int descriptor) {
    char digits[16];
    size_t count = 0;
    do digits[count++] = static_cast<char>('0' + descriptor % 10);
    while ((descriptor /= 10) > 0);
    char* end = text + sizeof folder - 1;
    while (count > 0) *end++ = digits[--count];
    *end = '\0';
  }
  static constexpr char folder[] = "/proc/self/fd/";
  char text[32] = "/proc/self/fd/";
};

uint32_t find_named(int descriptor, const struct stat& status, FileName& room) {
  const ssize_t length = readlink(Link(descriptor).text, room.text, sizeof room.text - 1);
  if (length <= 0) return 0;
  room.text[length] = '\0';
  return find_file(status, room.text);
}

// The file that was last opened by a path with this hash. Asking for a file's name takes as long as
// opening it. If the same path leads to the same file again, the name is known.
constinit std::atomic<uint32_t> file_opened_as[buckets]{};

// The name of a file that was opened by its name in an open folder, not by way of a link. If the
// folder was renamed since it was opened, the file gets the old name.
bool name_in_folder(int folder, const char* path, FileName& room) {
  const uint32_t place = known_file_of(folder);
  const FileEntry& entry = log->file[place];
  if (place == 0 || entry.kind != S_IFDIR) return false;
  const char* const folder_name = log->texts + entry.name;
  const size_t folder_bytes = strlen(folder_name);
  const size_t bytes = strlen(path) + 1;
  const bool is_plain = strchr(path, '/') == nullptr && path[0] != '.';
  if (!is_plain || folder_name[0] != '/' || folder_bytes + 1 + bytes > sizeof room.text) {
    return false;
  }
  memcpy(room.text, folder_name, folder_bytes);
  room.text[folder_bytes] = '/';
  memcpy(room.text + folder_bytes + 1, path, bytes);
  return true;
}

uint32_t find_opened(int descriptor, const struct stat& status, const OpenedAs& as,
                     FileName& room) {
  const char* const path = as.path;
  const uint64_t hash = hash_of(path, hash_of(status));
  std::atomic<uint32_t>& known = file_opened_as[hash % buckets];
  if (known != 0) {
    const FileEntry& entry = log->file[known];
    const bool is_same_file = entry.device == status.st_dev && entry.inode == status.st_ino;
    if (is_same_file && entry.opened_as == hash) return known;
  }
  const uint32_t place = as.folder >= 0 && name_in_folder(as.folder, path, room)
                             ? find_file(status, room.text)
                             : find_named(descriptor, status, room);
  log->file[place].opened_as = hash;
  return known = place;
}

uint32_t look_up(int descriptor, const OpenedAs& as, FileName& room) {
  const KeepErrno kept;
  struct stat status {};
  if (real_fstat(descriptor, status) != 0) return 0;
  return as.path == nullptr ? find_named(descriptor, status, room)
                            : find_opened(descriptor, status, as, room);
}

}  // namespace

uint32_t file_of(int descriptor, FileName& room) {
  if (descriptor < 0 || descriptor >= max_descriptors) return 0;
  std::atomic<uint32_t>& file = file_of_descriptor[descriptor];
  if (file == 0) {
    file = look_up(descriptor, {}, room);
    if (descriptor > highest_descriptor) highest_descriptor = descriptor;
  }
  return file;
}

uint32_t known_file_of(int descriptor) {
  return descriptor < 0 || descriptor >= max_descriptors ? 0
                                                         : file_of_descriptor[descriptor].load();
}

void forget_descriptor(int descriptor) {
  change_generation(descriptor);
  if (descriptor >= 0 && descriptor < max_descriptors) file_of_descriptor[descriptor] = 0;
}

void file_opened(int descriptor, const OpenedAs& as, FileName& room) {
  if (descriptor < 0) return;
  change_generation(descriptor);
  const uint32_t file = look_up(descriptor, as, room);
  if (descriptor < max_descriptors) {
    file_of_descriptor[descriptor] = file;
    if (descriptor > highest_descriptor) highest_descriptor = descriptor;
  }
  __atomic_add_fetch(&log->file[file].opens, 1, __ATOMIC_RELAXED);
}

void descriptor_copied(int descriptor, int copy) {
  change_generation(copy);
  if (copy < 0 || copy >= max_descriptors) return;
  file_of_descriptor[copy] = known_file_of(descriptor);
  if (copy > highest_descriptor) highest_descriptor = copy;
}

// The kernel is asked: fopen() knows only its mode, and nobody knows how an inherited descriptor
// was opened.
void note_flags(int descriptor) {
  const uint32_t file = known_file_of(descriptor);
  const int flags = file == 0 ? -1 : real().fcntl(descriptor, F_GETFL);
  if (flags < 0) return;
  __atomic_fetch_or(&log->file[file].flags, static_cast<uint32_t>(flags), __ATOMIC_RELAXED);
}

void forget_descriptors(int first, int last) {
  if (last > highest_descriptor) last = highest_descriptor;
  for (int descriptor = first; descriptor <= last; ++descriptor) {
    if (file_of_descriptor[descriptor] != 0) forget_descriptor(descriptor);
  }
}

void look_at_sizes() {
  for (int descriptor = 0; descriptor <= highest_descriptor; ++descriptor) {
    const uint32_t file = file_of_descriptor[descriptor];
    struct stat status {};
    if (file == 0 || real_fstat(descriptor, status) != 0) continue;
    log->file[file].size_bytes = static_cast<uint64_t>(status.st_size);
  }
}

void forget_all_descriptors() {
  for (int descriptor = 0; descriptor <= highest_descriptor; ++descriptor) {
    file_of_descriptor[descriptor] = 0;
  }
  highest_descriptor = -1;
  for (std::atomic<uint32_t>& file : file_in) file = 0;
  for (std::atomic<uint32_t>& file : file_opened_as) file = 0;
  for (int descriptor = 0; descriptor < generations; ++descriptor) change_generation(descriptor);
}

}  // namespace sluice::preload
