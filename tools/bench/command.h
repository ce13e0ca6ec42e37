// `sluice bench`: does what was asked for.
#pragma once

#include <span>

#include "bench/experiments/registry.h"
#include "bench/request.h"

namespace sluice::bench {

// Returns the exit code: 0, 1 when something failed that was reported on the way, 128 + N when
// signal N asked for the end. Throws UsageError, or std::runtime_error with one clear line; the
// scratch folder is gone in any case.
int run(const Request& request, std::span<const RegisteredExperiment> known);

}  // namespace sluice::bench
