// `sluice run -- CMD ARGS`: an unmodified program with cheaper stdio.
#pragma once

#include "run/request.h"

namespace sluice::run {

// Becomes the program, or waits for the program and reports. Returns the exit code, or ends by the
// signal that ended the program. Throws ProgramError for a program that cannot be started, and
// std::exception for other obstacles.
int run(const Request& request);

}  // namespace sluice::run
