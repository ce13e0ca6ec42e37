// What the command line of `sluice run` asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::run {

struct Request {
  std::vector<std::string> command;  // the program and its arguments
  std::uint64_t buffer_bytes = 0;    // 0: every stream keeps its own
  bool unlocked = false;
  bool coalesce = false;
  bool children = true;
  bool summary = false;
  std::string json_file;
};

}  // namespace sluice::run
