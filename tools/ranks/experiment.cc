#include "ranks/experiment.h"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>

#include "ranks/order.h"
#include "sluice/writer.h"

namespace sluice::ranks {

// What is removed or written keeps the disk busy for a while: a file system that discards freed
// blocks does so at its next commit, and writes wait meanwhile. Each way begins with a calm disk.
static void wait_for_disk(const Job& job) {
  if (job.rank == 0) ::sync();
  MPI_Barrier(MPI_COMM_WORLD);
}

void remove_files(const Job& job) {
  MPI_Barrier(MPI_COMM_WORLD);
  std::remove((job.path + "." + std::to_string(job.rank)).c_str());
  if (job.rank == 0) std::remove(job.path.c_str());
  MPI_Barrier(MPI_COMM_WORLD);
}

static void write_and_remove(const std::string& path, std::uint64_t bytes) {
  const std::vector<std::byte> piece(block_bytes);
  Writer file;
  bool is_ok = file.open(path).ok();
  for (std::uint64_t at = 0; is_ok && at < bytes; at += block_bytes) {
    is_ok = file.write(BytesView(piece));
  }
  static_cast<void>(file.close());  // a full disk shows when the way itself writes
  std::remove(path.c_str());
}

// A virtual machine may give free memory back to its host, and a write then waits for that memory.
// So the pages that the next way needs were in use a moment ago. Each processor has free pages of
// its own, and write-behind writes on another processor than the rank. So two threads do this.
static void touch_memory(const Job& job) {
  remove_files(job);
  constexpr std::uint64_t most = std::uint64_t{2} << 30;  // of all ranks, by each of two threads
  const std::uint64_t bytes = std::min(job.bytes, most / static_cast<std::uint64_t>(job.count));
  const std::string path = job.path + "." + std::to_string(job.rank);
  std::thread other([&] { write_and_remove(path + ".other", bytes); });
  write_and_remove(path, bytes);
  other.join();
  MPI_Barrier(MPI_COMM_WORLD);
}

double time_once(const Job& job, const std::function<void(const Job&)>& run) {
  touch_memory(job);
  wait_for_disk(job);
  simulate_file_system(job.wait_per_byte);
  const double begin = MPI_Wtime();
  run(job);
  double seconds = MPI_Wtime() - begin;
  simulate_file_system(0);
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

static std::vector<std::size_t> order_of_round(unsigned round, std::size_t ways) {
  std::vector<std::size_t> order(ways);
  for (std::size_t turn = 0; turn < ways; ++turn) order[turn] = way_at(turn, round, ways);
  return order;
}

std::vector<Timed> time_ways(const Job& job, const std::vector<Way>& ways, std::size_t baseline,
                             unsigned rounds) {
  std::vector<Timed> timed;
  for (const Way& way : ways) timed.push_back({way.name, way.reference, way.meaning, {}, {}});
  for (unsigned round = 0; round <= rounds; ++round) {
    std::vector<double> seconds(ways.size());
    for (const std::size_t i : order_of_round(round, ways.size())) {
      seconds[i] = time_once(job, ways[i].run);
      if (ways[i].verify) ways[i].verify(job);
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
