// A trajectory is a folder with parts: 000001.series, 000002.series and so on, or .plain instead of
// .series. Each run of a simulation writes one part. A part holds doubles alone, in records of the
// size of Positions: the first record describes the part, each further one has the positions of a
// step.
#pragma once

#include <sluice/compression.h>
#include <sluice/series.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

#include "solar_system.h"

namespace trajectories {

inline std::string part_path(const std::string& folder, std::size_t part, bool is_series) {
  char name[32];
  std::snprintf(name, sizeof name, "/%06zu.%s", part, is_series ? "series" : "plain");
  return folder + name;
}

// Writes one part. Another form of the simulation (with MPI, for example) can have a
// TrajectoryWriter in each process, for a part of the bodies.
class TrajectoryWriter {
 public:
  sluice::Status open(const std::string& path, bool is_series, double step_days,
                      std::uint64_t first_step) {
    // The positions are safe when close() returns.
    const sluice::WriterOptions durable{.durability = sluice::Durability::on_close};
    // Whole records in each frame: a number is compared with the same number of the last record.
    const sluice::CompressionOptions whole{.frame_bytes = (1 << 20) / record_bytes * record_bytes};
    sluice::Status status =
        is_series ? open_compressed(writer_, path, sluice::series<double>(), whole, durable)
                  : writer_.open(path, durable);
    if (status.ok()) write(Positions{step_days, static_cast<double>(first_step)});
    return status;
  }

  bool write(const Positions& at) { return writer_.write_value(at); }
  sluice::Status close() { return writer_.close(); }

 private:
  static constexpr std::size_t record_bytes = sizeof(Positions);
  sluice::Writer writer_;
};

// Reads all parts of a folder, one after another. If a run was interrupted, its part ends early,
// and the next part goes on there. If there is no such part, next() fails with EBADMSG.
class TrajectoryReader {
 public:
  explicit TrajectoryReader(std::string folder) : folder_(std::move(folder)) {}

  // False after the last step, and after a failure.
  bool next(Positions& at) {
    do {
      if (reader_.is_open() && reader_.read_value(at)) return ++steps_, true;
    } while (open_next());
    return false;
  }

  const sluice::Status& status() const { return status_; }
  std::uint64_t steps() const { return steps_; }
  std::size_t parts() const { return parts_; }
  double step_days() const { return step_days_; }

 private:
  bool open_next() {
    if (reader_.is_open()) status_ = reader_.status();
    std::string path = part_path(folder_, parts_ + 1, true);
    if (!std::filesystem::exists(path)) path = part_path(folder_, parts_ + 1, false);
    const bool may_go_on = status_.ok() || status_.code().value() == EBADMSG;
    if (!may_go_on || !std::filesystem::exists(path)) return false;
    ++parts_;
    reader_ = sluice::Reader();
    sluice::Status status = open_decompressed(reader_, path, {&sluice::series<double>()});
    Positions about;
    if (status.ok() && reader_.read_value(about)) {
      step_days_ = about[0];
      if (about[1] == static_cast<double>(steps_)) status_ = {};  // it goes on after the last step
    } else {
      status_ = status;
    }
    return status_.ok();
  }

  const std::string folder_;
  sluice::Reader reader_;  // of the present part, plain or compressed
  sluice::Status status_;
  std::size_t parts_ = 0;
  std::uint64_t steps_ = 0;
  double step_days_ = 0;
};

}  // namespace trajectories
