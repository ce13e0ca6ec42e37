// `sluice bench`: runs the experiments that the command line names.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/experiments/registry.h"
#include "bench/request.h"

namespace sluice::bench {

// Returns the exit code: 0 for success, 1 after a failure that was already reported, 128 + N if
// signal N ended the run. Throws UsageError, or std::runtime_error with one clear line. The scratch
// folder is removed in every case. The output names the libraries that the experiments leave out.
int run(const Request& request, std::span<const RegisteredExperiment> known,
        const std::vector<std::string>& libraries_left_out);

}  // namespace sluice::bench
