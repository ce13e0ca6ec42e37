// One line on standard error that says what is being measured; only where a person watches.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::bench {

// Silent unless standard error is a terminal. The destructor wipes the line.
// Threads: used by one.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Replaces the line; it is cut to the width of the terminal.
  void show(const std::string& line);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace sluice::bench
