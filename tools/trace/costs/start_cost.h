// How long this machine takes to start a program.
#pragma once

#include <algorithm>

#include "launch/object_path.h"

namespace sluice::trace {

// Processor times of the smallest program, from its start to its end. 0 if they are unknown.
struct StartCost {
  double plain_s = 0;
  double begun_s = 0;  // until its log begins, if it is traced

  // The time of a start without the trace, as a share of the time until a log begins: the recorder
  // itself works before. Not to be asked for if the times are unknown.
  double share_without_trace() const { return std::min(1.0, plain_s / begun_s); }

  // The recorder's own time until a log begins.
  double recorder_s() const { return std::max(0.0, begun_s - plain_s); }
};

// Starts the program `true` three times with the trace, and three times without it.
StartCost measured_start_cost(const ObjectPath& object);

}  // namespace sluice::trace
