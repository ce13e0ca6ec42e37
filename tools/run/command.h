// `sluice run -- CMD ARGS`: the same program, its input and output cheaper.
#pragma once

#include "run/request.h"

namespace sluice::run {

inline constexpr int exit_not_executable = 126;
inline constexpr int exit_not_found = 127;

// Becomes the program, or waits for it and reports. Gives the exit code; ends by the signal that
// ended the program. Throws std::exception for what stands in the way before it has started.
int run(const Request& request);

}  // namespace sluice::run
