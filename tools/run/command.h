// `sluice run -- CMD ARGS`: the same program, its input and output cheaper.
#pragma once

#include "run/request.h"

namespace sluice::run {

// Becomes the program, or waits for it and reports. Gives the exit code; ends by the signal that
// ended the program. Throws ProgramError for a program
// that cannot be started, std::exception for what else stands in the way.
int run(const Request& request);

}  // namespace sluice::run
