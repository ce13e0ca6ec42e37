#include "mpi/writer_core.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "mpi/failure.h"

namespace sluice {
namespace {

constexpr std::size_t max_held_bytes = std::size_t{1} << 30;  // MPI counts bytes in an int
constexpr std::uint64_t max_file_bytes = std::numeric_limits<std::int64_t>::max();

// The block in which a rank collects bytes that it will hold: it stays in the processor's cache.
constexpr std::size_t holding_block_bytes = 256 * 1024;

template <typename MakeSink>
Status open_writer(Writer& writer, const std::string& path, const WriterOptions& options,
                   MakeSink make_sink) {
  std::unique_ptr<Sink> sink(make_sink());
  if (!sink) return Status::failure(Operation::open, path, ENOMEM);
  return writer.open(std::move(sink), options);
}

}  // namespace

Status MpiWriter::Core::open(Writer& writer, MPI_Comm communicator) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  has_helper = level == MPI_THREAD_MULTIPLE;
  if (Status status = ranks.open(communicator); !status.ok()) return status;
  std::uint64_t before = 0;
  if (Status status = agree_on_options(before); !status.ok()) return status;
  if (Status status = open_file(); !status.ok()) return status;
  Status mine = check_region(before);
  region = {begin + before, begin + before + options.rank_bytes};
  end = begin;
  held.max_bytes = options.held_bytes;
  if (mine.ok() && ranks.rank() != 0) mine = file.open(MPI_MODE_WRONLY, options.hints);
  if (mine.ok()) mine = open_writers(writer);
  Status opened = agree(mine);
  if (!opened.ok() || options.create != CreateMode::truncate) return opened;
  return agree(ranks.rank() == 0 ? empty_file() : Status());  // the last step
}

Status MpiWriter::Core::check_options() const {
  const auto refuse = [&](std::string_view reason) {
    return Status::failure(Operation::open, path, EINVAL, std::nullopt, reason);
  };
  const auto is_one_of = [](auto value, auto... choices) { return ((value == choices) || ...); };
  if (options.layout > MpiLayout::append_ordered) return refuse("option layout is no MpiLayout");
  if (!is_one_of(options.create, CreateMode::truncate, CreateMode::exclusive, CreateMode::append)) {
    return refuse("option create must be truncate, exclusive or append");
  }
  if (options.durability > Durability::every_flush) {
    return refuse("option durability must be none, on_close or every_flush");
  }
  if (options.held_bytes < 1 || options.held_bytes > max_held_bytes) {
    return refuse("option held_bytes must be 1 to 1073741824");
  }
  const auto count = static_cast<std::size_t>(ranks.count());
  const bool makes_a_row =
      options.record_bytes >= 1 && options.record_bytes <= max_held_bytes / count;
  if (options.layout == MpiLayout::striped && !makes_a_row) {
    return refuse("option record_bytes must be at least 1, and at most 1 GiB for all ranks");
  }
  return check_options_of_writer();
}

WriterOptions MpiWriter::Core::options_of_writer() const {
  return {.write_behind = options.write_behind,
          .block_bytes = options.block_bytes,
          .blocks_in_flight = options.blocks_in_flight};
}

// A Writer knows which numbers make sense. It must not find them only when the file is open.
Status MpiWriter::Core::check_options_of_writer() const {
  std::string nothing;
  Writer writer;
  return writer.open(make_memory_sink(nothing), options_of_writer());
}

// The sum `before` may be wrong, because 64 bits are too few for it. Then the regions of the lower
// ranks together are already too large, so the first rank that this check refuses has a right sum.
Status MpiWriter::Core::check_region(std::uint64_t before) const {
  const std::uint64_t most = max_file_bytes - begin;
  if (holds() || (before <= most && options.rank_bytes <= most - before)) return {};
  return failure_because(Operation::open, path, EINVAL, std::nullopt, [this] {
    return "option rank_bytes is " + std::to_string(options.rank_bytes) +
           ", and no file is so large as the regions of all ranks";
  });
}

Status MpiWriter::Core::agree_on_options(std::uint64_t& bytes_before) {
  const Status added = ranks.add_of_lower_ranks(options.rank_bytes, bytes_before);
  Status mine = check_options();
  if (mine.ok()) mine = added;
  if (mine.ok()) mine = check_region(bytes_before);
  if (mine.ok() && ranks.rank() == 0) mine = check_kind_of_file(path);
  const auto record = static_cast<std::int64_t>(options.record_bytes);
  const Ranks::Named values[] = {
      ranks.path(),
      {"values of the option layout", static_cast<std::int64_t>(options.layout)},
      {"values of the option record_bytes", options.layout == MpiLayout::striped ? record : 0},
      {"values of the option create", static_cast<std::int64_t>(options.create)},
      {"values of the option durability", static_cast<std::int64_t>(options.durability)}};
  agreed = ranks.agree_on_equal(mine, values);
  return agreed.status;
}

