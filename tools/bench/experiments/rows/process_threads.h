// The number of threads of this process, for rows that must start few or none.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <string>

namespace sluice::bench {

inline unsigned threads_of_this_process() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Threads:")) return static_cast<unsigned>(std::stoul(line.substr(8)));
  }
  throw std::runtime_error("read /proc/self/status: it has no number of threads");
}

// Throws if `found` threads are more than `allowed`.
inline void expect_threads(unsigned found, unsigned allowed) {
  if (found <= allowed) return;
  throw std::runtime_error(
      fmt::format("the process has {} threads instead of at most {}", found, allowed));
}

}  // namespace sluice::bench
