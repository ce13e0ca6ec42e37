// A file on a simulated disk of a given rate. The title of a group that uses it must say that the
// disk is simulated.
//
// The disk takes bytes at its rate, and has a cache for a few milliseconds of writing. A write
// waits while the cache is full. close() waits until the disk has taken all bytes. Latency is not
// modelled.
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
  Clock::time_point idle_;  // the time at which the disk will have taken all bytes
};

// A stream buffer in front of the disk, as large as the buffer of std::filebuf.
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

// A Sink in front of the disk. The disk must outlive the Sink.
std::unique_ptr<Sink> make_simulated_disk_sink(SimulatedDisk& disk);

}  // namespace sluice::bench
