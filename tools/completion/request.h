#pragma once

#include <string>

namespace sluice::completion {

// The command line of `sluice completion`.
struct Request {
  std::string shell;
};

}  // namespace sluice::completion
