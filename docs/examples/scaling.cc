// The code of docs/scaling.md and of sluice/mpi.h: several ranks write one file and read it.
#include <cstdio>
#include <vector>

#include "sluice/mpi.h"

namespace {

sluice::Status save(const std::vector<double>& values) {
  sluice::MpiWriter file;
  sluice::Status status = file.open(MPI_COMM_WORLD, "u.bin", {.rank_bytes = values.size() * 8});
  if (!status.ok()) return status;
  file->write_values(values);
  return file.close();  // the same result on every rank
}

// One record of each rank in every step.
struct Particle {
  double place[3];
  double speed[3];
};

sluice::Status simulate(int steps) {
  sluice::MpiWriter file;
  sluice::Status status =
      file.open(MPI_COMM_WORLD, "steps.bin",
                {.layout = sluice::MpiLayout::striped, .record_bytes = sizeof(Particle)});
  for (int step = 0; status.ok() && step < steps; ++step) {
    file->write_value(Particle{{1.0 * step, 0, 0}, {1, 0, 0}});
    if (step % 100'000 == 99'999) status = file.place();  // collective, each 4.8 MB of a rank
  }
  return file.close();
}

sluice::Status count_lines(std::size_t& lines) {
  sluice::MpiReader file;
  sluice::Status status =
      file.open(MPI_COMM_WORLD, "log.txt", {.partition = sluice::MpiPartition::lines});
  if (!status.ok()) return status;
  for (std::string_view line; file->next_line(line);) ++lines;
  return file.close();
}

sluice::Status open_striped(sluice::MpiWriter& file, std::uint64_t bytes_of_this_rank) {
  MPI_Info hints;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "striping_factor", "64");  // the number of stripes
  const sluice::Status status =
      file.open(MPI_COMM_WORLD, "u.bin", {.rank_bytes = bytes_of_this_rank, .hints = hints});
  MPI_Info_free(&hints);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::size_t lines = 0;
  sluice::MpiWriter striped;
  const sluice::Status results[] = {save({1, 2, 3}), simulate(10), count_lines(lines),
                                    open_striped(striped, 0), striped.close()};
  for (const sluice::Status& status : results) std::puts(status.message().c_str());
  MPI_Finalize();
}
