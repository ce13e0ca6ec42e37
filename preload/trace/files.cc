#include "files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "counters.h"
#include "events.h"
#include "keep_errno.h"
#include "log_file.h"
#include "place_table.h"
#include "real.h"
#include "recorder.h"

namespace sluice::preload {

namespace {

constexpr int max_descriptors = 65536;
SLUICE_FAR constinit std::atomic<uint32_t> file_of_descriptor[max_descriptors]{};
constinit std::atomic<int> highest_descriptor = -1;
constinit std::atomic<bool> has_new_files = false;  // since note_shared_files()

void remember(int descriptor, uint32_t file) {
  if (descriptor < 0 || descriptor >= max_descriptors) return;
  file_of_descriptor[descriptor] = file;
  has_new_files = true;
  if (descriptor > highest_descriptor) highest_descriptor = descriptor;
}

// The files by device, inode and the path by which they were opened. Asking for a file's name takes
// as long as opening it. If the same path leads to the same file again, the name is known.
SLUICE_FAR constinit FarPlaces<max_files> far_files{};
constinit PlaceTable<far_files> places{};

uint64_t hash_of(const struct stat& status, const char* path) {
  return hash_of_text((status.st_ino + status.st_dev * 31) * 0x9E3779B97F4A7C15, path);
}

// SOCK_STREAM and the like.
uint64_t type_of_socket(int descriptor) {
  int type = 0;
  socklen_t bytes = sizeof type;
  real().syscall(SYS_getsockopt, descriptor, SOL_SOCKET, SO_TYPE, &type, &bytes);
  return static_cast<uint64_t>(type);
}

uint32_t add_file(int descriptor, const struct stat& status, uint64_t opened_as, const char* name) {
  const uint32_t place = new_file();
  if (place == other_files) return other_files;
  FileEntry& entry = log->file(place);
  entry.kind = status.st_mode & S_IFMT;
  entry.name = keep_text(name);
  entry.device = status.st_dev;
  entry.inode = status.st_ino;
  entry.opened_as = opened_as;
  entry.first_bytes =
      S_ISSOCK(status.st_mode) ? type_of_socket(descriptor) : static_cast<uint64_t>(status.st_size);
  return place;
}

// Empty if the kernel does not tell it.
const char* name_of(int descriptor, FileName& room) {
  char link[32];
  *append_number(stpcpy(link, "/proc/self/fd/"), static_cast<unsigned>(descriptor)) = '\0';
  const long length =
      real().syscall(SYS_readlinkat, AT_FDCWD, link, room.text, sizeof room.text - 1);
  room.text[length < 0 ? 0 : length] = '\0';
  return room.text;
}

// The name of a file that was opened by its name in an open folder, not by way of a link. If the
// folder was renamed since it was opened, the file gets the old name.
bool name_in_folder(int folder, const char* path, FileName& room) {
  const uint32_t place = known_file_of(folder);
  const FileEntry& entry = log->file(place);
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

const char* name_of_opened(int descriptor, const Name& as, FileName& room) {
  const bool is_made = as.is_no_link && name_in_folder(as.folder, as.text, room);
  return is_made ? room.text : name_of(descriptor, room);
}

void note_size(uint32_t file, const struct stat& status) {
  const auto bytes = static_cast<uint64_t>(status.st_size);
  uint64_t& known = log->file(file).size_bytes;
  if (file == other_files || bytes <= __atomic_load_n(&known, __ATOMIC_RELAXED)) return;
  __atomic_store_n(&known, bytes, __ATOMIC_RELAXED);
}

// If the log has no room for further files, only a file that is opened by a known path is found.
uint32_t look_up(int descriptor, const Name& as, FileName& room) {
  const KeepErrno kept;
  struct stat status {};
  if (real_fstat(descriptor, status) != 0) return 0;
  const bool has_room = log->files < other_files;
  const bool is_opened = as.text != nullptr;
  const char* const path = is_opened ? as.text : has_room ? name_of(descriptor, room) : "";
  const uint64_t hash = hash_of(status, path);
  const uint32_t place = places.find(
      hash, [&](uint32_t known) { return log->file(known).opened_as == hash; },
      [&] {
        if (!has_room) return other_files;
        return add_file(descriptor, status, hash,
                        is_opened ? name_of_opened(descriptor, as, room) : path);
      });
  if (place == other_files) note_other_file(status.st_mode & S_IFMT, 0);
  note_size(place, status);
  return place;
}

// True if look(file) is true for a file that may be held by `sluice run --coalesce`.
template <typename Look>
bool any_holdable(Look look) {
  for (int i = 0; i <= highest_descriptor && i < end_of_holdable; ++i) {
    if (file_of_descriptor[i] != 0 && look(file_of_descriptor[i].load())) return true;
  }
  return false;
}

bool is_open(uint32_t file) {
  return any_holdable([&](uint32_t other) { return other == file; });
}

}  // namespace

void note_other_file(uint32_t kind, uint32_t flags) {
  FileEntry& entry = log->file(other_files);
  if (entry.name == 0) {
    entry.name = keep_text("(other files)");
    entry.kind = kind;
  }
  if (entry.kind != kind) entry.kind = 0;
  entry.flags |= flags;
}

uint32_t file_of(int descriptor, FileName& room) {
  if (descriptor < 0 || descriptor >= max_descriptors) return 0;
  if (file_of_descriptor[descriptor] == 0) remember(descriptor, look_up(descriptor, {}, room));
  return file_of_descriptor[descriptor];
}

uint32_t known_file_of(int descriptor) {
  return descriptor < 0 || descriptor >= max_descriptors ? 0
                                                         : file_of_descriptor[descriptor].load();
}

void forget_descriptor(int descriptor) {
  if (descriptor >= 0 && descriptor < max_descriptors) file_of_descriptor[descriptor] = 0;
  change_generation(descriptor);  // after the file: a thread that has the new one knows the file
}

void file_opened(int descriptor, const Name& as, FileName& room) {
  if (descriptor < 0) return;
  forget_descriptor(descriptor);
  const uint32_t file = look_up(descriptor, as, room);
  if (descriptor >= end_of_holdable) before_other_code(EndOfHolding::descriptor);
  if (log->file(file).opens > 0 && is_open(file)) note_shared(file);
  remember(descriptor, file);
  __atomic_add_fetch(&log->file(file).opens, 1, __ATOMIC_RELAXED);
}

void note_shared(uint32_t file) { log->file(file).shared = 1; }

void note_shared_files() {
  if (!has_new_files.exchange(false)) return;
  any_holdable([](uint32_t file) {
    note_shared(file);
    return false;
  });
}

void descriptor_copied(int descriptor, int copy) {
  note_shared(known_file_of(descriptor));
  remember(copy, known_file_of(descriptor));
  change_generation(copy);  // after the file, as above
}

// The kernel is asked: fopen() knows only its mode, and nobody knows how an inherited descriptor
// was opened.
void note_flags(int descriptor) {
  const uint32_t file = known_file_of(descriptor);
  const long flags = file == 0 ? -1 : real().syscall(SYS_fcntl, descriptor, F_GETFL);
  if (flags < 0) return;
  __atomic_fetch_or(&log->file(file).flags, static_cast<uint32_t>(flags), __ATOMIC_RELAXED);
}

void forget_descriptors(unsigned first, unsigned last) {
  const auto highest = static_cast<unsigned>(highest_descriptor);
  for (unsigned i = first; i <= last && i <= highest; ++i) {
    if (file_of_descriptor[i] != 0) forget_descriptor(static_cast<int>(i));
  }
}

void look_at_size(int descriptor) {
  const KeepErrno kept;
  const uint32_t file = known_file_of(descriptor);
  struct stat status {};
  if (file != 0 && real_fstat(descriptor, status) == 0) note_size(file, status);
}

void look_at_sizes() {
  for (int descriptor = 0; descriptor <= highest_descriptor; ++descriptor) look_at_size(descriptor);
}

void forget_all_descriptors() {
  for (int descriptor = 0; descriptor <= highest_descriptor; ++descriptor) {
    file_of_descriptor[descriptor] = 0;
  }
  highest_descriptor = -1;
  places.clear();
  change_all_generations();
}

}  // namespace sluice::preload
