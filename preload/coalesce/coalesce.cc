#include "coalesce.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <unistd.h>

#include "borrowed_memory.h"
#include "counters.h"
#include "events.h"
#include "file_system.h"
#include "hook.h"
#include "keep_errno.h"
#include "real.h"
#include "stream.h"

namespace sluice::preload {

constinit bool is_holding = false;
constinit size_t held_descriptors = 0;

namespace {

constexpr size_t max_held_bytes = 65536;
constexpr size_t small_bytes = 4096;
constexpr int max_pieces = 16;
constexpr int max_descriptors = end_of_holdable;

struct FileNumber {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileNumber&) const = default;
  bool is_known() const { return inode != 0; }
};

struct Descriptor {
  char* memory;
  size_t bytes;
  int writes;       // that are held
  int lone_writes;  // that were written out alone, one after the other
  int failed;       // errno of a held write that no call has returned yet
  // The process in which the write failed. A forked child inherits the error, and leaves it to its
  // parent.
  pid_t failed_in;
  size_t lost_bytes;
  bool may_be_held;
  bool is_unknown;  // open, and the kernel was not asked for the file yet
  FileNumber file;
};

constinit Descriptor descriptors[max_descriptors]{};

// Only descriptors below this number have been seen.
constinit int end_of_seen = 3;

// False as long as no descriptor could be held. Until then no descriptor is compared with another.
constinit bool has_holdable = false;

// Files that the program has mapped: their writes are never held.
constexpr size_t max_mapped_files = 64;
constinit FileNumber mapped_files[max_mapped_files]{};
constinit size_t mapped_file_count = 0;

bool is_mapped(const FileNumber& file) {
  for (size_t i = 0; i < mapped_file_count; ++i) {
    if (mapped_files[i] == file) return true;
  }
  return false;
}

// The descriptor may be closed, unseen.
FileNumber file_of(int descriptor) {
  const KeepErrno kept;
  struct stat status {};
  if (real_fstat(descriptor, status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

// A program may open and close streams all the time, and no file of it may be of the right kind. So
// the kernel is asked when a file of the right kind has to be compared with the open ones.
void learn_unknown() {
  for (int i = 3; i < end_of_seen; ++i) {
    Descriptor& descriptor = descriptors[i];
    if (!descriptor.is_unknown) continue;
    descriptor.is_unknown = false;
    descriptor.file = file_of(i);
  }
}

// A child of vfork() finds nothing: what it opens, writes and closes is not the parent's.
Descriptor* find(int descriptor) {
  const bool known = descriptor > 2 && descriptor < max_descriptors && !is_child_of_vfork();
  return known ? &descriptors[descriptor] : nullptr;
}

void count_not_held(NotHeld why) { ++counters.openings_not_held[static_cast<size_t>(why)]; }

void hold_no_longer(Descriptor& descriptor, NotHeld why) {
  if (descriptor.may_be_held) count_not_held(why);
  descriptor.may_be_held = false;
}

// Returns the reason why writes by a descriptor with these flags cannot be held, or NotHeld::count.
NotHeld refusal_of(int flags) {
  if ((flags & O_APPEND) != 0) return NotHeld::append;
  if ((flags & (O_SYNC | O_DSYNC | O_DIRECT)) != 0) return NotHeld::synchronous;
  return (flags & O_ACCMODE) == O_WRONLY ? NotHeld::count : NotHeld::readable;
}

// The file system is asked last, because the question is a system call.
bool is_plain_file(int descriptor) {
  struct stat status {};
  return real_fstat(descriptor, status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1 &&
         writes_only_store(descriptor);
}

// True if another descriptor leads to the same file: the order of writes by several descriptors
// matters.
bool is_shared(int descriptor, const FileNumber& file) {
  for (int i = 0; i < end_of_seen; ++i) {
    if (i != descriptor && (i <= 2 ? file_of(i) : descriptors[i].file) == file) return true;
  }
  return false;
}

bool has_memory(Descriptor& descriptor) {
  if (descriptor.memory != nullptr) return true;
  void* const memory = real().mmap(nullptr, max_held_bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  descriptor.memory = static_cast<char*>(memory);
  return true;
}

// Holding a write costs a question to the kernel. If each write is written out before the next one
// comes, nothing is gained.
void count_lone_write(Descriptor& descriptor) {
  constexpr int too_many = 256;
  descriptor.lone_writes = descriptor.writes == 1 ? descriptor.lone_writes + 1 : 0;
  descriptor.writes = 0;
  if (descriptor.lone_writes == too_many) hold_no_longer(descriptor, NotHeld::lone);
}

// Bytes that cannot be written are lost, as they are for a program whose write(2) fails; the error
// is kept. A program may have a write() of its own, which calls functions that write all held bytes
// out: these bytes do not count as held any more by then.
void write_out(int number, Descriptor& descriptor) {
  if (descriptor.bytes == 0) return;
  const KeepErrno kept;
  const size_t bytes = descriptor.bytes;
  descriptor.bytes = 0;
  --held_descriptors;
  count_lone_write(descriptor);
  size_t written = 0;
  while (written < bytes && descriptor.failed == 0) {
    const ssize_t result = real().write(number, descriptor.memory + written, bytes - written);
    if (result > 0) {
      written += static_cast<size_t>(result);
    } else if (result == 0 || errno != EINTR) {
      descriptor.failed = result == 0 ? EIO : errno;
      descriptor.lost_bytes = 0;
      descriptor.failed_in = getpid();
    }
  }
  descriptor.lost_bytes += bytes - written;
  --counters.saved_calls;
}

// An error is kept after the program has started a thread, although this ends all holding. Only one
// of several threads gets the error.
int forget_error(Descriptor& descriptor) {
  return __atomic_exchange_n(&descriptor.failed, 0, __ATOMIC_RELAXED);
}

bool has_own_error(const Descriptor& descriptor) {
  return descriptor.failed != 0 && descriptor.failed_in == getpid();
}

bool is_open_for_same_file(int number, const Descriptor& descriptor) {
  return file_of(number) == descriptor.file;
}

// If the descriptor leads to another file by now, the name of the first file cannot be found any
// more.
void tell_of_lost_writes(int number, Descriptor& descriptor) {
  if (!has_own_error(descriptor)) return;
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", number);
  char name[256] = "a file";
  const ssize_t length =
      is_open_for_same_file(number, descriptor) ? readlink(link, name, sizeof name - 1) : 0;
  if (length > 0) name[length] = '\0';
  char line[512];
  const int bytes = snprintf(
      line, sizeof line, "sluice run: %s: %zu bytes that the program has written are lost: %s\n",
      name, descriptor.lost_bytes, strerror(descriptor.failed));
  if (bytes > 0) real().write(STDERR_FILENO, line, static_cast<size_t>(bytes));
}

// Returns the error that the program's present call on the descriptor must return, or 0. If the
// descriptor leads to another file by now, prints the error and returns 0.
[[gnu::noinline]] int take_own_error(int number, Descriptor& descriptor) {
  const bool is_same = is_open_for_same_file(number, descriptor);
  if (!is_same) tell_of_lost_writes(number, descriptor);
  const int error = forget_error(descriptor);
  return is_same ? error : 0;
}

inline int take_error(int number, Descriptor& descriptor) {
  return has_own_error(descriptor) ? take_own_error(number, descriptor) : 0;
}

// Returns 0 for writes that are not held: empty writes, large writes, and writes that the kernel
// would refuse.
size_t bytes_to_hold(const iovec* pieces, int count) {
  size_t bytes = 0;
  if (!may_be_memory(pieces)) return 0;
  for (int i = 0; i < count; ++i) {
    if (count > max_pieces || pieces[i].iov_len > small_bytes - bytes) return 0;
    if (pieces[i].iov_len > 0 && !may_be_memory(pieces[i].iov_base)) return 0;
    bytes += pieces[i].iov_len;
  }
  return bytes;
}

// Does the work of hold() for a write that is the first one to be held, or has no room behind the
// others. The descriptor may lead to another file, because it was closed and opened in ways that
// the hooks do not see.
[[gnu::noinline]] long make_room(int number, Descriptor& descriptor, size_t bytes) {
  write_out(number, descriptor);
  if (const int error = take_error(number, descriptor); error != 0) return -error;
  if (bytes == 0 || !has_memory(descriptor)) return 0;
  descriptor.may_be_held = is_open_for_same_file(number, descriptor);
  return descriptor.may_be_held ? static_cast<long>(bytes) : 0;
}

void copy_pieces(Descriptor& descriptor, const iovec* pieces, int count) {
  if (descriptor.bytes == 0) ++held_descriptors;
  ++descriptor.writes;
  ++counters.held_writes;
  ++counters.saved_calls;
  for (int i = 0; i < count; ++i) {
    memcpy(descriptor.memory + descriptor.bytes, pieces[i].iov_base, pieces[i].iov_len);
    descriptor.bytes += pieces[i].iov_len;
  }
}

// True if the caller of fopen() is std::ofstream, which writes to the descriptor. Other callers
// write to the stream. The system calls that glibc makes for a stream cannot be ordered with held
// writes. (dladdr() would compare all names of the C++ library, which takes 32 us, see
// docs/measured/coalesce-openings.txt.)
bool is_iostream(const void* caller) {
  dl_find_object found{};
  if (_dl_find_object(const_cast<void*>(caller), &found) != 0) return false;
  const char* const path = found.dlfo_link_map->l_name;
  const char* const slash = strrchr(path, '/');
  const char* const name = slash == nullptr ? path : slash + 1;
  return strncmp(name, "libstdc++.so", strlen("libstdc++.so")) == 0 ||
         strncmp(name, "libc++.so", strlen("libc++.so")) == 0;
}

// The constructors of the program's libraries have run before.
[[gnu::constructor]] void begin_holding() {
  is_holding = counters.end_of_holding == EndOfHolding::none;
}

// The destructors of the program's own objects have run before. Bytes that libraries write after
// this are not held.
[[gnu::destructor]] void end_holding() {
  before_ending();
  is_holding = false;
}

}  // namespace

void stream_opened(const FILE* stream, const void* caller) {
  if (!is_holding) return;
  if (is_iostream(caller)) return may_hold(stream->_fileno);
  may_not_hold(stream->_fileno);
  if ((stream->_flags & stream_no_writes) == 0) count_not_held(NotHeld::stream);
}

void stream_reopened(int descriptor) { may_not_hold(descriptor); }

void may_not_hold(int descriptor, NotHeld why) {
  // A descriptor outside of the table could lead to the same file as a descriptor in it, and
  // nothing would show this.
  if (is_holding && descriptor >= max_descriptors) give_up_holding(EndOfHolding::descriptor);
  Descriptor* const found = is_holding ? find(descriptor) : nullptr;
  if (found == nullptr) return;
  if (descriptor >= end_of_seen) end_of_seen = descriptor + 1;
  if (!has_holdable) {
    found->is_unknown = true;
    return;
  }
  const FileNumber file = file_of(descriptor);
  if (!file.is_known()) return;
  if (found->file != file) tell_of_lost_writes(descriptor, *found);
  if (found->file != file || !has_own_error(*found)) forget_error(*found);
  if (found->file != file) found->may_be_held = false;
  hold_no_longer(*found, why);
  found->file = file;
  for (int i = 3; i < end_of_seen; ++i) {
    if (i == descriptor || descriptors[i].file != file) continue;
    write_out(i, descriptors[i]);
    hold_no_longer(descriptors[i], why);
  }
}

void may_hold(int descriptor) {
  may_not_hold(descriptor);
  Descriptor* const found = is_holding ? find(descriptor) : nullptr;
  if (found == nullptr) return;
  const long flags = real().syscall(SYS_fcntl, descriptor, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) return;
  // A program may open a file to append for each line: the flags alone are asked for then.
  NotHeld refusal = refusal_of(static_cast<int>(flags));
  if (refusal == NotHeld::count && !is_plain_file(descriptor)) refusal = NotHeld::special;
  if (refusal == NotHeld::count) {
    learn_unknown();
    const bool has_others = is_mapped(found->file) || is_shared(descriptor, found->file);
    if (has_others) refusal = NotHeld::shared;
  }
  found->may_be_held = refusal == NotHeld::count;
  has_holdable = has_holdable || found->may_be_held;
  if (!found->may_be_held) count_not_held(refusal);
}

void may_not_hold_mapped(int descriptor) {
  struct stat status {};
  if (!is_holding || real_fstat(descriptor, status) != 0 || !S_ISREG(status.st_mode)) return;
  may_not_hold(descriptor);
  const FileNumber file{status.st_dev, status.st_ino};
  if (is_mapped(file)) return;
  if (mapped_file_count == max_mapped_files) {
    give_up_holding(EndOfHolding::mappings);
  } else {
    mapped_files[mapped_file_count++] = file;
  }
}

void give_up_holding(EndOfHolding why) {
  if (counters.end_of_holding == EndOfHolding::none) counters.end_of_holding = why;
  write_all_held();
  is_holding = false;
}

int stop_holding(int descriptor) {
  const int failed = take_held_error(descriptor);
  if (Descriptor* const found = find(descriptor)) {
    found->may_be_held = false;
    found->is_unknown = false;
    found->file = {};
  }
  return failed;
}

void stop_holding_all() {
  if (!is_holding) return;
  for (int i = 3; i < end_of_seen; ++i) {
    write_out(i, descriptors[i]);
    hold_no_longer(descriptors[i], NotHeld::process);
  }
}

// Whoever ends the holding has written the bytes before.
bool hold_behind_others(int descriptor, const void* data, size_t bytes) {
  Descriptor* const found = find(descriptor);
  if (found == nullptr || found->bytes == 0 || __libc_single_threaded == 0) return false;
  const size_t room = max_held_bytes - found->bytes;
  if (bytes == 0 || bytes > small_bytes || bytes > room || !may_be_memory(data)) return false;
  const iovec piece{const_cast<void*>(data), bytes};
  copy_pieces(*found, &piece, 1);
  return true;
}

long hold(int descriptor, const iovec* pieces, int count) {
  Descriptor* const found = find(descriptor);
  if (found == nullptr) return 0;
  if (const int error = take_error(descriptor, *found); error != 0) return -error;
  if (__libc_single_threaded == 0 || !is_holding || !found->may_be_held) return 0;
  const size_t bytes = bytes_to_hold(pieces, count);
  const bool is_next = found->bytes > 0 && bytes > 0 && bytes <= max_held_bytes - found->bytes;
  const long held = is_next ? static_cast<long>(bytes) : make_room(descriptor, *found, bytes);
  if (held > 0) copy_pieces(*found, pieces, count);
  return held;
}

void tell_of_lost_writes() {
  for (int i = 3; i < end_of_seen; ++i) tell_of_lost_writes(i, descriptors[i]);
}

// Prints the errors of held writes that no call has returned.
void before_closing(unsigned first, unsigned last) {
  write_all_held();
  for (unsigned i = first; i < max_descriptors && i <= last; ++i) {
    const auto number = static_cast<int>(i);
    Descriptor* const found = find(number);
    if (found == nullptr) continue;
    write_out(number, *found);
    tell_of_lost_writes(number, *found);
    stop_holding(number);
  }
}

void write_all_held() {
  if (held_descriptors == 0) [[likely]]
    return;
  for (int i = 3; i < end_of_seen && held_descriptors > 0; ++i) write_out(i, descriptors[i]);
}

int take_held_error(int descriptor) {
  Descriptor* const found = find(descriptor);
  if (found == nullptr) return 0;
  write_out(descriptor, *found);
  return take_error(descriptor, *found);
}

}  // namespace sluice::preload
