// The functions of MpiWriter::Core that give the held bytes their places in the file.
#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "mpi/writer_core.h"

namespace sluice {
namespace {

// The rows that each rank writes: the placed rows in equal parts, in the order of the ranks.
struct Parts {
  std::uint64_t rows;
  std::uint64_t count;

  std::uint64_t begin(std::uint64_t rank) const { return rank * rows / count; }
  std::uint64_t longest() const { return (rows + count - 1) / count; }
  // The rows of a rank in the round that begins after `done` rows of each part.
  std::uint64_t rows_of(std::uint64_t rank, std::uint64_t done, std::uint64_t step) const {
    const std::uint64_t length = begin(rank + 1) - begin(rank);
    return std::min(length - std::min(done, length), step);
  }
};

}  // namespace

// Only rows that every rank has filled are placed.
Status MpiWriter::Core::place(const Writer& writer) {
  const bool is_striped = options.layout == MpiLayout::striped;
  const std::size_t unit = is_striped ? options.record_bytes : 1;
  const auto my_rows = static_cast<std::int64_t>(held.bytes.size() / unit);
  std::int64_t ends[] = {my_rows, -my_rows};
  if (!agree(failure_of(writer), ends).ok()) return agree_on_lowest(writer);
  if (!is_striped) {
    place_in_order();
    return {};
  }
  max_rows = rows + static_cast<std::uint64_t>(-ends[1]);
  if (ends[0] > 0) exchange_rows(static_cast<std::uint64_t>(ends[0]));
  return {};
}

// Blocks that are still on their way may fail at a lower offset than the failure that is known. All
// ranks come here, because all of them know it.
Status MpiWriter::Core::agree_on_lowest(const Writer& writer) {
  static_cast<void>(placed.flush());
  return agree(failure_of(writer));
}

void MpiWriter::Core::fail(const Status& status) {
  if (exchange_failure.ok()) exchange_failure = status;
}

void MpiWriter::Core::place_in_order() {
  std::uint64_t before = 0;
  std::uint64_t total = held.bytes.size();
  fail(ranks.add_of_lower_ranks(total, before));
  fail(ranks.add(total));
  const std::uint64_t position = end + before;
  end += total;
  if (held.bytes.empty() || !exchange_failure.ok()) return;
  fail(placed.seek(position));
  if (!exchange_failure.ok()) return;
  write_placed(held.bytes);
  held.drop(held.bytes.size());
}

// A write of a whole block would leave in this thread. Smaller pieces fill blocks, which a helper
// thread can write while the program computes.
void MpiWriter::Core::write_placed(BytesView bytes) {
  const bool is_behind = has_helper && options.write_behind != WriteBehind::off;
  const std::size_t piece = is_behind ? std::max<std::size_t>(options.block_bytes / 4, 1)
                                      : std::max<std::size_t>(bytes.size(), 1);
  while (!bytes.empty()) {
    const BytesView next = bytes.first(std::min(piece, bytes.size()));
    if (!placed.write(next)) return;
    bytes = bytes.subspan(next.size());
  }
}

// Each rank writes one contiguous part of the rows. A rank that has failed goes on exchanging,
// because the others wait for it.
void MpiWriter::Core::exchange_rows(std::uint64_t count) {
  const std::uint64_t record = options.record_bytes;
  const auto ranks_count = static_cast<std::uint64_t>(ranks.count());
  const auto me = static_cast<std::uint64_t>(ranks.rank());
  const Parts parts{count, ranks_count};
  const std::uint64_t step = std::max<std::uint64_t>(round_bytes / (record * ranks_count), 1);
  fail(placed.seek(begin + (rows + parts.begin(me)) * record * ranks_count));
  for (std::uint64_t done = 0; done < parts.longest(); done += step) {
    sent.clear();
    received.clear();
    const std::uint64_t my_rows = parts.rows_of(me, done, step);
    for (std::uint64_t rank = 0; rank < ranks_count; ++rank) {
      const std::uint64_t its_rows = parts.rows_of(rank, done, step);
      sent.add(its_rows * record, its_rows == 0 ? 0 : (parts.begin(rank) + done) * record);
      received.add(my_rows * record, rank * my_rows * record);
    }
    std::byte* const into = exchanged.data();
    fail(ranks.exchange(held.bytes.data(), sent.pieces(), into, received.pieces()));
    if (exchange_failure.ok()) write_rows(my_rows);
  }
  rows += count;
  held.drop(count * record);
}

// Record k of rank r lies at (r * count + k) * record_bytes of what was exchanged.
void MpiWriter::Core::write_rows(std::uint64_t count) {
  const std::size_t record = options.record_bytes;
  const auto ranks_count = static_cast<std::size_t>(ranks.count());
  for (std::size_t row = 0; row < count; ++row) {
    const std::byte* from = exchanged.data() + row * record;
    for (std::size_t rank = 0; rank < ranks_count; ++rank, from += count * record) {
      placed.write(from, record);
    }
  }
}

}  // namespace sluice
