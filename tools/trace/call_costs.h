// What stdio's calls cost on this machine, measured here and now.
//
// A call of some nanoseconds that is timed on its own seems to take up to twice as long as it adds
// to a program, where the processor works on what comes before and after it at the same time. So
// where a program has one thread and waits for no lock, its calls are taken to cost what calls of
// the same function and size cost in a row.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "preload/trace/record.h"

namespace sluice::trace {

class CallCosts {
 public:
  CallCosts();

  // Seconds for one call that only copies `bytes`; 0 for a function that is not known. The first
  // question about a function and a size takes a few milliseconds.
  double in_a_row_s(preload::Call call, double bytes);

  // What timing adds to a call that goes to the kernel.
  double of_the_clock_s() const { return clock_s_; }

 private:
  double clock_s_;
  std::map<std::pair<preload::Call, std::uint64_t>, double> known_;
};

}  // namespace sluice::trace
