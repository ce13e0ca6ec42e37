// The counts of the processes of an accelerated program.
#pragma once

#include <vector>

#include "launch/log_folder.h"
#include "preload/counters.h"

namespace sluice::run {

// Returns one entry for each process that has begun to count, in the order of the process numbers.
std::vector<preload::Counters> read_logs(const LogFolder& folder);

}  // namespace sluice::run
