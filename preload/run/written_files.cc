#include "written_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include "buffers.h"
#include "policy.h"
#include "real.h"
#include "same_file.h"

namespace sluice::preload {
namespace {

// A program that writes to more files gets no larger buffers for reading.
constexpr size_t max_files = 64;

struct File {
  dev_t device;
  ino_t inode;
};

constinit File files[max_files]{};
constinit size_t known = 0;

bool is_same(const File& file, const struct stat& status) {
  return file.device == status.st_dev && file.inode == status.st_ino;
}

bool is_known(const struct stat& status) {
  for (size_t i = 0; i < known; ++i) {
    if (is_same(files[i], status)) return true;
  }
  return false;
}

bool is_open_for_writing(int descriptor, struct stat& status) {
  const int flags = real().fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && real().fstat(descriptor, &status) == 0 &&
         S_ISREG(status.st_mode);
}

void remember(const struct stat& status) {
  if (is_known(status)) return;
  if (known < max_files) {
    files[known++] = {status.st_dev, status.st_ino};
    return_to_plain_buffers_of(status);
  } else {
    give_up_larger_reading();
  }
}

}  // namespace

void remember_if_written(int descriptor) {
  if (policy.read_buffer_bytes == 0 || descriptor < 0) return;
  const int error = errno;
  struct stat status {};
  if (is_open_for_writing(descriptor, status)) remember(status);
  errno = error;
}

bool is_written_by_program(const struct stat& status) {
  for (int standard = 0; standard <= 2; ++standard) {
    struct stat written {};
    if (is_open_for_writing(standard, written) && is_same_file(written, status)) return true;
  }
  return is_known(status);
}

}  // namespace sluice::preload
