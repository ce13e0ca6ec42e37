#include "coalesce.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counters.h"
#include "policy.h"

namespace sluice::preload {

constinit size_t held_descriptors = 0;

namespace {

constexpr size_t most_held_bytes = 65536;
constexpr size_t small_bytes = 4096;
constexpr int most_descriptors = 1024;

struct Descriptor {
  char* memory;
  size_t bytes;
  int failed;  // errno of a held write that nobody has been told of
  bool may_be_held;
  dev_t device;
  ino_t inode;
};

constinit Descriptor descriptors[most_descriptors]{};

// One holder at a time, and a signal's handler never inside of it: who finds it taken by its own
// thread, or for long, writes by itself.
constinit bool in_use = false;

class Turn {
 public:
  Turn() {
    for (int tries = 0; tries < 10000 && !taken_; ++tries) {
      taken_ = !__atomic_test_and_set(&in_use, __ATOMIC_ACQUIRE);
    }
  }
  ~Turn() {
    if (taken_) __atomic_clear(&in_use, __ATOMIC_RELEASE);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  bool taken() const { return taken_; }

 private:
  bool taken_ = false;
};

Descriptor* find(int descriptor) {
  const bool known = descriptor > 2 && descriptor < most_descriptors;
  return known ? &descriptors[descriptor] : nullptr;
}

bool is_of_the_right_kind(int descriptor, const struct stat& status) {
  constexpr int excluded = O_APPEND | O_SYNC | O_DSYNC | O_DIRECT;
  const int flags = static_cast<int>(syscall(SYS_fcntl, descriptor, F_GETFL));
  return flags >= 0 && (flags & excluded) == 0 && (flags & O_ACCMODE) == O_WRONLY &&
         S_ISREG(status.st_mode) && status.st_nlink == 1;
}

// Where several descriptors write to a file, it matters who comes first.
bool is_standard(const struct stat& status) {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    struct stat standard {};
    if (fstat(descriptor, &standard) == 0 && standard.st_dev == status.st_dev &&
        standard.st_ino == status.st_ino) {
      return true;
    }
  }
  return false;
}

bool has_memory(Descriptor& descriptor) {
  if (descriptor.memory != nullptr) return true;
  void* const memory =
      mmap(nullptr, most_held_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  descriptor.memory = static_cast<char*>(memory);
  return true;
}

// What cannot be written is lost, as it is for a program whose write(2) fails; the error is kept.
void write_out(int number, Descriptor& descriptor) {
  if (descriptor.bytes == 0) return;
  const int error = errno;
  size_t written = 0;
  while (written < descriptor.bytes && descriptor.failed == 0) {
    const ssize_t result =
        syscall(SYS_write, number, descriptor.memory + written, descriptor.bytes - written);
    if (result >= 0) {
      written += static_cast<size_t>(result);
    } else if (errno != EINTR) {
      descriptor.failed = errno;
    }
  }
  descriptor.bytes = 0;
  --held_descriptors;
  --counters.saved_calls;
  errno = error;
}

int take_error(Descriptor& descriptor) {
  const int failed = descriptor.failed;
  descriptor.failed = 0;
  return failed;
}

size_t total_bytes(const iovec* pieces, int count) {
  size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += pieces[i].iov_len;
  return bytes;
}

void copy_pieces(Descriptor& descriptor, const iovec* pieces, int count) {
  if (descriptor.bytes == 0) ++held_descriptors;
  for (int i = 0; i < count; ++i) {
    memcpy(descriptor.memory + descriptor.bytes, pieces[i].iov_base, pieces[i].iov_len);
    descriptor.bytes += pieces[i].iov_len;
  }
}

}  // namespace

void may_hold(int descriptor) {
  Descriptor* const found = policy.coalesce ? find(descriptor) : nullptr;
  struct stat status {};
  if (found == nullptr || fstat(descriptor, &status) != 0) return;
  const Turn turn;
  found->device = status.st_dev;
  found->inode = status.st_ino;
  found->failed = 0;
  found->may_be_held =
      turn.taken() && is_of_the_right_kind(descriptor, status) && !is_standard(status);
  for (int i = 3; i < most_descriptors; ++i) {
    Descriptor& other = descriptors[i];
    if (i == descriptor || other.inode != status.st_ino || other.device != status.st_dev) continue;
    write_out(i, other);
    other.may_be_held = found->may_be_held = false;
  }
}

int stop_holding(int descriptor) {
  Descriptor* const found = find(descriptor);
  if (found == nullptr || found->inode == 0) return 0;
  const Turn turn;
  write_out(descriptor, *found);
  found->may_be_held = false;
  found->inode = 0;
  return take_error(*found);
}

void stop_holding_all() {
  if (!policy.coalesce) return;
  const Turn turn;
  for (int i = 3; i < most_descriptors; ++i) {
    write_out(i, descriptors[i]);
    descriptors[i].may_be_held = false;
  }
}

bool hold(int descriptor, const iovec* pieces, int count, int& failed) {
  Descriptor* const found = find(descriptor);
  if (found == nullptr || !found->may_be_held) return false;
  const Turn turn;
  if (!turn.taken()) return false;
  const size_t bytes = total_bytes(pieces, count);
  const bool fits = bytes > 0 && bytes <= small_bytes && has_memory(*found);
  if (!fits || bytes > most_held_bytes - found->bytes) write_out(descriptor, *found);
  failed = take_error(*found);
  if (failed != 0) return true;
  if (!fits) return false;
  copy_pieces(*found, pieces, count);
  ++counters.held_writes;
  ++counters.saved_calls;
  return true;
}

void write_held_of(int descriptor) {
  Descriptor* const found = find(descriptor);
  if (found == nullptr || found->bytes == 0) return;
  const Turn turn;
  write_out(descriptor, *found);
}

void write_all_held() {
  if (held_descriptors == 0) return;
  const Turn turn;
  for (int i = 3; i < most_descriptors && held_descriptors > 0; ++i) write_out(i, descriptors[i]);
}

int take_held_error(int descriptor) {
  write_held_of(descriptor);
  Descriptor* const found = find(descriptor);
  return found == nullptr ? 0 : take_error(*found);
}

}  // namespace sluice::preload
