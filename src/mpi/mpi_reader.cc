#include <cerrno>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi/failure.h"
#include "mpi/open_file.h"
#include "mpi/part_source.h"
#include "sluice/mpi.h"

namespace sluice {

struct MpiReader::Core : OpenFile {
  Core(const std::string& name, const MpiReaderOptions& chosen) : OpenFile(name), options(chosen) {}

  // Collective.
  Status open(Reader& reader, MPI_Comm communicator);

  const MpiReaderOptions options;
  Region part;

 private:
  Status make_room_for_begins();
  Status check_options() const;
  Status divide(std::uint64_t file_bytes);
  Status divide_lines(std::uint64_t file_bytes);
  std::uint64_t equal_part(std::uint64_t count, std::uint64_t rank) const;

  std::vector<std::uint64_t> begins_;  // lines: of all parts, and the end of the last one
};

namespace {

const Status& never_opened() {
  static const Status status = Status::failure(Operation::open, "(nothing)", EBADF, std::nullopt,
                                               "the MpiReader is not open");
  return status;
}

}  // namespace

Status MpiReader::Core::check_options() const {
  const auto refuse = [&](std::string_view reason) {
    return Status::failure(Operation::open, path, EINVAL, std::nullopt, reason);
  };
  if (options.partition > MpiPartition::records) {
    return refuse("option partition is no MpiPartition");
  }
  constexpr std::size_t max_record_bytes = std::size_t{1} << 40;
  const bool is_sensible = options.record_bytes >= 1 && options.record_bytes <= max_record_bytes;
  if (options.partition == MpiPartition::records && !is_sensible) {
    return refuse("option record_bytes must be 1 to 1099511627776");
  }
  return {};
}

// Where the equal part of a rank begins, if `count` things are divided. The product of `count` and
// a rank could be too large for 64 bits.
std::uint64_t MpiReader::Core::equal_part(std::uint64_t count, std::uint64_t rank) const {
  const auto ranks_count = static_cast<std::uint64_t>(ranks.count());
  return count / ranks_count * rank + count % ranks_count * rank / ranks_count;
}

Status MpiReader::Core::divide(std::uint64_t file_bytes) {
  if (options.partition == MpiPartition::lines) return divide_lines(file_bytes);
  const std::uint64_t unit = options.partition == MpiPartition::records ? options.record_bytes : 1;
  const auto rank = static_cast<std::uint64_t>(ranks.rank());
  part.begin = equal_part(file_bytes / unit, rank) * unit;
  part.end = equal_part(file_bytes / unit, rank + 1) * unit;
  if (ranks.rank() + 1 == ranks.count()) part.end = file_bytes;
  return {};
}

// Before the ranks agree, so that no rank leaves the others waiting in divide_lines().
Status MpiReader::Core::make_room_for_begins() {
  try {
    begins_.resize(static_cast<std::size_t>(ranks.count()) + 1);
  } catch (const std::bad_alloc&) {
    return Status::failure(Operation::allocate, path, ENOMEM);
  }
  return {};
}

// Each rank finds where its own part begins. A part ends where the next one begins.
Status MpiReader::Core::divide_lines(std::uint64_t file_bytes) {
  const auto rank = static_cast<std::size_t>(ranks.rank());
  Status mine = find_line(file, equal_part(file_bytes, rank), file_bytes, part.begin);
  begins_.back() = file_bytes;
  Status gathered = ranks.gather(part.begin, std::span(begins_).first(begins_.size() - 1));
  part.end = begins_[rank + 1];
  return mine.ok() ? gathered : mine;
}

Status MpiReader::Core::open(Reader& reader, MPI_Comm communicator) {
  if (Status status = ranks.open(communicator); !status.ok()) return status;
  const bool has_records = options.partition == MpiPartition::records;
  const Ranks::Named values[] = {
      ranks.path(),
      {"values of the option partition", static_cast<std::int64_t>(options.partition)},
      {"values of the option record_bytes",
       has_records ? static_cast<std::int64_t>(options.record_bytes) : 0}};
  Status mine = check_options();
  if (mine.ok() && ranks.rank() == 0) mine = check_kind_of_file(path);
  agreed = ranks.agree_on_equal(mine, values);
  if (!agreed.status.ok()) return agreed.status;
  mine = make_room_for_begins();
  if (mine.ok()) mine = file.open(MPI_MODE_RDONLY, options.hints);
  std::uint64_t file_bytes = 0;
  if (mine.ok() && ranks.rank() == 0) mine = file.size(file_bytes);
  const bool has_size = ranks.rank() == 0;
  std::int64_t sizes[] = {has_size ? static_cast<std::int64_t>(file_bytes)
                                   : std::numeric_limits<std::int64_t>::max()};
  if (Status status = agree(mine, sizes); !status.ok()) return status;
  file_bytes = static_cast<std::uint64_t>(sizes[0]);
  mine = divide(file_bytes);
  if (mine.ok()) {
    std::unique_ptr<Source> source(new (std::nothrow) PartSource(file, part));
    mine = source ? reader.open(std::move(source), {.block_bytes = options.block_bytes})
                  : Status::failure(Operation::open, path, ENOMEM);
  }
  return agree(mine);
}

MpiReader::MpiReader() noexcept = default;
MpiReader::~MpiReader() = default;
MpiReader::MpiReader(MpiReader&& other) noexcept = default;

MpiReader& MpiReader::operator=(MpiReader&& other) noexcept {
  if (this != &other) {
    this->~MpiReader();
    new (this) MpiReader(std::move(other));
  }
  return *this;
}

Status MpiReader::open(MPI_Comm communicator, const std::string& path,
                       const MpiReaderOptions& options) {
  if (core_ && !core_->is_closed) return refuse_second_open(path, "MpiReader");
  reader_ = Reader();
  not_begun_ = make_core(communicator, path, options, core_);
  if (!not_begun_.ok()) return not_begun_;
  const Status opened = core_->open(reader_, communicator);
  if (!opened.ok()) reader_ = Reader();  // it is open if another rank is the one that has failed
  return core_->take_opened(opened);
}

std::uint64_t MpiReader::first_byte() const noexcept { return core_ ? core_->part.begin : 0; }

std::uint64_t MpiReader::bytes() const noexcept {
  return core_ ? core_->part.end - core_->part.begin : 0;
}

const Status& MpiReader::status() const noexcept {
  if (core_) return core_->agreed.status;
  return not_begun_.ok() ? never_opened() : not_begun_;
}

int MpiReader::failed_rank() const noexcept { return core_ ? core_->agreed.rank : -1; }

// A Reader counts positions in its part, and the ranks need positions in the file.
Status MpiReader::close() {
  if (!core_ || core_->is_closed) return status();
  core_->is_closed = true;
  const Status failure = reader_.status();
  const Status closed = reader_.close();
  Status mine = failure.ok() ? closed : failure;
  if (!mine.ok() && mine.offset()) mine = mine.at(core_->part.begin + *mine.offset());
  static_cast<void>(core_->agree(mine));
  core_->ranks.close();
  return status();
}

}  // namespace sluice
