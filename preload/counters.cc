#include "counters.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sluice::preload {

constinit Counters counters;

namespace {

int create_record(const char* folder) {
  char path[4096];
  // A process that execs keeps its number: the next free suffix tells the programs apart.
  for (int suffix = 0; suffix < 1000; ++suffix) {
    const int length =
        snprintf(path, sizeof path, "%s/%d.%d", folder, static_cast<int>(getpid()), suffix);
    if (length < 0 || static_cast<size_t>(length) >= sizeof path) return -1;
    const int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

// Puts the record in the counters' place; the page that lay there may be a parent's, and is left as
// it is.
bool map_record(const Counters& fresh, int descriptor) {
  if (pwrite(descriptor, &fresh, sizeof fresh, 0) != sizeof fresh) return false;
  return mmap(&counters, sizeof counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
              descriptor, 0) != MAP_FAILED;
}

void count_without_record(const Counters& fresh) {
  if (mmap(&counters, sizeof counters, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
    counters = fresh;
  }
}

}  // namespace

void begin_record(const char* folder) {
  const int error = errno;
  Counters fresh;
  fresh.process = getpid();
  strncpy(fresh.program, program_invocation_short_name, sizeof fresh.program - 1);
  const int descriptor = create_record(folder);
  if (descriptor < 0 || !map_record(fresh, descriptor)) count_without_record(fresh);
  if (descriptor >= 0) close(descriptor);
  errno = error;
}

}  // namespace sluice::preload
