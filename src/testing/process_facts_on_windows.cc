#include <windows.h>

#include "testing/process_facts.h"

namespace sluice::testing {

pid_t this_thread() { return static_cast<pid_t>(::GetCurrentThreadId()); }

}  // namespace sluice::testing
