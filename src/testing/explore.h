// explore: looks for a schedule in which a scenario goes wrong.
//
// SLUICE_INTERLEAVINGS sets the number of random schedules, SLUICE_INTERLEAVING_SEED the seed of
// the first one. SLUICE_INTERLEAVING_DEVIATIONS sets the largest number of deviations of the
// schedules that are all tried. SLUICE_SCHEDULE asks for one schedule alone, given by the choices
// that a failure has printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "testing/interleaving.h"

namespace sluice::testing {

struct Exploration {
  std::string failure;  // the failure with its choices and steps; empty if nothing went wrong
  std::size_t schedules = 0;
};

Exploration explore_random(const Scenario& scenario, std::uint64_t first_seed,
                           std::size_t schedules);
// Tries all schedules with at most `max_deviations` deviations, the simplest first.
Exploration explore_all(const Scenario& scenario, std::size_t max_deviations);

// Tries the schedules that the environment asks for. By default these are first the same 20,000
// random schedules each time (300 with a sanitizer), because they find most defects
// soonest, and then all schedules with at most `max_deviations` deviations (at most one with a
// sanitizer). The number of random schedules is divided by `costs`, the cost of a schedule compared
// with that of other tests.
Exploration explore(const Scenario& scenario, std::size_t max_deviations, std::size_t costs = 1);

}  // namespace sluice::testing
