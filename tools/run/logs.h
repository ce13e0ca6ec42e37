// The counts of the processes of an accelerated program.
#pragma once

#include <cstddef>
#include <vector>

#include "launch/log_folder.h"
#include "preload/counters.h"

namespace sluice::run {

struct Logs {
  std::vector<preload::Counters> processes;  // in the order of their numbers
  std::size_t empty = 0;                     // of processes for whose counts there was no room
};

Logs read_logs(const LogFolder& folder);

}  // namespace sluice::run
