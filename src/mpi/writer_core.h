// MpiWriter::Core: what an open MpiWriter has besides the Writer that the program uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mpi/held_sink.h"
#include "mpi/open_file.h"
#include "mpi/region_sink.h"
#include "sluice/mpi.h"

namespace sluice {

// A round of the exchange of records brings each rank at most this many bytes, or one row.
inline constexpr std::size_t round_bytes = std::size_t{16} << 20;

// The bytes for each rank, or from each rank, in one round of the exchange. add() never needs
// memory, because open() has reserved it: a rank that had none would leave the others waiting.
struct Round {
  std::vector<int> counts;
  std::vector<int> places;

  void reserve(std::size_t ranks) {
    counts.reserve(ranks);
    places.reserve(ranks);
  }
  void clear() {
    counts.clear();
    places.clear();
  }
  void add(std::uint64_t bytes, std::uint64_t place) {
    counts.push_back(static_cast<int>(bytes));
    places.push_back(static_cast<int>(place));
  }
  Ranks::Pieces pieces() const { return {counts, places}; }
};

// The bytes go from the program's Writer to the file in one of two ways:
//   contiguous:  Writer -> RegionSink
//   the others:  Writer -> HeldSink; place(): Held -> exchange -> `placed` -> RegionSink
struct MpiWriter::Core : OpenFile {
  Core(const std::string& name, const MpiWriterOptions& chosen) : OpenFile(name), options(chosen) {}

  bool holds() const { return options.layout != MpiLayout::contiguous; }

  // Collective. Opening.
  Status open(Writer& writer, MPI_Comm communicator);
  // Collective. Agrees on the results of the ranks so far. If all are ok, places what this rank
  // holds. What then fails shows in the next result of this rank.
  Status place(const Writer& writer);
  // The failure of this rank so far, or ok.
  Status failure_of(const Writer& writer) const;
  // Why this rank's bytes cannot be complete, after the last place().
  Status check_completeness() const;

  const MpiWriterOptions options;
  Held held;
  bool has_helper = false;
  std::uint64_t begin = 0;     // where this MpiWriter began in the file
  std::uint64_t end = 0;       // append_ordered: the end of the file
  std::uint64_t rows = 0;      // striped: the rows that are placed
  std::uint64_t max_rows = 0;  // striped: the rows of the rank with the most
  Region region;               // contiguous
  WrittenBytes written;        // contiguous: by this rank
  Bytes exchanged;             // striped: the records that came from the other ranks
  Round sent;                  // striped
  Round received;              // striped
  Status exchange_failure;     // of this rank
  Writer placed;               // writes what the ranks have placed; its Sink uses `file`

 private:
  Status check_options() const;
  Status check_region(std::uint64_t before) const;
  WriterOptions options_of_writer() const;
  Status check_options_of_writer() const;
  Status agree_on_options(std::uint64_t& bytes_before);
  Status open_file();
  Status empty_file();
  Status open_writers(Writer& writer);
  bool make_room_for_exchange();
  Status agree_on_lowest(const Writer& writer);
  void place_in_order();
  void exchange_rows(std::uint64_t count);
  void write_rows(std::uint64_t count);
  void write_placed(BytesView bytes);
  void fail(const Status& status);
};

}  // namespace sluice
