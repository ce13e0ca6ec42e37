// A failure that says what could not be done, before the system's own text: "its owner cannot be
// kept: Operation not permitted".
#pragma once

#include <sluice/status.h>

#include <optional>
#include <string>
#include <system_error>

namespace sluice::os {

inline Status failed_call(Operation operation, const std::string& path, int code,
                          const std::string& what) {
  return Status::failure(operation, path, code, std::nullopt,
                         what + ": " + std::generic_category().message(code));
}

}  // namespace sluice::os
