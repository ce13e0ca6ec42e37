// MPI_File_write_at in the place of MPI's own, which MPI keeps under the name PMPI_File_write_at.
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "ranks/job.h"

namespace {
std::atomic<double> wait_per_byte{0};
}

void sluice::ranks::simulate_file_system(double seconds) { wait_per_byte = seconds; }

extern "C" int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* bytes, int count,
                                 MPI_Datatype type, MPI_Status* status) {
  const auto begin = std::chrono::steady_clock::now();
  const int code = PMPI_File_write_at(file, offset, bytes, count, type, status);
  const double seconds = wait_per_byte * count;
  if (seconds > 0) std::this_thread::sleep_until(begin + std::chrono::duration<double>(seconds));
  return code;
}
