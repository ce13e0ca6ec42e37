#pragma once

#include <stdexcept>
#include <string>

namespace sluice {

inline constexpr int exit_failure = 1;
inline constexpr int exit_usage = 2;

// An error that ends a command with an exit code of its own; what() gives the reason.
class CommandError : public std::runtime_error {
 public:
  CommandError(const std::string& what, int exit_code)
      : std::runtime_error(what), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

// A mistake in the command line. what() names the mistake and the right form.
class UsageError : public CommandError {
 public:
  explicit UsageError(const std::string& what) : CommandError(what, exit_usage) {}
};

}  // namespace sluice
