// `sluice trace -- CMD ARGS`: where a program's I/O time goes, and what could be saved.
#pragma once

#include "trace/request.h"

namespace sluice::trace {

// Runs the program, then reports on standard error and into files. Returns the program's exit code,
// or ends by the signal that ended it. Throws ProgramError for a program that cannot be started,
// and std::exception for other obstacles.
int run(const Request& request);

}  // namespace sluice::trace
