// `sluice cat FILE...`: files to standard output, decompressed.
#pragma once

#include "cat/request.h"

namespace sluice::cat {

// Returns the exit code: 1 if a file could not be read whole. Such a file is named on standard
// error, and the files after it follow. Throws std::runtime_error if standard output cannot be
// written. If nothing reads standard output any more, SIGPIPE ends this process.
int run(const Request& request);

}  // namespace sluice::cat
