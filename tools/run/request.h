// What the command line of `sluice run` asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::run {

struct Request {
  std::vector<std::string> command;  // the program and its arguments
  // Of larger buffers; 0: every stream keeps its own. More of what is written would be lost by a
  // kill, so that only reading has them unless somebody asks.
  std::uint64_t read_buffer_bytes = 16 * 1024;
  std::uint64_t write_buffer_bytes = 0;
  bool unlocked = false;
  bool coalesce = false;
  bool children = true;
  bool summary = false;
  std::string json_file;
};

}  // namespace sluice::run
