// The job of MPI to which this command belongs: mpirun -n 4 sluice trace -- CMD.
#pragma once

#include <optional>
#include <string>

namespace sluice::trace {

struct Job {
  std::string name;         // differs from the names of other jobs that run on this machine
  unsigned rank = 0;        // of this command
  unsigned ranks = 0;       // of the whole job
  unsigned ranks_here = 0;  // on this machine
};

// Empty without a rank, and in a job of one rank. Open MPI, MPICH with what is built on it, and
// SLURM's srun are known.
std::optional<Job> job_of_environment();

}  // namespace sluice::trace
