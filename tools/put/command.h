// `sluice put FILE`: standard input into a file.
#pragma once

#include "put/request.h"

namespace sluice::put {

// Gives the exit code; ends by the signal that interrupted it, when the file is as it should be.
// Throws std::runtime_error when something cannot be read or written.
int run(const Request& request);

}  // namespace sluice::put
