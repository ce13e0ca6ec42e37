// Ends the log before the process enters seccomp. After that the kernel may end the process for an
// unexpected system call, such as a hook may make. So nothing is recorded from then on, and the
// recorder makes no system call.
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "descriptors.h"
#include "events.h"
#include "files.h"
#include "hook.h"
#include "names.h"
#include "real.h"
#include "recorder.h"
#include "sites.h"

namespace sluice::preload {
namespace {

// A call with a null filter is a question, which the kernel answers with an error.
bool begins_by_prctl(const long* arguments) {
  if (arguments[0] != PR_SET_SECCOMP) return false;
  return arguments[1] == SECCOMP_MODE_STRICT ||
         (arguments[1] == SECCOMP_MODE_FILTER && arguments[2] != 0);
}

bool begins_by_number(long number, const long* arguments) {
  if (number == SYS_prctl) return begins_by_prctl(arguments);
  if (number != SYS_seccomp) return false;
  return arguments[0] == SECCOMP_SET_MODE_STRICT ||
         (arguments[0] == SECCOMP_SET_MODE_FILTER && arguments[2] != 0);
}

// A request that the kernel refuses changes nothing.
template <typename Work>
auto enter_seccomp(Work work) {
  const bool was_recording = is_recording();
  if (was_recording) look_at_sizes();
  end_before_seccomp();
  const auto result = work();
  if (result < 0) resume_without_seccomp(was_recording);
  return result;
}

}  // namespace

SLUICE_WORK(long, sluice_prctl) {
  const auto call = [&] { return static_cast<int>(arguments.call()); };
  return begins_by_prctl(arguments.value) ? enter_seccomp(call) : call();
}
SLUICE_AROUND(sluice_prctl, "prctl");

// The hooks' own calls come here too. Values that the caller has not given are undefined. The C
// library itself passes arguments on in this way.
extern "C" [[gnu::visibility("hidden"), gnu::used]] long sluice_syscall(long number, ...) noexcept {
  long given[6];
  va_list list;
  va_start(list, number);
  for (long& value : given) value = va_arg(list, long);
  va_end(list);
  if (!is_own(__builtin_return_address(0))) before_own_call(number, given);
  if (number == SYS_statx) return statx_by_number(given, SLUICE_CALLER);
  if (number == SYS_copy_file_range) return copy_file_range_by_number(given, SLUICE_CALLER);
  // Between before_own_call() and a fork, is_recording() would forget that a child comes.
  const bool is_unseen_io = number == SYS_io_submit || number == SYS_io_uring_enter;
  if (is_unseen_io && is_recording()) log->unseen_io = 1;
  const auto call = [&] {
    return real().syscall(number, given[0], given[1], given[2], given[3], given[4], given[5]);
  };
  return begins_by_number(number, given) ? enter_seccomp(call) : call();
}

// A child of clone(), clone3() or vfork() may go on with the stack of its parent, which waits. It
// would overwrite the frame of a hook that the parent returns to. So these hooks have none.
#if defined(__x86_64__)
#define SLUICE_UNLESS_CLONE \
  "cmpq $56, %rdi\n je 1f\n cmpq $58, %rdi\n je 1f\n cmpq $435, %rdi\n jne sluice_syscall\n 1:\n"
static_assert(SYS_clone == 56 && SYS_vfork == 58 && SYS_clone3 == 435);
#elif defined(__aarch64__)
#define SLUICE_UNLESS_CLONE "cmp x0, 220\n b.eq 1f\n cmp x0, 435\n b.ne sluice_syscall\n 1:\n"
static_assert(SYS_clone == 220 && SYS_clone3 == 435);
#endif
SLUICE_WORK(void, sluice_before_clone_by_number) {
  before_own_call(arguments.value[0], arguments.value + 1);
}
SLUICE_HOOKS(SLUICE_UNLESS_CLONE, "before", sluice_before_clone_by_number, "syscall");

}  // namespace sluice::preload
