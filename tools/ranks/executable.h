// The executable of `sluice bench ranks`, which depends on the MPI whose mpirun has started it.
#pragma once

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

namespace sluice::ranks {

// True if the command line is that of `sluice bench ranks`.
inline bool is_asked_for(int argc, char** argv) {
  return argc > 2 && std::string(argv[1]) == "bench" && std::string(argv[2]) == "ranks";
}

// Throws std::runtime_error if no mpirun has started this process, unless help is asked for.
inline std::string executable(int argc, char** argv) {
  // These variables tell a rank its number.
  if (std::getenv("OMPI_COMM_WORLD_RANK") != nullptr) return "sluice-ranks-openmpi";
  if (std::getenv("PMI_RANK") != nullptr) return "sluice-ranks-mpich";
  const std::string last = argv[argc - 1];
  if (last == "--help" || last == "-h") return "sluice-ranks-openmpi";
  throw std::runtime_error(
      "mpirun of Open MPI or MPICH must start this: mpirun -n 4 sluice bench ranks");
}

// The number of this rank, if mpirun has started several.
inline std::optional<int> rank_of_several() {
  struct Names {
    const char* count;
    const char* rank;
  };
  for (const Names names :
       {Names{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, Names{"PMI_SIZE", "PMI_RANK"}}) {
    const char* const count = std::getenv(names.count);
    const char* const rank = std::getenv(names.rank);
    if (count != nullptr && rank != nullptr && std::atoi(count) > 1) return std::atoi(rank);
  }
  return std::nullopt;
}

}  // namespace sluice::ranks
