// The rows of a simulation, in one of three places. One argument of the program chooses it:
//
//   orbits.rows           a file that one process writes
//   mpi:orbits.rows       the same file, which all ranks of an MPI program write together
//   s3://bucket/orbits    objects in a store: each run writes one, orbits.1, orbits.2 and so on
#pragma once

#include <mpi.h>
#include <sluice/files.h>
#include <sluice/mpi.h>
#include <sluice/reader.h>
#include <sluice/writer.h>
#ifdef TRAJECTORIES_WITH_OBJECTS
#include <sluice/object.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "arguments.h"

namespace trajectories {

using Place = std::array<double, 3>;
using Row = std::array<Place, 12>;  // of all bodies at one step

inline bool is_object(std::string_view target) {
  return target.find("://") != std::string_view::npos;
}

inline bool is_shared(std::string_view target) { return target.starts_with("mpi:"); }

// The path of a file. The readers need not know how many processes have written it.
inline std::string path_of(const std::string& target) {
  return is_shared(target) ? target.substr(4) : target;
}

// The object of one run. Its number stands before the options that follow a question mark.
inline std::string object_of_run(const std::string& target, std::uint64_t run) {
  const std::size_t end = std::min(target.find('?'), target.size());
  return target.substr(0, end) + "." + std::to_string(run) + target.substr(end);
}

template <typename WriterOrReader>
sluice::Status open_an_object([[maybe_unused]] WriterOrReader& opened, const std::string& uri) {
#ifdef TRAJECTORIES_WITH_OBJECTS
  return sluice::open_object(opened, uri);
#else
  return sluice::Status::failure(sluice::Operation::open, uri, ENOTSUP, std::nullopt,
                                 "this example was built without object stores");
#endif
}

// FILE.rows has the number of rows that are durable. What an interrupted run wrote behind them may
// have holes.
inline sluice::Status note_durable_rows(const std::string& path, std::uint64_t rows) {
  return sluice::write_file(path + ".rows", std::to_string(rows) + "\n",
                            {.create = sluice::CreateMode::replace_atomically});
}

// Fails with EBADMSG if FILE.rows has no number, or is missing although the file has bytes.
inline sluice::Status find_durable_rows(const std::string& path, std::uint64_t& rows) {
  rows = 0;
  const std::string name = path + ".rows";
  std::error_code none;
  const bool has_bytes =
      std::filesystem::exists(path, none) && std::filesystem::file_size(path, none) > 0;
  if (!has_bytes && !std::filesystem::exists(name, none)) return {};
  std::string text;
  const sluice::Status status = sluice::read_file(name, text);
  const bool is_missing = status.code() == std::errc::no_such_file_or_directory;
  if (!status.ok() && !is_missing) return status;
  if (text.ends_with('\n')) text.pop_back();
  const std::optional<std::uint64_t> count = number_in<std::uint64_t>(text.c_str());
  if (count) return rows = *count, sluice::Status();
  return sluice::Status::failure(sluice::Operation::open, name, EBADMSG, std::nullopt,
                                 "this file must have the number of durable rows of " + path +
                                     ": put it back, or begin anew by removing " + path);
}

// Reads the rows of all runs.
class RowReader {
 public:
  explicit RowReader(std::string target) : target_(std::move(target)) {
    if (is_object(target_)) {
      rows_left_ = UINT64_MAX;
    } else {
      status_ = find_durable_rows(path_of(target_), rows_left_);
    }
  }

  // False after the last row, and after a failure.
  bool next(Row& row) {
    while (rows_left_ > 0) {
      if (reader_.is_open() && reader_.read_value(row)) return --rows_left_, ++rows_, true;
      if (!open_next()) break;
    }
    return false;
  }

  const sluice::Status& status() const { return status_; }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t runs() const { return runs_; }  // those that have left an object

