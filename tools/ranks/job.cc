#include "ranks/job.h"

#include <chrono>
#include <cstring>
#include <thread>

namespace sluice::ranks {
namespace {

// One multiplication waits for the other, so the compiler cannot make this faster than a chain.
std::uint64_t mixed(std::uint64_t value, unsigned passes) {
  for (unsigned pass = 0; pass < passes; ++pass) {
    value = (value ^ (value >> 29)) * 0xbf58476d1ce4e5b9U;
  }
  return value;
}

// The compiler must not leave out the passes whose results nobody uses.
volatile std::uint64_t sink;

}  // namespace

void compute(std::span<std::byte> piece, const Job& job, std::uint64_t position) {
  // A thread that sleeps briefly wakes up late, so it sleeps for several pieces at once.
  constexpr std::size_t slept_bytes = std::size_t{1} << 20;
  if (job.think_per_byte > 0 && position % slept_bytes == 0) {
    std::this_thread::sleep_for(std::chrono::duration<double>(job.think_per_byte * slept_bytes));
  }
  std::uint64_t unused = 0;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= piece.size(); at += sizeof unused) {
    const std::uint64_t seed = (job.begin() + position + at) * 0x9e3779b97f4a7c15U;
    if (job.passes > 1) unused ^= mixed(seed + 1, job.passes - 1);
    const std::uint64_t value = mixed(seed, 1);
    std::memcpy(piece.data() + at, &value, sizeof value);
  }
  sink = unused;
}

}  // namespace sluice::ranks
