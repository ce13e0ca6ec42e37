// What the results say, in plain sentences.
#pragma once

#include <string>

#include "bench/result.h"

namespace sluice::bench {

// Per experiment and group: the fastest strategy, by how much, and what it saved. Where sluice is
// not the fastest, that is said as plainly. Rows are compared per byte; limits are no competitors.
std::string summary_of(const Report& report);

}  // namespace sluice::bench
