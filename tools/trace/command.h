// `sluice trace -- CMD ARGS`: where a program's I/O time goes, and what could be saved.
#pragma once

#include "trace/request.h"

namespace sluice::trace {

// More could be saved, or more time was added, than the request allows.
inline constexpr int exit_over_limit = 3;

// Runs the program, then reports on standard error and into files. Returns the program's exit code,
// or ends by the signal that ended it. If the program has succeeded, and more could be saved than
// the request allows, returns exit_over_limit.
//
// If the request is to compare, runs no program and reports on standard output. Returns 0, or
// exit_over_limit if the I/O time grew by more than the request allows.
//
// Throws ProgramError for a program that cannot be started, and std::exception for other obstacles.
int run(const Request& request);

}  // namespace sluice::trace
