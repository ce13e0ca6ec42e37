// One line on standard error that names the current measurement.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::bench {

// Silent unless standard error is a terminal. The destructor wipes the line.
// Threads: one thread uses it.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Replaces the line. A line that is wider than the terminal is cut.
  void show(const std::string& line);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace sluice::bench
