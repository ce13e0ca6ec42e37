#include "room.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

namespace sluice::preload {

// A kernel before 5.14 cannot reserve room for a single page. On such a kernel, begin() reserves
// room for the whole file.
bool Room::begin(void* memory, size_t bytes, int descriptor) {
  memory_ = static_cast<char*>(memory);
  bytes_ = bytes;
  memset(had_, 0, sizeof had_);
  if (get_piece(0)) return true;
  if (errno != EINVAL || posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)) != 0) {
    return false;
  }
  memset(had_, 0xFF, sizeof had_);
  return true;
}

bool Room::get_piece(size_t piece) {
  const size_t offset = piece * piece_bytes;
  const size_t rest = bytes_ - offset;
  const int error = errno;
  // Returns an error where writing would raise a signal.
  if (madvise(memory_ + offset, rest < piece_bytes ? rest : piece_bytes, MADV_POPULATE_WRITE) != 0)
    return false;
  errno = error;
  __atomic_fetch_or(&had_[piece / 64], uint64_t{1} << piece % 64, __ATOMIC_RELAXED);
  return true;
}

}  // namespace sluice::preload
