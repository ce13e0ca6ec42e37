#include "counters.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "keep_errno.h"
#include "log_file.h"
#include "real.h"

namespace sluice::preload {

constinit OwnCounters counters;

namespace {

// Maps the log, or other memory, in the place of the counters. The page that lay there may be the
// parent's log, and its contents stay as they are.
bool map_counters(int flags, int descriptor) {
  return real().mmap(&counters, sizeof counters, PROT_READ | PROT_WRITE, MAP_FIXED | flags,
                     descriptor, 0) != MAP_FAILED;
}

}  // namespace

void begin_log(const char* folder) {
  const KeepErrno kept;
  static Counters fresh;  // not on the stack, which clone() may have made small; one thread is here
  fresh.format = log_format;
  fresh.process = getpid();
  strncpy(fresh.program, program_invocation_short_name, sizeof fresh.program - 1);
  fresh.end_of_holding = counters.end_of_holding;  // a forked child does not hold again
  const int descriptor = may_be_as_long(sizeof fresh) ? create_log_file(folder, "counters") : -1;
  const bool has_log = pwrite(descriptor, &fresh, sizeof fresh, 0) == sizeof fresh &&
                       map_counters(MAP_SHARED, descriptor);
  if (has_log || map_counters(MAP_PRIVATE | MAP_ANONYMOUS, -1)) {
    static_cast<Counters&>(counters) = fresh;
  }
  if (descriptor >= 0) close(descriptor);
}

}  // namespace sluice::preload