// Rank 0 makes the file before another rank opens it, so the hints of rank 0 count for a new file.
Status MpiWriter::Core::open_file() {
  Status mine;
  std::int64_t begins[] = {std::numeric_limits<std::int64_t>::max()};  // not of rank 0
  if (ranks.rank() == 0) {
    const int must_be_new = options.create == CreateMode::exclusive ? MPI_MODE_EXCL : 0;
    mine = file.open(MPI_MODE_WRONLY | MPI_MODE_CREATE | must_be_new, options.hints);
    if (mine.ok() && options.create == CreateMode::append) mine = file.size(begin);
    begins[0] = static_cast<std::int64_t>(begin);
  }
  mine = agree(mine, begins);
  begin = static_cast<std::uint64_t>(begins[0]);
  return mine;
}

// ext4 sends a file to the disk as soon as it is closed, if it was ever truncated to nothing (mount
// option auto_da_alloc), even if it had nothing before. So a new file is not truncated.
Status MpiWriter::Core::empty_file() {
  std::uint64_t bytes = 0;
  Status status = file.size(bytes);
  return status.ok() && bytes > 0 ? file.set_size(0) : status;
}

Status MpiWriter::Core::open_writers(Writer& writer) {
  WriterOptions to_file = options_of_writer();
  to_file.durability = options.durability;
  if (!holds()) {
    return open_writer(writer, path, to_file, [&] {
      return new (std::nothrow) RegionSink(file, region, has_helper, &written);
    });
  }
  const Region whole{begin, std::numeric_limits<std::int64_t>::max()};
  Status status = open_writer(placed, path, to_file, [&] {
    return new (std::nothrow) RegionSink(file, whole, has_helper, nullptr);
  });
  if (!status.ok()) return status;
  if (options.layout == MpiLayout::striped && !make_room_for_exchange()) {
    return Status::failure(Operation::allocate, path, ENOMEM);
  }
  const WriterOptions to_memory{.write_behind = WriteBehind::off,
                                .block_bytes = holding_block_bytes};
  return open_writer(writer, path, to_memory,
                     [&] { return new (std::nothrow) HeldSink(path, held); });
}

bool MpiWriter::Core::make_room_for_exchange() {
  const auto count = static_cast<std::size_t>(ranks.count());
  try {
    sent.reserve(count);
    received.reserve(count);
  } catch (const std::bad_alloc&) {
    return false;
  }
  return exchanged.resize(std::max(round_bytes, options.record_bytes * count));
}

// A rank that holds bytes counts their positions from its own first byte. Other ranks could take
// such an offset for a position in the file.
Status MpiWriter::Core::failure_of(const Writer& writer) const {
  if (!holds()) return writer.status();
  if (!exchange_failure.ok()) return exchange_failure;
  if (!placed.status().ok() || writer.status().ok()) return placed.status();
  const Status& failure = writer.status();
  return failure_because(failure.operation(), path, failure.code().value(), std::nullopt,
                         [&] { return reason_of(failure); });
}

Status MpiWriter::Core::check_completeness() const {
  const auto refuse = [this](std::uint64_t position, auto reason) {
    return failure_because(Operation::write, path, EINVAL, position, reason);
  };
  const std::uint64_t missing = written.first_missing(region.begin);
  if (options.layout == MpiLayout::contiguous && missing < region.end) {
    return refuse(missing, [this] {
      return "this rank has written " + std::to_string(written.count()) +
             " bytes, and option rank_bytes is " + std::to_string(options.rank_bytes);
    });
  }
  if (options.layout != MpiLayout::striped) return {};
  const std::uint64_t my_rows = rows + held.bytes.size() / options.record_bytes;
  const auto ranks_before = static_cast<std::uint64_t>(ranks.rank());
  const std::uint64_t next = my_rows * static_cast<std::uint64_t>(ranks.count()) + ranks_before;
  const std::uint64_t position = begin + next * options.record_bytes;
  if (const std::size_t partial = held.bytes.size() % options.record_bytes; partial != 0) {
    return refuse(position, [&] {
      return "the last record has only " + std::to_string(partial) + " of " +
             std::to_string(options.record_bytes) + " bytes";
    });
  }
  if (my_rows == max_rows) return {};
  return refuse(position, [&] {
    return "this rank has written " + std::to_string(my_rows) + " records, and another rank " +
           std::to_string(max_rows);
  });
}

}  // namespace sluice
