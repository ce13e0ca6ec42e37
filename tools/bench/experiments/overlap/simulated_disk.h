// A file on a disk of a given rate: a simulation, to be named as such in titles.
//
// The disk takes bytes at its rate and has a cache of a few milliseconds' worth; a write waits
// while the cache is full, close() until all is done. Latency is not modelled.
// Threads: one call at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <streambuf>
#include <string>
#include <vector>

#include "bench/experiments/output/file_targets.h"
#include "sluice/sink.h"

namespace sluice::bench {

class SimulatedDisk {
 public:
  SimulatedDisk(std::string path, std::uint64_t bytes_per_second)
      : file_(std::move(path)),
        nanoseconds_per_byte_(1e9 / static_cast<double>(bytes_per_second)) {}

  void write(const void* data, std::size_t bytes);
  void close();

 private:
  using Clock = std::chrono::steady_clock;

  RawOutput file_;
  double nanoseconds_per_byte_;
  Clock::time_point idle_;  // when the disk will have done what it was given
};

// A stream buffer in front of the disk, of the size that std::filebuf has.
class SimulatedDiskBuffer : public std::streambuf {
 public:
  explicit SimulatedDiskBuffer(SimulatedDisk& disk);

 protected:
  int_type overflow(int_type next) override;
  int sync() override;

 private:
  SimulatedDisk& disk_;
  std::vector<char> buffer_;
};

// A Sink in front of the disk, which must outlive it.
std::unique_ptr<Sink> make_simulated_disk_sink(SimulatedDisk& disk);

}  // namespace sluice::bench
