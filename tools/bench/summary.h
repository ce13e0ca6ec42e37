// The results in plain sentences.
#pragma once

#include <string>

#include "bench/result.h"

namespace sluice::bench {

// For each group of each experiment, the summary names the fastest strategy, by how much it was
// faster, and its savings. If sluice was not the fastest, the summary says so. Rows are compared
// per byte. Limits do not compete. What the summary says of other programs beside the rows, and of
// the sizes of files, follows from the figures too.
std::string summary_of(const Report& report);

}  // namespace sluice::bench
