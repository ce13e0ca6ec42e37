// `sluice trace -- CMD ARGS`: where a program's I/O time goes, and what could be saved.
#pragma once

#include "trace/request.h"

namespace sluice::trace {

// More could be saved than the request allows.
inline constexpr int exit_over_limit = 3;

// Runs the program, then reports on standard error and into files. Returns the program's exit code,
// or ends by the signal that ended it. If the program has succeeded, and more could be saved than
// the request allows, returns exit_over_limit.
//
// Throws ProgramError for a program that cannot be started, and std::exception for other obstacles.
int run(const Request& request);

}  // namespace sluice::trace
