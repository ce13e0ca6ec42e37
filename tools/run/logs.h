// The counts of the processes of an accelerated program.
#pragma once

#include <vector>

#include "launch/log_folder.h"
#include "preload/counters.h"

namespace sluice::run {

// One entry for each process that has begun to count, in the order of their numbers.
std::vector<preload::Counters> read_logs(const LogFolder& folder);

}  // namespace sluice::run
