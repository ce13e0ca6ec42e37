#include "mpi/ranks.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <string_view>
#include <type_traits>

#include "mpi/failure.h"

namespace sluice {
namespace {

constexpr std::int64_t nothing_failed = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t failed_without_offset = nothing_failed - 1;

// A failure as the bytes that one rank sends to the others.
struct SentFailure {
  Operation operation;
  bool has_offset;
  int code;
  std::uint64_t offset;
  char reason[512];
};
static_assert(std::is_trivially_copyable_v<SentFailure>);

SentFailure sent_form(const Status& status) noexcept {
  SentFailure sent{};
  sent.operation = status.operation();
  sent.has_offset = status.offset().has_value();
  sent.code = status.code().value();
  sent.offset = status.offset().value_or(0);
  try {
    reason_of(status).copy(sent.reason, sizeof sent.reason - 1);
  } catch (const std::bad_alloc&) {
    std::string_view("there was no memory to say why").copy(sent.reason, sizeof sent.reason - 1);
  }
  return sent;
}

Status received_form(const SentFailure& sent, const std::string& path, int rank) noexcept {
  std::optional<std::uint64_t> offset;
  if (sent.has_offset) offset = sent.offset;
  return failure_because(sent.operation, path, sent.code, offset,
                         [&] { return "rank " + std::to_string(rank) + ": " + sent.reason; });
}

std::int64_t order_of(const Status& status) {
  if (status.ok()) return nothing_failed;
  if (!status.offset()) return failed_without_offset;
  constexpr auto last = static_cast<std::uint64_t>(failed_without_offset);
  return static_cast<std::int64_t>(std::min(*status.offset(), last));
}

}  // namespace

Status Ranks::agree_on_memory(MPI_Comm communicator, const std::string& path, bool has_memory) {
  int all_have = has_memory ? 1 : 0;
  const int code = MPI_Allreduce(MPI_IN_PLACE, &all_have, 1, MPI_INT, MPI_MIN, communicator);
  if (code != MPI_SUCCESS) return mpi_failure(Operation::open, path, code);
  return all_have != 0 ? Status() : Status::failure(Operation::open, path, ENOMEM);
}

// The mpirun of another MPI starts each rank as a job of its own, and leaves a variable that says
// how many it has started. All of them would write one file over each other.
Status Ranks::check_launcher(MPI_Comm communicator) const {
  int world = 0;
  int comparison = MPI_UNEQUAL;
  MPI_Comm_size(MPI_COMM_WORLD, &world);
  MPI_Comm_compare(communicator, MPI_COMM_WORLD, &comparison);
  if (world != 1 || comparison != MPI_IDENT) return {};
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const started = std::getenv(variable);
    if (started == nullptr || std::atoi(started) <= 1) continue;
    return failure_because(Operation::open, path_, EINVAL, std::nullopt, [=] {
      return std::string("mpirun has started ") + started + " ranks (" + variable +
             "), and MPI_COMM_WORLD has one: this is the mpirun of another MPI than the program's. "
             "Use the program's own (mpirun.openmpi or mpirun.mpich), or MPI_COMM_SELF for a file "
             "of each rank";
    });
  }
  return {};
}

Status Ranks::open(MPI_Comm communicator) {
  if (Status status = check_launcher(communicator); !status.ok()) return status;
  if (const int code = MPI_Comm_dup(communicator, &communicator_); code != MPI_SUCCESS) {
    return result_of(code);
  }
  MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &count_);
  return {};
}

void Ranks::close() {
  const bool is_open = communicator_ != MPI_COMM_NULL;
  if (is_open && check_that_mpi_runs(Operation::close, path_).ok()) MPI_Comm_free(&communicator_);
}

Status Ranks::result_of(int code) const {
  return code == MPI_SUCCESS ? Status() : mpi_failure(operation_, path_, code);
}

// The ranks cannot agree: each has its own failure.
Agreed Ranks::alone(const Status& failure) const {
  return {received_form(sent_form(failure), path_, rank_), rank_};
}

Agreed Ranks::agree(const Status& mine, std::span<std::int64_t> least) const {
  if (Status runs = check_that_mpi_runs(operation_, path_); !runs.ok()) return alone(runs);
  std::array<std::int64_t, 1 + max_least> values = {order_of(mine)};
  std::copy(least.begin(), least.end(), values.begin() + 1);
  const std::span used = std::span(values).first(1 + least.size());
  if (Status status = find_least(used); !status.ok()) return alone(status);
  std::copy(used.begin() + 1, used.end(), least.begin());
  if (values[0] == nothing_failed) return {};
  const bool is_first = order_of(mine) == values[0];
  std::int64_t lowest[] = {is_first ? rank_ : count_};
  if (Status status = find_least(lowest); !status.ok()) return alone(status);
  const auto rank = static_cast<int>(lowest[0]);
  SentFailure sent = rank == rank_ ? sent_form(mine) : SentFailure{};
  const int code = MPI_Bcast(&sent, sizeof sent, MPI_BYTE, rank, communicator_);
  if (Status status = result_of(code); !status.ok()) return alone(status);
  return {received_form(sent, path_, rank), rank};
}

// The least value and the least negated value, which is the negated greatest value.
Agreed Ranks::agree_on_equal(const Status& mine, std::span<const Named> values) const {
  std::array<std::int64_t, max_least> ends{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    ends[2 * i] = values[i].second;
    ends[2 * i + 1] = -values[i].second;
  }
  Agreed agreed = agree(mine, std::span(ends).first(2 * values.size()));
  for (std::size_t i = 0; agreed.status.ok() && i < values.size(); ++i) {
    if (ends[2 * i] == -ends[2 * i + 1]) continue;
    agreed.status = failure_because(Operation::open, path_, EINVAL, std::nullopt, [&] {
      return std::string("the ranks have different ") + values[i].first;
    });
  }
  return agreed;
}

Ranks::Named Ranks::path() const {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a, which is the same in every program
  for (const char each : path_) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
  return {"paths", static_cast<std::int64_t>(hash >> 1)};
}

Status Ranks::add(std::uint64_t& value) const {
  return result_of(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, communicator_));
}

Status Ranks::find_least(std::span<std::int64_t> values) const {
  return result_of(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                                 MPI_INT64_T, MPI_MIN, communicator_));
}

Status Ranks::add_of_lower_ranks(std::uint64_t value, std::uint64_t& before) const {
  before = 0;
  const int code = MPI_Exscan(&value, &before, 1, MPI_UINT64_T, MPI_SUM, communicator_);
  if (rank_ == 0) before = 0;  // MPI leaves the result of rank 0 undefined
  return result_of(code);
}

Status Ranks::gather(std::uint64_t value, std::span<std::uint64_t> all) const {
  return result_of(
      MPI_Allgather(&value, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, communicator_));
}

Status Ranks::exchange(const std::byte* from, Pieces sent, std::byte* into, Pieces received) const {
  return result_of(MPI_Alltoallv(from, sent.counts.data(), sent.places.data(), MPI_BYTE, into,
                                 received.counts.data(), received.places.data(), MPI_BYTE,
                                 communicator_));
}

}  // namespace sluice
