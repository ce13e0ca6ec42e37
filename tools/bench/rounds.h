// Rounds: the strategies of a group run in turn, so that a busy moment of the machine hits all of
// them alike. Each round starts one strategy later (A B C, B C A, ...), so that no strategy is
// always the first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "bench/result.h"
#include "bench/strategy.h"

namespace sluice::bench {

struct RoundsOptions {
  std::uint64_t counted_rounds = 5;  // after one warm-up round
  // Called before each measurement; round 0 is the warm-up. May be empty.
  std::function<void(const Strategy& strategy, std::uint64_t round)> before_each = {};
  // Called after each measurement, outside of it. May be empty.
  std::function<void()> after_each = {};
};

// A strategy that fails is left out of the later rounds. If a signal asks for the end (see
// interrupt.h), the unfinished round is dropped and the complete rounds are returned.
GroupResult run_rounds(const Experiment::Group& group, const RoundsOptions& options);

// Throws std::logic_error if the declaration breaks a rule of strategy.h.
void check_declaration(const Experiment& experiment);

}  // namespace sluice::bench
