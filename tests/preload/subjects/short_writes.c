// A library whose write() stops early, as write(2) does if a signal comes or a disk is almost full.
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t write(int descriptor, const void* data, size_t bytes) {
  static int calls;
  if (++calls % 3 == 0) {
    errno = EINTR;
    return -1;
  }
  return syscall(SYS_write, descriptor, data, bytes < 7 ? bytes : 7);
}
