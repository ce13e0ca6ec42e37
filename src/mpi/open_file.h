// OpenFile: what the cores of MpiWriter and MpiReader have in common.
#pragma once

#include <cerrno>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>

#include "mpi/failure.h"
#include "mpi/ranks.h"
#include "mpi/shared_file.h"
#include "sluice/status.h"

namespace sluice {

// Threads: one at a time. The owner closes it, because closing is collective.
struct OpenFile {
  explicit OpenFile(const std::string& name) : path(name), ranks(name), file(name) {}

  // Collective. Keeps what the ranks have agreed on, and returns it.
  Status agree(const Status& mine, std::span<std::int64_t> least = {}) {
    agreed = ranks.agree(mine, least);
    return agreed.status;
  }
  // Collective. Takes the result of opening, which all ranks have. A failure closes everything.
  Status take_opened(const Status& opened) {
    if (opened.ok()) {
      ranks.note_that_the_file_is_open();
      return opened;
    }
    is_closed = true;
    agreed.status = opened;
    static_cast<void>(file.close());
    ranks.close();
    return opened;
  }

  const std::string path;
  Ranks ranks;
  SharedFile file;
  Agreed agreed;
  bool is_closed = false;
};

// Collective, unless this rank alone can tell that no file can be opened. Makes the core of an
// object on every rank, or on none.
template <typename Core, typename Options>
Status make_core(MPI_Comm communicator, const std::string& path, const Options& options,
                 std::unique_ptr<Core>& core) {
  core.reset();
  if (Status status = check_that_mpi_runs(Operation::open, path); !status.ok()) return status;
  if (communicator == MPI_COMM_NULL) {
    return Status::failure(Operation::open, path, EINVAL, std::nullopt,
                           "the communicator is MPI_COMM_NULL");
  }
  int has_two_groups = 0;
  MPI_Comm_test_inter(communicator, &has_two_groups);
  if (has_two_groups != 0) {
    return Status::failure(
        Operation::open, path, EINVAL, std::nullopt,
        "the communicator joins two groups of ranks (it is an intercommunicator)");
  }
  try {
    core = std::make_unique<Core>(shown_path(path), options);
  } catch (const std::bad_alloc&) {  // the other ranks wait for this one, so it goes on
  }
  Status status = Ranks::agree_on_memory(communicator, path, core != nullptr);
  if (!status.ok()) core.reset();
  return status;
}

// `name` is the class that is opened a second time.
inline Status refuse_second_open(const std::string& path, const char* name) {
  return failure_because(Operation::open, path, EBUSY, std::nullopt, [name] {
    return std::string("the ") + name + " is open; close it first";
  });
}

}  // namespace sluice
