// What `sluice run` did for a program, in words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "preload/counters.h"
#include "run/request.h"

namespace sluice::run {

struct Outcome {
  std::vector<std::string> command;
  int wait_status = 0;
  double wall_s = 0;
  std::string not_accelerated;  // why; empty when it was
  std::vector<preload::Counters> processes{};
};

// Lines for a terminal.
std::string summary_of(const Outcome& outcome);

// {"schema":1,"command":[..],"exit_code":..,"signal":..,"wall_s":..,"not_accelerated":..,
//  "total":{..},"processes":[{"process":..,"program":..,..}]}; exit_code is null for a program that
// a signal has ended, signal for all others.
std::string json_of(const Outcome& outcome);

}  // namespace sluice::run
