// mpi_failure: what went wrong in a call of MPI, as a Status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sluice/status.h"

namespace sluice {

// `code` is the result of the call that has failed. Classes of errors that name a reason become its
// errno value. For all others the code is EIO, and the message has MPI's own text.
Status mpi_failure(Operation operation, const std::string& path, int code,
                   std::optional<std::uint64_t> offset = std::nullopt);

// The end of the message, which says why. A Status gives its reason only as a part of its message.
std::string reason_of(const Status& failure);

// EINVAL, unless MPI is initialised and not yet finalised.
Status check_that_mpi_runs(Operation operation, const std::string& path);

}  // namespace sluice
