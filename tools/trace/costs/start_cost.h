// How long this machine takes to start a program.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "launch/object_path.h"

namespace sluice::trace {

// Processor times of the smallest program, from its start to its end. 0 if they are unknown.
struct StartCost {
  double plain_s = 0;
  double begun_s = 0;  // until its log begins, if it is traced
  // Processor times of programs that were given nothing to do, without the trace, by name.
  std::map<std::string, double> empty_s{};

  // What a program does for itself in each run, beyond what the smallest program takes. 0 if
  // nobody knows.
  double own_s(const std::string& program) const {
    const auto found = empty_s.find(program);
    return found == empty_s.end() ? 0 : std::max(0.0, found->second - plain_s);
  }

  // The time of a start without the trace, as a share of the time until a log begins: the recorder
  // itself works before. Not to be asked for if the times are unknown.
  double share_without_trace() const { return std::min(1.0, plain_s / begun_s); }

  // The recorder's own time until a log begins.
  double recorder_s() const { return std::max(0.0, begun_s - plain_s); }
};

// Starts the program `true` three times with the trace, and three times without it.
StartCost measured_start_cost(const ObjectPath& object);

// Starts the program with an empty script, such as `node -e ''`, up to three times. Returns the
// least processor time; 0 if no empty script is known for a program of this name.
double measured_empty_run_s(const std::string& name, const std::string& file);

}  // namespace sluice::trace
