// Processes that still run.
#pragma once

#include <optional>

namespace sluice::trace {

// The processor time of a process, and of those children that it has waited for. Empty if the
// process does not run, or if the process of this number began at another time, on CLOCK_MONOTONIC:
// then it is another process. A zombie does not run: it has ended, and its parent has not waited
// for it.
std::optional<double> processor_s_of_running(int process, double begun_after_s,
                                             double begun_before_s);

}  // namespace sluice::trace
