// Row: one way to do an experiment's work.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sluice::bench {

struct WindowsRow {
  std::string name;
  // Writes the pattern's first `bytes` bytes to a new file. Returns the number of calls of
  // WriteFile, or 0 if they are not known. Throws if the work cannot be done.
  std::function<std::uint64_t(const std::string& path)> run;
  std::uint64_t bytes = 0;
};

// The first row is the limit, and the second row is the baseline.
struct WindowsExperiment {
  std::string title;
  std::vector<WindowsRow> rows;
};

struct WindowsResult {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t calls = 0;
  std::vector<double> seconds;  // of each counted round
};

// Runs the rows in turn, after a warm-up round, and checks each row's bytes.
std::vector<WindowsResult> run_rows(const WindowsExperiment& experiment, std::uint64_t rounds,
                                    const std::string& path);

WindowsExperiment bytes_on_windows(std::uint64_t bytes, bool quick);
WindowsExperiment mixed_on_windows(std::uint64_t bytes);
WindowsExperiment replay_on_windows(const std::string& file, std::uint64_t bytes);

}  // namespace sluice::bench
