// The options of a command line of `sluice run`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::run {

struct Request {
  std::vector<std::string> command;  // the program and its arguments
  // The size of larger buffers; 0: every stream keeps its own. By default only reading has them,
  // because a kill would lose more of the written bytes.
  std::uint64_t read_buffer_bytes = 16 * 1024;
  std::uint64_t write_buffer_bytes = 0;
  bool unlocked = false;
  bool coalesce = false;
  bool children = true;
  bool summary = false;
  std::string json_file;
};

}  // namespace sluice::run
