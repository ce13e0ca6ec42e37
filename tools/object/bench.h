// `sluice bench --dir URI`: what can be measured on an object store.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::object {

struct BenchRequest {
  std::vector<std::string> experiments;  // empty: all
  std::string uri = ".";
  std::string json_file;
  std::uint64_t size_bytes = 0;  // 0: 200 MiB, or 50 MiB when quick
  std::uint64_t rounds = 0;      // 0: 5, or 3 when quick
  bool quick = false;
};

// Makes the subcommand.
CLI::App* add_bench(CLI::App& app, BenchRequest& request);

// Prints a table for each experiment. Returns the exit code. Throws UsageError for an experiment
// that makes no sense on an object store.
int run_bench(const BenchRequest& request);

}  // namespace sluice::object
