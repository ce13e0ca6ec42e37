// failed_call: a failure whose message says what could not be done, before the system's own text:
// "its owner cannot be kept: Operation not permitted".
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "os/guarded.h"
#include "sluice/status.h"

namespace sluice::os {

// The parts of `what` are put together here. If there is no memory for that, the failure has only
// the system's text.
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
