// The report of `sluice run`, as text and as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "preload/counters.h"
#include "run/request.h"

namespace sluice::run {

struct Outcome {
  std::vector<std::string> command;
  Ended ended{};
  std::string not_accelerated;  // the reason; empty if the program was accelerated
  std::vector<preload::Counters> processes{};
  std::size_t processes_without_counts = 0;  // see Logs::empty
  bool coalesce = false;                     // the option --coalesce
};

// Lines for a terminal.
std::string summary_of(const Outcome& outcome);

// The version of the JSON's form.
inline constexpr unsigned schema = 2;

// {"schema":2,"command":[..],"exit_code":..,"signal":..,"wall_s":..,"not_accelerated":..,
//  "system_calls":{"reads":..,"writes":..,"read_bytes":..,"written_bytes":..,"saved":..},
//  "total":{..,"not_answered":{..},"not_coalesced":{..},"ends_of_coalescing":{..}},
//  "processes":[{"process":..,"program":..,..}],"processes_without_counts":..}
// exit_code is null if a signal has ended the program; otherwise signal is null. "system_calls" are
// the kernel's counts, including one write of 4 KiB for each process's counters. "system_calls" is
// null if the kernel does not count. "saved" is the inferred number of calls that were not made.
std::string json_of(const Outcome& outcome);

}  // namespace sluice::run
