#include "counters.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "keep_errno.h"
#include "log_file.h"
#include "real.h"

namespace sluice::preload {

constinit OwnCounters counters;
constinit bool takes_locks = false;

namespace {

// Maps the log in the place of the counters. The page that lay there may be the parent's log, and
// its contents stay as they are.
bool map_log(const Counters& fresh, int descriptor) {
  if (pwrite(descriptor, &fresh, sizeof fresh, 0) != sizeof fresh) return false;
  return real().mmap(&counters, sizeof counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                     descriptor, 0) != MAP_FAILED;
}

void count_without_log(const Counters& fresh) {
  if (mmap(&counters, sizeof counters, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
    static_cast<Counters&>(counters) = fresh;
  }
}

}  // namespace

void begin_log(const char* folder) {
  const KeepErrno kept;
  takes_locks = false;    // a forked child has to note in its own log that it takes locks
  static Counters fresh;  // not on the stack, which clone() may have made small; one thread is here
  fresh.format = log_format;
  fresh.process = getpid();
  strncpy(fresh.program, program_invocation_short_name, sizeof fresh.program - 1);
  fresh.end_of_holding = counters.end_of_holding;  // a forked child does not hold again
  const int descriptor = create_log_file(folder, "counters");
  if (descriptor < 0 || !map_log(fresh, descriptor)) count_without_log(fresh);
  if (descriptor >= 0) close(descriptor);
}

}  // namespace sluice::preload
