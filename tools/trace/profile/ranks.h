// The ranks of a job, compared. What MPI does for itself (mpi_itself.h) is left out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "trace/profile/profile.h"

namespace sluice::trace {

struct RankTotal {
  unsigned rank = 0;
  std::string machine{};
  RankShare share{};  // of all its processes
  double wall_s = 0;  // of the process that lasted longest
};

// The calls of one function and place, on all files.
struct RankDifference {
  std::size_t use = 0;   // an index of Profile::uses: the longest one of the slowest rank
  double slowest_s = 0;  // of the rank with the most I/O time
  double median_s = 0;   // of all ranks
};

struct RankComparison {
  std::vector<RankTotal> ranks{};  // the one with the most I/O time first
  double median_s = 0;             // of the I/O times of all ranks
  double of_mpi_itself_s = 0;      // of all ranks; the other times are without it
  // The largest first, and only those that are worth looking at.
  std::vector<RankDifference> differences{};
};

// Empty unless the profile has several ranks.
RankComparison ranks_of(const Profile& profile);

}  // namespace sluice::trace
