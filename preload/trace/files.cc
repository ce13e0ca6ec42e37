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

// The files by device and inode. A bucket has the place of a file in the lower bits, and bits of
// its hash above, so that other files are passed over without a look at them.
constinit std::atomic<uint32_t> file_in[buckets]{};
constexpr uint32_t place_bits = max_files - 1;
static_assert((max_files & place_bits) == 0, "places fill the lower bits of a bucket");

bool is_same(const FileEntry& entry, const struct stat& status) {
  return entry.device == status.st_dev && entry.inode == status.st_ino;
}

uint32_t add_file(const struct stat& status, const char* name) {
  const uint32_t place = new_file();
  if (place == other_files) return other_files;
  FileEntry& entry = log->file[place];
  entry.kind = status.st_mode & S_IFMT;
  entry.name = keep_text(name);
  entry.device = status.st_dev;
  entry.inode = status.st_ino;
  entry.size_bytes = static_cast<uint64_t>(status.st_size);
  return place;
}

uint64_t hash_of(const struct stat& status) {
  return (status.st_ino + status.st_dev * 31) * 0x9E3779B97F4A7C15;
}

uint32_t bits_of(uint64_t hash) { return static_cast<uint32_t>(hash) & ~place_bits; }

uint64_t hash_of(const char* name, uint64_t hash) {
  for (const char* c = name; *c != '\0'; ++c) hash = hash * 31 + static_cast<unsigned char>(*c);
  return hash;
}

// Calls look(place) for each file of this device and inode until one is taken. A file may have
// several names. Returns the bucket for a further name, or nullptr if there is none.
template <typename Look>
std::atomic<uint32_t>* look_through(const struct stat& status, Look look) {
  const uint64_t hash = hash_of(status);
  const uint32_t bits = bits_of(hash);
  for (size_t i = 0; i < 32; ++i) {
    std::atomic<uint32_t>& bucket = file_in[((hash >> 32) + i) % buckets];
    const uint32_t found = bucket;
    if (found == 0) return &bucket;
    if ((found & ~place_bits) != bits) continue;
    const uint32_t place = found & place_bits;
    if (is_same(log->file[place], status) && look(place)) return nullptr;
  }
  return nullptr;
}

// Asking for a name takes longer than all else. If the log has no room for further files, only the
// files that are in the log already need a name.
bool may_be_in_log(const struct stat& status) {
  if (log->files < other_files) return true;
  bool is_there = false;
  look_through(status, [&](uint32_t) { return is_there = true; });
  return is_there;
}

uint32_t find_file(const struct stat& status, const char* name) {
  uint32_t known = 0;
  std::atomic<uint32_t>* const bucket = look_through(status, [&](uint32_t place) {
    FileEntry& entry = log->file[place];
    if (strcmp(log->texts + entry.name, name) != 0) return false;
    const auto size_bytes = static_cast<uint64_t>(status.st_size);
    if (size_bytes > entry.size_bytes) entry.size_bytes = size_bytes;
    known = place;
    return true;
  });
  if (known != 0) return known;
  const uint32_t added = add_file(status, name);
  if (added == other_files) {
    note_other_file(status.st_mode & S_IFMT, 0);
  } else if (bucket != nullptr) {
    *bucket = bits_of(hash_of(status)) | added;
  }
  return added;
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
  if (!may_be_in_log(status)) {
    note_other_file(status.st_mode & S_IFMT, 0);
    return other_files;
  }
  return as.path == nullptr ? find_named(descriptor, status, room)
                            : find_opened(descriptor, status, as, room);
}

}  // namespace

void note_other_file(uint32_t kind, uint32_t flags) {
  FileEntry& entry = log->file[other_files];
  if (entry.name == 0) {
    entry.name = keep_text("(other files)");
    entry.kind = kind;
  }
  if (entry.kind != kind) entry.kind = 0;
  entry.flags |= flags;
}

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
  clear_table(file_in);
  clear_table(file_opened_as);
  for (int descriptor = 0; descriptor < generations; ++descriptor) change_generation(descriptor);
}

}  // namespace sluice::preload
