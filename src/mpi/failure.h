// mpi_failure: what went wrong in a call of MPI, as a Status.
//
// No function here throws, except reason_of(): a rank that left a collective call early would leave
// the others waiting.
#pragma once

#include <cstdint>
#include <new>
#include <optional>
#include <string>

#include "sluice/status.h"

namespace sluice {

// `code` is the result of the call that has failed. Classes of errors that name a reason become its
// errno value. For all others the code is EIO, and the message has MPI's own text.
Status mpi_failure(Operation operation, const std::string& path, int code,
                   std::optional<std::uint64_t> offset = std::nullopt) noexcept;

// The path, but of the URI of an object only the scheme and "...": the rest may be secret.
std::string shown_path(const std::string& path);

// EISDIR if the path names a folder, and ESPIPE if it names a FIFO. OMPIO opens a folder for
// reading, and opening a FIFO waits for another process. ENOENT for the URI of an object, and
// EINVAL for a name with a NUL byte, which MPI would cut there.
Status check_kind_of_file(const std::string& path) noexcept;

// Calls `reason` for the reason of the failure. Without memory the failure has no reason.
template <typename Reason>
Status failure_because(Operation operation, const std::string& path, int code,
                       std::optional<std::uint64_t> offset, Reason reason) noexcept {
  try {
    return Status::failure(operation, path, code, offset, reason());
  } catch (const std::bad_alloc&) {
    return Status::failure(operation, path, code, offset);
  }
}

// The end of the message, which says why. A Status gives its reason only as a part of its message.
std::string reason_of(const Status& failure);

// EINVAL, unless MPI is initialised and not yet finalised.
Status check_that_mpi_runs(Operation operation, const std::string& path) noexcept;

}  // namespace sluice
