// `sluice put FILE`: standard input into a file.
#pragma once

#include "put/request.h"

namespace sluice::put {

// Returns the exit code. After a signal, puts the file in order and ends this process by the
// signal. Throws std::runtime_error if standard input cannot be read or the file cannot be written.
int run(const Request& request);

}  // namespace sluice::put
