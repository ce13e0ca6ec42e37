// `sluice put FILE`: standard input into a file.
#pragma once

#include "put/request.h"

namespace sluice::put {

// Returns the exit code. If a signal interrupted it, it puts the file in order and ends by the
// signal. Throws std::runtime_error if something cannot be read or written.
int run(const Request& request);

}  // namespace sluice::put
