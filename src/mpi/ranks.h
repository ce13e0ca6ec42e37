// Ranks: the communicator of an open file, by which the ranks agree on one result.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "sluice/status.h"

namespace sluice {

// The result that all ranks have: ok, or the failure of `rank`.
struct Agreed {
  Status status;
  int rank = -1;
};

// Threads: one at a time. The destructor frees nothing, because freeing is collective.
class Ranks {
 public:
  explicit Ranks(std::string path) : path_(std::move(path)) {}

  // Collective. Fails with ENOMEM on every rank if `has_memory` is false on one of them. A rank
  // without memory has no Ranks of its own.
  static Status agree_on_memory(MPI_Comm communicator, const std::string& path, bool has_memory);
  // Collective. Takes a duplicate of the program's communicator.
  Status open(MPI_Comm communicator);
  // From here on failures of MPI are those of a flush.
  void note_that_the_file_is_open() noexcept { operation_ = Operation::flush; }
  // Collective.
  void close();

  int rank() const noexcept { return rank_; }
  int count() const noexcept { return count_; }

  // Collective. The failure with the lowest offset wins; failures without an offset come last. In
  // the same call of MPI, each value of `least`, at most max_least, becomes the smallest one of all
  // ranks.
  // The values are signed, because MPI_MIN compares unsigned values of 64 bits as signed ones:
  // MPICH 4.0.2 does so for MPI_UINT64_T, and Open MPI 4.1.4 for MPI_UNSIGNED_LONG.
  static constexpr std::size_t max_least = 10;
  Agreed agree(const Status& mine, std::span<std::int64_t> least = {}) const;

  // Collective. Agrees as above. Fails with EINVAL if the ranks have different values, which the
  // name calls in the plural.
  using Named = std::pair<const char*, std::int64_t>;
  Agreed agree_on_equal(const Status& mine, std::span<const Named> values) const;
  // Stands for the path of this rank.
  Named path() const;

  // Collective. `value` becomes the sum of the values of all ranks.
  Status add(std::uint64_t& value) const;
  // Collective. `before` is the sum of the values of the lower ranks.
  Status add_of_lower_ranks(std::uint64_t value, std::uint64_t& before) const;
  // Collective. all[r] is the value of rank r.
  Status gather(std::uint64_t value, std::span<std::uint64_t> all) const;

  // Collective. Each rank sends `counts[r]` bytes from `from + places[r]` to rank r.
  struct Pieces {
    std::span<const int> counts;
    std::span<const int> places;
  };
  Status exchange(const std::byte* from, Pieces sent, std::byte* into, Pieces received) const;

 private:
  Status check_launcher(MPI_Comm communicator) const;
  Status find_least(std::span<std::int64_t> values) const;
  Status result_of(int code) const;
  Agreed alone(const Status& failure) const;

  const std::string path_;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  Operation operation_ = Operation::open;
  int rank_ = 0;
  int count_ = 1;
};

}  // namespace sluice
