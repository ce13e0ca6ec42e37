// The clock that measures durations. A test's table of system calls has its own.
#pragma once

#include <chrono>

#include "os/system_calls.h"

namespace sluice::os {

using Clock = std::chrono::steady_clock;

inline Clock::time_point now() { return calls().now(); }

}  // namespace sluice::os
