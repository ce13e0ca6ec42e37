// The measurements and the figures computed from them. Tables, JSON and summary are made from these
// alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/statistics.h"
#include "bench/strategy.h"
#include "machine/disturbance.h"

namespace sluice::bench {

struct Row {
  std::string strategy;
  Kind kind = Kind::peer;
  bool is_by_sluice = false;  // see strategy.h
  std::uint64_t buffer_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t operations = 0;
  std::vector<Measurement> rounds;  // the counted rounds, in order
  std::string error;  // not empty: the row failed, and the members below have no meaning

  // compute_figures() fills in the members below.
  bool scaled = false;  // the row moved fewer bytes than the group's largest row
  Spread wall_s, user_s, sys_s, sleep_s;
  double cpu_s = 0;                        // median of user + sys
  std::optional<std::uint64_t> syscalls;   // median
  std::uint64_t page_faults = 0;           // median
  std::uint64_t voluntary_switches = 0;    // median
  std::uint64_t involuntary_switches = 0;  // median
  std::uint64_t peak_rss_bytes = 0;        // most of all rounds
  // The median over the rounds for each percentile. Empty if the strategy noted no operations.
  std::optional<Latency> latency;
  // The size of the file in the last round. Empty if the strategy noted no size.
  std::optional<std::uint64_t> stored_bytes;
  // Medians of the per-round ratios, per byte moved. Empty if the limit or the baseline failed.
  std::optional<double> ratio_to_limit;      // time / the limit's time: 1 is the limit
  std::optional<double> ratio_to_baseline;   // the baseline's time / time: above 1 is faster
  std::optional<double> cpu_ratio_to_limit;  // user + sys / the limit's user + sys

  bool verified() const { return error.empty() && !rounds.empty(); }
};

struct GroupResult {
  std::string title;
  std::string why;
  std::vector<Row> rows;
  Disturbance disturbance = {};    // from the first round to the last one
  std::string operations_of = {};  // see strategy.h
};

// Above these shares of the processors' time the report tells of a disturbance.
inline constexpr double others_above = 0.25;
inline constexpr double host_above = 0.03;

inline bool is_busy(const Disturbance& disturbance) {
  return disturbance.others > others_above || disturbance.host > host_above;
}

struct ExperimentResult {
  std::string id;
  std::string title;
  std::uint64_t bytes = 0;
  std::vector<GroupResult> groups;
  std::string error;  // not empty: the experiment could not be set up
};

struct Report {
  Machine machine;
  std::string directory;
  std::string filesystem;
  std::uint64_t rounds = 0;
  std::uint64_t touched_memory_bytes = 0;  // before each run
  bool quick = false;
  bool interrupted = false;
  std::vector<std::string> libraries_left_out = {};  // see experiments/registry.h
  std::vector<ExperimentResult> experiments;
};

// Fills in all members that are computed from the rounds. All rows without an error must have the
// same number of rounds.
void compute_figures(GroupResult& group);

// "limit", "baseline", "peer", "sluice".
std::string to_string(Kind kind);

}  // namespace sluice::bench
