// The functions of MpiWriter::Core that give the held bytes their places in the file.
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <vector>

#include "mpi/writer_core.h"

namespace sluice {
namespace {

// The rows that each rank writes: the placed rows in equal parts, in the order of the ranks.
struct Parts {
  std::uint64_t rows;
  std::uint64_t count;

  std::uint64_t begin(std::uint64_t rank) const { return rank * rows / count; }
  std::uint64_t longest() const { return (rows + count - 1) / count; }
};

// The bytes for each rank in one round of the exchange.
struct Round {
  std::vector<int> counts;
  std::vector<int> places;

  void add(std::uint64_t bytes, std::uint64_t place) {
    counts.push_back(static_cast<int>(bytes));
    places.push_back(static_cast<int>(place));
  }
  Ranks::Pieces pieces() const { return {counts, places}; }
};

}  // namespace

Status MpiWriter::Core::place() {
  if (options.layout == MpiLayout::append_ordered) return place_in_order();
  if (options.layout == MpiLayout::striped) return place_rows();
  return {};
}

Status MpiWriter::Core::place_in_order() {
  std::uint64_t before = 0;
  std::uint64_t total = held.bytes.size();
  if (Status status = ranks.add_of_lower_ranks(total, before); !status.ok()) return status;
  if (Status status = ranks.add(total); !status.ok()) return status;
  const std::uint64_t position = end + before;
  end += total;
  if (held.bytes.empty()) return placed.status();
  if (Status status = placed.seek(position); !status.ok()) return status;
  Status status = write_placed(held.bytes);
  held.drop(held.bytes.size());
  return status;
}

// A write of a whole block would leave in this thread. Smaller pieces fill blocks, which a helper
// thread can write while the program computes.
Status MpiWriter::Core::write_placed(BytesView bytes) {
  const bool is_behind = has_helper && options.write_behind != WriteBehind::off;
  const std::size_t piece = is_behind ? std::max<std::size_t>(options.block_bytes / 4, 1)
                                      : std::max<std::size_t>(bytes.size(), 1);
  while (!bytes.empty()) {
    const BytesView next = bytes.first(std::min(piece, bytes.size()));
    if (!placed.write(next)) break;
    bytes = bytes.subspan(next.size());
  }
  return placed.status();
}

// Only rows that every rank has filled are placed.
Status MpiWriter::Core::place_rows() {
  const auto mine = static_cast<std::int64_t>(held.bytes.size() / options.record_bytes);
  std::int64_t ends[] = {mine, -mine};
  if (Status status = ranks.find_least(ends); !status.ok()) return status;
  const auto count = static_cast<std::uint64_t>(ends[0]);
  max_rows = rows + static_cast<std::uint64_t>(-ends[1]);
  if (count == 0) return placed.status();
  Status status = exchange_rows(rows, count);
  rows += count;
  held.drop(count * options.record_bytes);
  return status;
}

// Each rank writes one contiguous part of the rows. A round moves at most a block of bytes to each
// rank, or one row. A rank that has failed goes on exchanging, because the others wait for it.
Status MpiWriter::Core::exchange_rows(std::uint64_t begin_row, std::uint64_t count) {
  const std::uint64_t record = options.record_bytes;
  const auto ranks_count = static_cast<std::uint64_t>(ranks.count());
  const auto me = static_cast<std::uint64_t>(ranks.rank());
  const Parts parts{count, ranks_count};
  const std::uint64_t step =
      std::max<std::uint64_t>(options.block_bytes / (record * ranks_count), 1);
  const auto rows_of = [&](std::uint64_t rank, std::uint64_t done) {
    const std::uint64_t length = parts.begin(rank + 1) - parts.begin(rank);
    return std::min(length - std::min(done, length), step);
  };
  Status mine = exchanged.resize(std::min(step, parts.longest()) * record * ranks_count)
                    ? Status()
                    : Status::failure(Operation::allocate, path, ENOMEM);
  if (Status status = ranks.agree(mine).status; !status.ok()) return status;
  static_cast<void>(placed.seek(begin + (begin_row + parts.begin(me)) * record * ranks_count));
  for (std::uint64_t done = 0; done < parts.longest(); done += step) {
    Round sent;
    Round received;
    const std::uint64_t my_rows = rows_of(me, done);
    for (std::uint64_t rank = 0; rank < ranks_count; ++rank) {
      const std::uint64_t its_rows = rows_of(rank, done);
      sent.add(its_rows * record, its_rows == 0 ? 0 : (parts.begin(rank) + done) * record);
      received.add(my_rows * record, rank * my_rows * record);
    }
    Status status =
        ranks.exchange(held.bytes.data(), sent.pieces(), exchanged.data(), received.pieces());
    if (!status.ok()) return status;
    for (std::uint64_t row = 0; row < my_rows; ++row) {
      for (std::uint64_t rank = 0; rank < ranks_count; ++rank) {
        placed.write(exchanged.data() + (rank * my_rows + row) * record, record);
      }
    }
  }
  return placed.status();
}

}  // namespace sluice
