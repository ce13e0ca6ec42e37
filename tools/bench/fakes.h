// Parts for the tests of the bench: strategies that do almost nothing, and rows with chosen
// figures.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/result.h"
#include "bench/strategy.h"

namespace sluice::bench {

inline Strategy fake_strategy(
    std::string name, Kind kind, std::function<void()> run = [] {}) {
  Strategy strategy;
  strategy.name = std::move(name);
  strategy.kind = kind;
  strategy.bytes = 1000;
  strategy.operations = 10;
  strategy.run = std::move(run);
  strategy.verify = [] {};
  return strategy;
}

// A row whose rounds took these wall times, half of them in user time.
inline Row fake_row(std::string name, Kind kind, std::uint64_t bytes,
                    const std::vector<double>& wall_s) {
  Row row;
  row.strategy = std::move(name);
  row.kind = kind;
  row.is_by_sluice = kind == Kind::sluice;
  row.bytes = bytes;
  row.operations = 10;
  for (const double seconds : wall_s) {
    Measurement measurement;
    measurement.wall_s = seconds;
    measurement.user_s = seconds / 2;
    measurement.syscalls = 7;
    measurement.voluntary_switches = 3;
    measurement.involuntary_switches = 2;
    measurement.peak_rss_bytes = 1 << 20;
    row.rounds.push_back(measurement);
  }
  return row;
}

}  // namespace sluice::bench
