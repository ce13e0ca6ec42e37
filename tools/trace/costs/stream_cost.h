// What the calls of C++ streams cost on this machine.
#pragma once

#include <optional>

#include "trace/costs/timing.h"

namespace sluice::trace {

// Seconds for one call beyond the same work on an array.
struct StreamCosts {
  CostRange byte_read;  // std::istream::get and peek
  CostRange byte_written;
  CostRange piece_read;     // std::istream::read of a few bytes
  CostRange piece_written;  // std::ostream::write and operator<< of texts
  CostRange integer_written;
  CostRange fraction_written;
};

// Takes some milliseconds. Nothing if /dev/null or /dev/zero is missing.
std::optional<StreamCosts> measured_stream_costs();

}  // namespace sluice::trace
