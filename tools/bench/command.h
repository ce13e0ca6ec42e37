// `sluice bench`: runs the experiments that the command line names.
#pragma once

#include <span>

#include "bench/experiments/registry.h"
#include "bench/request.h"

namespace sluice::bench {

// Returns the exit code: 0 for success, 1 after a failure that was already reported, 128 + N if
// signal N ended the run. Throws UsageError, or std::runtime_error with one clear line. The scratch
// folder is removed in every case.
int run(const Request& request, std::span<const RegisteredExperiment> known);

}  // namespace sluice::bench
