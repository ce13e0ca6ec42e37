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
  const int error = get_piece(0);
  if (error == 0) return true;
  if (error != EINVAL || posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)) != 0) {
    return false;
  }
  memset(had_, 0xFF, sizeof had_);
  return true;
}

int Room::get_piece(size_t piece) {
  const size_t offset = piece * piece_bytes;
  const size_t rest = bytes_ - offset;
  const size_t bytes = rest < piece_bytes ? rest : piece_bytes;
  const int error_of_program = errno;
  // Returns an error where writing would raise a signal.
  const int error = madvise(memory_ + offset, bytes, MADV_POPULATE_WRITE) == 0 ? 0 : errno;
  errno = error_of_program;
  if (error == 0) {
    __atomic_fetch_or(&had_[piece / 64], uint64_t{1} << piece % 64, __ATOMIC_RELAXED);
  }
  return error;
}

}  // namespace sluice::preload
