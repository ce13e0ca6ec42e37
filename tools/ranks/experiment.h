// Experiment: ways that are timed side by side, in rounds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/statistics.h"
#include "ranks/job.h"

namespace sluice::ranks {

struct Way {
  std::string name;
  std::function<void(const Job&)> run;
  std::function<void(const Job&)> verify;  // outside the timed part; may be empty
  bool is_collective = false;
  // Of the way that the others are compared with too, beside the first one: the name of the column,
  // and what the way is. Empty otherwise.
  std::string reference{};
  std::string meaning{};
};

// The times of one way, in seconds, a time for each round. A time is the time of the slowest rank.
struct Timed {
  std::string name;
  std::string reference;  // as in Way
  std::string meaning;
  std::vector<double> seconds;
  std::vector<double> ratios;  // speed, as a multiple of the baseline's speed in the same round
};

// Collective. Runs all ways once without counting, and then `rounds` times in turn. ways[baseline]
// is the way that the others are compared with.
std::vector<Timed> time_ways(const Job& job, const std::vector<Way>& ways, std::size_t baseline,
                             unsigned rounds);

// Collective. The time of the slowest rank.
double time_once(const Job& job, const std::function<void(const Job&)>& run);

// Removes the files of the job. Collective.
void remove_files(const Job& job);

}  // namespace sluice::ranks
