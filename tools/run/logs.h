// The counts of the processes of an accelerated program.
#pragma once

#include <cstddef>
#include <vector>

#include "launch/log_folder.h"
#include "preload/counters.h"

namespace sluice::run {

struct Logs {
  std::vector<preload::Counters> processes;  // in the order of their numbers
  // Processes for whose counts there was no room, or which were killed at their start.
  std::size_t empty = 0;
};

Logs read_logs(const LogFolder& folder);

}  // namespace sluice::run
