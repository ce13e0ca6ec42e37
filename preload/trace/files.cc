#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>

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

uint32_t find_file(const struct stat& status, const char* name) {
  uint64_t hash = status.st_ino * 0x9E3779B97F4A7C15 + status.st_dev;
  for (const char* c = name; *c != '\0'; ++c) hash = hash * 31 + static_cast<unsigned char>(*c);
  for (size_t i = 0; i < 32; ++i) {
    std::atomic<uint32_t>& bucket = file_in[(hash + i) % buckets];
    if (bucket == 0) return bucket = add_file(status, name);
    if (is_same(log->file[bucket], status, name)) return bucket;
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

// The flags are asked of the kernel: fopen() knows only its mode, and for an inherited descriptor
// nothing is known.
void note_flags(int descriptor, FileEntry& entry) {
  const int flags = real().fcntl(descriptor, F_GETFL);
  if (flags >= 0) __atomic_fetch_or(&entry.flags, static_cast<uint32_t>(flags), __ATOMIC_RELAXED);
}

uint32_t look_up(int descriptor, FileName& room) {
  const int error = errno;
  struct stat status {};
  const ssize_t length = readlink(Link(descriptor).text, room.text, sizeof room.text - 1);
  uint32_t place = 0;
  if (length > 0 && real_fstat(descriptor, status) == 0) {
    room.text[length] = '\0';
    place = find_file(status, room.text);
    note_flags(descriptor, log->file[place]);
  }
  errno = error;
  return place;
}

}  // namespace

uint32_t file_of(int descriptor, FileName& room) {
  if (descriptor < 0 || descriptor >= max_descriptors) return 0;
  std::atomic<uint32_t>& file = file_of_descriptor[descriptor];
  if (file == 0) {
    file = look_up(descriptor, room);
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
  if (descriptor < 0 || descriptor >= max_descriptors) return;
  // The size that the file has in the end.
  const uint32_t file = file_of_descriptor[descriptor].exchange(0);
  struct stat status {};
  if (file != 0 && real_fstat(descriptor, status) == 0) {
    log->file[file].size_bytes = static_cast<uint64_t>(status.st_size);
  }
}

void file_opened(int descriptor, FileName& room) {
  if (descriptor < 0) return;
  if (descriptor < max_descriptors) file_of_descriptor[descriptor] = 0;
  change_generation(descriptor);
  const uint32_t file = file_of(descriptor, room);
  __atomic_add_fetch(&log->file[file].opens, 1, __ATOMIC_RELAXED);
}

void descriptor_copied(int descriptor, int copy) {
  change_generation(copy);
  if (copy < 0 || copy >= max_descriptors) return;
  file_of_descriptor[copy] = known_file_of(descriptor);
  if (copy > highest_descriptor) highest_descriptor = copy;
}

void flags_changed(int descriptor) {
  if (const uint32_t file = known_file_of(descriptor)) note_flags(descriptor, log->file[file]);
}

void forget_descriptors(int first, int last) {
  if (last > highest_descriptor) last = highest_descriptor;
  for (int descriptor = first; descriptor <= last; ++descriptor) {
    if (file_of_descriptor[descriptor] != 0) forget_descriptor(descriptor);
  }
}

void look_at_sizes() { forget_descriptors(0, max_descriptors); }

void forget_all_descriptors() {
  for (int descriptor = 0; descriptor <= highest_descriptor; ++descriptor) {
    file_of_descriptor[descriptor] = 0;
  }
  highest_descriptor = -1;
  for (std::atomic<uint32_t>& file : file_in) file = 0;
  for (int descriptor = 0; descriptor < generations; ++descriptor) change_generation(descriptor);
}

}  // namespace sluice::preload
