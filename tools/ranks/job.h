// Job: what the ranks measure, and the values that they write.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sluice::ranks {

inline constexpr std::size_t block_bytes = std::size_t{4} << 20;
inline constexpr std::size_t piece_bytes = std::size_t{64} << 10;  // computed at a time
inline constexpr std::size_t record_bytes = 100;
// Records differ by their first byte, so the same 256 records repeat.
inline constexpr std::size_t max_ready_bytes = 256 * record_bytes * 2600;  // about 64 MiB

// The part of one rank.
struct Job {
  int rank = 0;
  int count = 1;
  std::string path;           // of the shared file
  std::uint64_t bytes = 0;    // of this rank: whole blocks, or whole records
  unsigned passes = 0;        // over each piece, to compute it; 0: the pieces are ready
  double wait_per_byte = 0;   // seconds: how long a write waits for a simulated file system
  double think_per_byte = 0;  // seconds: how long a rank waits for an accelerator that computes
  // What is written, unless it is computed: a block, or records, of which a large job writes the
  // same ones again and again. They are made before the timing.
  std::shared_ptr<const std::vector<std::byte>> ready{};

  std::uint64_t begin() const { return static_cast<std::uint64_t>(rank) * bytes; }
};

// The measurement of a pass: a run with so many more passes than one.
inline constexpr unsigned more_passes = 16;

// The passes over `bytes` bytes that take as long as writing them. `one` and `many` are the seconds
// of one pass and of 1 + more_passes. A disturbed machine can make `many` the shorter one. So a
// pass counts as no faster than any processor makes it; otherwise the result could run for hours.
constexpr unsigned passes_for(double writing_seconds, double one, double many,
                              std::uint64_t bytes) {
  constexpr double fastest_bytes_per_second = 50e9;
  const double least = static_cast<double>(bytes) / fastest_bytes_per_second;
  const double pass = std::max((many - one) / more_passes, least);
  const double more = (writing_seconds - one) / pass;
  return more < 0.5 ? 1 : static_cast<unsigned>(1.5 + std::min(more, 1e6));
}
static_assert(passes_for(0.5, 0.1, 0.1 + 0.02 * more_passes, 1 << 20) == 21);
static_assert(passes_for(0.1, 0.5, 1, 1 << 20) == 1);
// 4 MiB whose first measurement was disturbed.
static_assert(passes_for(0.02, 0.01, 0.005, 4 << 20) <= 120);

// Fills a piece with the values at `position` of this rank, which are the same with any number of
// passes from 1 on. Only the time differs.
void compute(std::span<std::byte> piece, const Job& job, std::uint64_t position);

// From now on each MPI_File_write_at of this process takes at least this time for each byte, as if
// a file system were at the other end of a network. 0 ends the simulation.
void simulate_file_system(double wait_per_byte);

}  // namespace sluice::ranks
