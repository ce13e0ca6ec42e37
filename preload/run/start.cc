// Runs before the program, and in every process that it forks.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "counters.h"
#include "environment.h"
#include "events.h"
#include "held.h"
#include "hook.h"
#include "log_file.h"
#include "private_files.h"
#include "real.h"

namespace sluice::preload {

// The linker prefers the functions of ../coalesce, if there are any.
#define SLUICE_HOLDS_NOTHING __attribute__((weak))
SLUICE_HOLDS_NOTHING void write_all_held() {}
SLUICE_HOLDS_NOTHING void stop_holding_all() {}
SLUICE_HOLDS_NOTHING void before_other_code(EndOfHolding) {}
SLUICE_HOLDS_NOTHING void stream_opened(const FILE*, const void*) {}
SLUICE_HOLDS_NOTHING void stream_reopened(int) {}
SLUICE_HOLDS_NOTHING int stop_holding(int) { return 0; }
SLUICE_HOLDS_NOTHING void tell_of_lost_writes() {}

namespace {

__attribute__((constructor)) void start() {
  hide_from_program();
  // The handlers of quick_exit() run in reverse order. This handler is registered first, so it runs
  // last.
  at_quick_exit(before_ending);
  if (*policy.logs == '\0') return;
  begin_log(policy.logs);
  pthread_atfork(nullptr, nullptr, begin_in_child);
}

}  // namespace

SLUICE_WORK(void, sluice_before_syscall) {
  write_all_held();
  before_own_call(arguments.value[0], arguments.value + 1);
}
SLUICE_BEFORE(sluice_before_syscall, "syscall");

void begin_in_child() {
  if (*policy.logs != '\0') begin_log(policy.logs);
}

void before_another_process() {
  stop_holding_all();
  forget_all_private();
}

void before_untold_child() {}

void before_ending() {
  write_all_held();
  tell_of_lost_writes();
}
void before_signal(int, int) { write_all_held(); }
void after_failed_exec() {}

bool may_begin_log() { return may_reach(policy.logs, W_OK | X_OK); }

bool children_are_covered() { return policy.children; }

void count_out_of_reach(int programs) {
  __atomic_fetch_add(&counters.out_of_reach, static_cast<uint64_t>(programs), __ATOMIC_RELAXED);
}

}  // namespace sluice::preload
