#include "ranks/experiment.h"

#include <mpi.h>

#include <cstdio>

namespace sluice::ranks {

void remove_files(const Job& job) {
  MPI_Barrier(MPI_COMM_WORLD);
  std::remove((job.path + "." + std::to_string(job.rank)).c_str());
  if (job.rank == 0) std::remove(job.path.c_str());
  MPI_Barrier(MPI_COMM_WORLD);
}

double time_once(const Job& job, const std::function<void(const Job&)>& run) {
  remove_files(job);
  simulate_file_system(job.wait_per_byte);
  const double begin = MPI_Wtime();
  run(job);
  double seconds = MPI_Wtime() - begin;
  simulate_file_system(0);
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

std::vector<Timed> time_ways(const Job& job, const std::vector<Way>& ways, std::size_t baseline,
                             unsigned rounds) {
  std::vector<Timed> timed;
  for (const Way& way : ways) timed.push_back({way.name, {}, {}});
  for (unsigned round = 0; round <= rounds; ++round) {
    std::vector<double> seconds;
    for (const Way& way : ways) {
      seconds.push_back(time_once(job, way.run));
      if (way.verify) way.verify(job);
    }
    if (round == 0) continue;  // the warm-up
    for (std::size_t i = 0; i < ways.size(); ++i) {
      timed[i].seconds.push_back(seconds[i]);
      timed[i].ratios.push_back(seconds[baseline] / seconds[i]);
    }
  }
  remove_files(job);
  return timed;
}

}  // namespace sluice::ranks
