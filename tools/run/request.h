// The options of a command line of `sluice run`.
#pragma once

#include <string>
#include <vector>

namespace sluice::run {

struct Request {
  std::vector<std::string> command;  // the program and its arguments
  bool unlocked = false;
  bool coalesce = false;
  bool children = true;
  bool summary = false;
  std::string json_file;
};

}  // namespace sluice::run
