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
#include <optional>
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
    // A part that is there stays as it is. The positions are safe when close() returns.
    const sluice::WriterOptions durable{.create = sluice::CreateMode::exclusive,
                                        .durability = sluice::Durability::on_close};
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
// and the next part goes on there. If there is no next part, next() fails with EBADMSG. It also
// fails with EBADMSG if the next part begins at another step: an earlier part was damaged later.
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
  // True if the last part of all ends early: a new part can go on there.
  bool is_interrupted() const { return is_damaged() && next_part().empty(); }
  std::uint64_t steps() const { return steps_; }
  std::size_t parts() const { return parts_; }
  double step_days() const { return step_days_; }

 private:
  bool is_damaged() const { return status_.code().value() == EBADMSG; }

  // The path of the next part; empty if there is none.
  std::string next_part() const {
    for (const bool is_series : {true, false}) {
      std::string path = part_path(folder_, parts_ + 1, is_series);
      if (std::filesystem::exists(path)) return path;
    }
    return {};
  }

  bool open_next() {
    if (reader_.is_open() && status_.ok()) status_ = reader_.status();
    const std::string path = next_part();
    if (path.empty() || !(status_.ok() || is_damaged())) return false;
    sluice::Reader part;
    sluice::Status opened = open_decompressed(part, path, {&sluice::series<double>()});
    if (!opened.ok()) return status_ = std::move(opened), false;
    Positions about;
    if (part.read_value(about)) {
      if (about[1] != static_cast<double>(steps_)) return refuse(path);
      step_days_ = about[0];
      status_ = {};  // it goes on after the last step
    } else if (!part.status().ok() && part.status().code().value() != EBADMSG) {
      return status_ = part.status(), false;  // the part may be whole: nobody knows
    }
    ++parts_;
    reader_ = std::move(part);  // without steps if its run was interrupted at once
    return true;
  }

  bool refuse(const std::string& path) {
    if (status_.ok()) {
      status_ = sluice::Status::failure(sluice::Operation::read, path, EBADMSG, std::nullopt,
                                        "the part does not begin after the last step");
    }
    return false;
  }

  const std::string folder_;
  sluice::Reader reader_;  // of the present part, plain or compressed
  sluice::Status status_;
  std::size_t parts_ = 0;
  std::uint64_t steps_ = 0;
  double step_days_ = 0;
};

}  // namespace trajectories
