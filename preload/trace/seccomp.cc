// Ends the log before the process enters seccomp. After that the kernel may end the process for an
// unexpected system call, such as a hook may make. So nothing is recorded from then on, and the
// recorder makes no system call.
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"
#include "hook.h"
#include "maps.h"
#include "real.h"
#include "recorder.h"

namespace sluice::preload {
namespace {

// A call with a null filter is a question, which the kernel answers with an error.
bool begins_by_prctl(long option, long mode, long filter) {
  if (option != PR_SET_SECCOMP) return false;
  return mode == SECCOMP_MODE_STRICT || (mode == SECCOMP_MODE_FILTER && filter != 0);
}

bool begins_by_number(long number, const long (&arguments)[6]) {
  if (number == SYS_prctl) return begins_by_prctl(arguments[0], arguments[1], arguments[2]);
  if (number != SYS_seccomp) return false;
  return arguments[0] == SECCOMP_SET_MODE_STRICT ||
         (arguments[0] == SECCOMP_SET_MODE_FILTER && arguments[2] != 0);
}

// A request that the kernel refuses changes nothing.
template <typename Work>
auto enter_seccomp(Work work) {
  const bool was_recording = is_recording();
  if (was_recording) {
    look_at_sizes();
    count_faults();
  }
  end_before_seccomp();
  const auto result = work();
  if (result < 0) resume_without_seccomp(was_recording);
  return result;
}

}  // namespace

SLUICE_HOOK int prctl(int option, ...) noexcept {
  SLUICE_LONGS_BEHIND(option, 4)
  const auto work = [&] {
    return real().prctl(option, arguments[0], arguments[1], arguments[2], arguments[3]);
  };
  return begins_by_prctl(option, arguments[0], arguments[1]) ? enter_seccomp(work) : work();
}

// The hooks' own calls come here too.
SLUICE_HOOK long syscall(long number, ...) noexcept {
  SLUICE_LONGS_BEHIND(number, 6)
  const auto work = [&] {
    return real().syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
                          arguments[4], arguments[5]);
  };
  return begins_by_number(number, arguments) ? enter_seccomp(work) : work();
}

}  // namespace sluice::preload
