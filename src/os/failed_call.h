// failed_call: a failure whose message says what could not be done, before the system's own text:
// "its owner cannot be kept: Operation not permitted".
#pragma once

#include <cerrno>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "os/guarded.h"
#include "sluice/status.h"

namespace sluice::os {

// The system's own text for ESPIPE is "Illegal seek".
inline constexpr std::string_view no_positions =
    "it has no positions, like a pipe, a terminal, a socket or a file that is appended to";

// True for the codes with which a sync fails if the target cannot be made durable at all.
inline bool is_unsupported(int code) { return code == EINVAL || code == ENOTSUP || code == ENOSYS; }

// True if the target cannot be made durable at all. Such a failure loses no bytes.
inline bool is_unsupported_sync(const Status& status) {
  return !status.ok() && status.operation() == Operation::sync &&
         is_unsupported(status.code().value());
}

// True if the target has all bytes, and only its name may not survive a power cut.
inline bool is_failed_directory_sync(const Status& status) {
  return !status.ok() && status.operation() == Operation::sync_directory;
}

// A failure whose reason is `what`, joined. If there is no memory for the joined text, the failure
// has only the system's text.
inline Status refused_call(Operation operation, std::string_view path, int code,
                           std::initializer_list<std::string_view> what) noexcept {
  const auto put_together = [&] {
    std::string reason;
    for (const std::string_view part : what) reason += part;
    return Status::failure(operation, path, code, std::nullopt, reason);
  };
  return guarded(put_together, [&] { return Status::failure(operation, path, code); });
}

// The same, with the system's text after the reason.
inline Status failed_call(Operation operation, std::string_view path, int code,
                          std::initializer_list<std::string_view> what) noexcept {
  const auto put_together = [&] {
    std::string reason;
    for (const std::string_view part : what) reason += part;
    reason += ": " + std::generic_category().message(code);
    return Status::failure(operation, path, code, std::nullopt, reason);
  };
  return guarded(put_together, [&] { return Status::failure(operation, path, code); });
}

}  // namespace sluice::os
