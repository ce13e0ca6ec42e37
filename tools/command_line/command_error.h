#pragma once

#include <stdexcept>

namespace sluice {

// A command line that makes no sense; what() says so, and what there is instead.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sluice
