// A library that maps memory as a kernel does whose pages have 64 KiB.
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uintptr_t page_bytes = 65536;

void* mmap(void* address, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  if ((flags & MAP_FIXED) != 0) {
    if ((uintptr_t)address % page_bytes != 0) {
      errno = EINVAL;
      return MAP_FAILED;
    }
    bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  }
  return (void*)syscall(SYS_mmap, address, bytes, protection, flags, descriptor, offset);
}
