// The parsed command line, and the experiments that it names.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/experiments/registry.h"

namespace sluice::bench {

struct Request {
  std::vector<std::string> words = {};  // experiments; after `replay` also sizes files
  std::vector<std::string> rows = {};   // parts of strategies' names; empty: all strategies
  std::vector<std::string> replay_files = {};
  std::string directory = ".";
  std::string text_file = {};
  std::string json_file = {};
  std::string html_file = {};
  std::uint64_t size_bytes = 0;            // 0: each experiment has its own size
  std::uint64_t rounds = 0;                // 0: 5, or 3 when quick
  std::uint64_t touched_memory_bytes = 0;  // touched before each run, see free_memory.h
  bool quick = false;
  bool list = false;
};

struct Choice {
  const RegisteredExperiment* experiment = nullptr;
  std::string replay_file;  // set only for `replay`
};

// The experiments to run, in order, each once; `replay` runs once for each sizes file. Without
// words these are all experiments of `known`, but `replay` only if there is a sizes file.
// Throws UsageError for an unknown word, and for `replay` without a file.
std::vector<Choice> choose(const Request& request, std::span<const RegisteredExperiment> known);

// One line for each experiment: its id and title.
std::string list_of(std::span<const RegisteredExperiment> known);

// The same for the experiments that other executables have.
std::string list_of_others();

}  // namespace sluice::bench