 private:
  bool open_next() {
    if (reader_.is_open()) status_ = reader_.status();
    if (!status_.ok()) return false;
    if (reader_.is_open() && !is_object(target_)) return refuse_lost_rows();
    reader_ = sluice::Reader();
    status_ = is_object(target_) ? open_an_object(reader_, object_of_run(target_, runs_ + 1))
                                 : reader_.open(path_of(target_));
    const bool is_end = status_.code() == std::errc::no_such_file_or_directory;
    if (is_end && is_object(target_)) return status_ = {}, false;
    ++runs_;
    return status_.ok();
  }

  // The file was cut or copied short: rows are gone that were durable.
  bool refuse_lost_rows() {
    status_ = sluice::Status::failure(
        sluice::Operation::read, path_of(target_), EBADMSG, rows_ * sizeof(Row),
        "the file ends here, and " + std::to_string(rows_left_) + " durable rows are missing");
    return false;
  }

  const std::string target_;
  sluice::Reader reader_;
  sluice::Status status_;
  std::uint64_t rows_left_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t runs_ = 0;
};

// Where the rows of a run go. Every rank calls every function, in the same order.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  virtual void write(const Row& row) = 0;
  // The rows so far survive a power cut. (In an object store: those of runs that have ended.)
  virtual sluice::Status flush() = 0;
  virtual sluice::Status close() = 0;
};

// Gives all ranks the result of the first one: those that it stops must not wait for the others.
// Every rank calls this.
inline sluice::Status result_of_first_rank(const sluice::Status& mine, const std::string& path) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int code = mine.code().value();
  MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0 || code == 0) return mine;
  return sluice::Status::failure(sluice::Operation::write, path, code);
}

// The first rank writes for all.
class OneWriter : public RowWriter {
 public:
  OneWriter(const std::string& target, std::uint64_t rows, std::uint64_t runs)
      : path_(path_of(target)), is_object_(is_object(target)) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    if (rank_ != 0) return;
    opened_ = is_object_ ? open_an_object(writer_, object_of_run(target, runs + 1))
                         : writer_.open(path_, {.create = rows == 0 ? sluice::CreateMode::truncate
                                                                    : sluice::CreateMode::append});
  }
  void write(const Row& row) override {
    if (rank_ == 0 && opened_.ok()) writer_.write_value(row);
  }
  sluice::Status flush() override {
    sluice::Status status = opened_;
    if (rank_ == 0 && status.ok()) {
      status = is_object_ ? writer_.status() : writer_.flush(sluice::FlushTo::storage);
    }
    return result_of_first_rank(status, path_);
  }
  sluice::Status close() override {
    sluice::Status status = opened_;
    if (rank_ == 0 && status.ok()) status = writer_.close();
    return result_of_first_rank(status, path_);
  }

 private:
  const std::string path_;
  const bool is_object_;
  int rank_ = 0;
  sluice::Writer writer_;
  sluice::Status opened_;
};

// Each rank writes its own share of each row.
class SharedWriter : public RowWriter {
 public:
  SharedWriter(const std::string& target, std::uint64_t rows) {
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    count_ = std::tuple_size_v<Row> / static_cast<std::size_t>(ranks);
    first_ = count_ * static_cast<std::size_t>(rank);
    opened_ = writer_.open(
        MPI_COMM_WORLD, path_of(target),
        {.layout = sluice::MpiLayout::striped,
         .record_bytes = count_ * sizeof(Place),
         .create = rows == 0 ? sluice::CreateMode::truncate : sluice::CreateMode::append});
  }
  void write(const Row& row) override {
    if (opened_.ok()) writer_->write_values(std::span(row).subspan(first_, count_));
  }
  sluice::Status flush() override {
    return opened_.ok() ? writer_.flush(sluice::FlushTo::storage) : opened_;
  }
  sluice::Status close() override { return opened_.ok() ? writer_.close() : opened_; }

 private:
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  sluice::MpiWriter writer_;
  sluice::Status opened_;
};

// `rows` and `runs`: what is there already.
inline std::unique_ptr<RowWriter> writer_for(const std::string& target, std::uint64_t rows,
                                             std::uint64_t runs) {
  if (is_shared(target)) return std::make_unique<SharedWriter>(target, rows);
  return std::make_unique<OneWriter>(target, rows, runs);
}

}  // namespace trajectories
