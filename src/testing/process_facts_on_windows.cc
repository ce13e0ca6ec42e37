#include <windows.h>

#include "testing/process_facts.h"

namespace sluice::testing {

pid_t this_thread() { return static_cast<pid_t>(::GetCurrentThreadId()); }

// Windows does not tell whether a thread sleeps, so this waits for a time in which it will.
bool wait_until_asleep(pid_t) {
  ::Sleep(50);
  return true;
}

}  // namespace sluice::testing
