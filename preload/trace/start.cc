// Runs before the traced program, in every process that it forks, and at its end.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "account.h"
#include "environment.h"
#include "events.h"
#include "files.h"
#include "hook.h"
#include "keep_errno.h"
#include "log_file.h"
#include "real.h"
#include "recorder.h"
#include "sites.h"
#include "sizes.h"

namespace sluice::preload {

void count_what_exit_writes();

namespace {

void start_recording() {
  begin_recording(policy.logs);
  if (!is_recording() || !policy.sizes) return;
  recording = false;  // the program does not make these calls
  begin_sizes(policy.logs);
  recording = true;
}

// busybox is many programs, and its first argument names the one that it becomes.
__attribute__((constructor)) void start(int count, char** words) {
  program_name = program_invocation_short_name;
  if (count > 1 && strcmp(program_name, "busybox") == 0) program_name = words[1];
  hide_from_program();
  if (*policy.logs == '\0') return;
  look_at_modules();
  start_recording();
  if (is_recording()) begin_threads();
  pthread_atfork(nullptr, nullptr, begin_in_child);
  at_quick_exit(before_ending);
}

__attribute__((destructor)) void stop() {
  if (!is_recording()) return;
  count_what_exit_writes();
  look_at_sizes();
  before_ending();
}

}  // namespace

void begin_in_child() {
  if (*policy.logs == '\0' || has_entered_seccomp()) return;
  const KeepErrno kept;
  forget_sites();
  forget_usages();
  forget_all_descriptors();
  start_recording();
}

void before_another_process() {
  if (is_recording()) note_shared_files();
}

void before_untold_child() { change_all_generations(); }

// Signal 0 is a question. Storing the times takes longer than sending a signal, so it is done only
// if the signal can end this process.
void before_signal(int process, int signal) {
  if (signal == 0 || !is_recording() || (process > 0 && process != log->process)) return;
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL) return;
  refresh_recording();
}

// After the process has entered seccomp, programs that it starts are not covered: the system calls
// that the recorder makes to find out whether a program can be covered, and to begin a log, may be
// forbidden.
bool children_are_covered() {
  return policy.children && !has_entered_seccomp() && !is_told_to_stop();
}

bool may_begin_log() { return may_be_as_long(sizeof(Log)) && may_reach(policy.logs, W_OK | X_OK); }

void count_out_of_reach(int programs) {
  if (log != nullptr)
    __atomic_fetch_add(&log->out_of_reach, static_cast<uint32_t>(programs), __ATOMIC_RELAXED);
}

}  // namespace sluice::preload
