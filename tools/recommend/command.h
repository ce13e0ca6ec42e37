// `sluice recommend`: measures, and prints what it recommends.
#pragma once

#include "recommend/request.h"

namespace sluice::recommend {

// Returns the exit code: 0 for success, 128 + N if signal N ended the run. Throws
// std::runtime_error with one clear line. The files of the trials are removed in every case.
int run(const Request& request);

}  // namespace sluice::recommend
