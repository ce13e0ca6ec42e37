// The command line of `sluice bench ranks`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::ranks {

struct Request {
  std::string directory = ".";
  std::uint64_t size_bytes = std::uint64_t{1} << 30;
  std::uint64_t records_bytes = 0;  // of interleaved records; 0: a quarter of size_bytes
  std::uint64_t rounds = 5;
  std::uint64_t simulated_bytes_per_second = std::uint64_t{200} << 20;
  bool has_no_collective_ways = false;
  std::vector<std::string> experiments;
  std::string json_file;

  bool has(std::string_view experiment) const {
    return experiments.empty() || std::ranges::find(experiments, experiment) != experiments.end();
  }
};

// Returns -1 if the work can begin. Otherwise returns the exit code, and `text` is the help or says
// what is wrong.
int parse(int argc, char** argv, Request& request, std::string& text);

}  // namespace sluice::ranks
