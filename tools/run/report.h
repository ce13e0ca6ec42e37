// The report of `sluice run`, in words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "launch/launch.h"
#include "preload/counters.h"
#include "run/request.h"

namespace sluice::run {

struct Outcome {
  std::vector<std::string> command;
  Ended ended{};
  std::string not_accelerated;  // the reason; empty if it was accelerated
  std::vector<preload::Counters> processes{};
};

// Lines for a terminal.
std::string summary_of(const Outcome& outcome);

// {"schema":1,"command":[..],"exit_code":..,"signal":..,"wall_s":..,"not_accelerated":..,
//  "system_calls":{"reads":..,"writes":..,"read_bytes":..,"written_bytes":..,"saved":..},
//  "total":{..},"processes":[{"process":..,"program":..,..}]}; exit_code is null for a program that
// a signal has ended, signal for all others. The system calls are those that the kernel has counted
// (one write of 4 KiB for each process's counters among them), null where it does not count;
// "saved" is how many more there would have been, inferred.
std::string json_of(const Outcome& outcome);

}  // namespace sluice::run
