// `sluice bench` for Windows: the experiments `bytes`, `mixed` and `replay`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::bench {

struct WindowsRequest {
  std::vector<std::string> words;  // experiments; after `replay`: files
  std::string directory = ".";
  std::string json_file;
  std::uint64_t size_bytes = 0;
  std::uint64_t rounds = 0;
  bool quick = false;
};

CLI::App* add_windows_command(CLI::App& app, WindowsRequest& request);

// Returns the exit code. Throws std::exception if the work cannot be done.
int run_on_windows(const WindowsRequest& request);

}  // namespace sluice::bench
