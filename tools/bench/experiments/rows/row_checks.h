// Checks for every row of an experiment. Rows run in a child process, as they do in `sluice bench`.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "bench/measure.h"
#include "bench/strategy.h"

namespace sluice::bench {

inline Settings settings_for(const std::string& directory, std::uint64_t size_bytes) {
  Settings settings;
  settings.directory = directory;
  settings.size_bytes = size_bytes;
  return settings;
}

// Calls `check(group, strategy)` for every row of the experiment.
template <typename Check>
void for_each_row(const Experiment& experiment, Check check) {
  for (const Experiment::Group& group : experiment.groups) {
    for (const Strategy& strategy : group.strategies) {
      SCOPED_TRACE(experiment.id + ", " + group.title + ", " + strategy.name);
      check(group, strategy);
    }
  }
}

inline void expect_right(const Experiment& experiment) {
  int rows = 0;
  for_each_row(experiment, [&](const Experiment::Group&, const Strategy& strategy) {
    EXPECT_EQ(measure(strategy).error, "");
    ++rows;
  });
  EXPECT_GE(rows, 5);
}

}  // namespace sluice::bench
