// What the command line asked for, and which experiments that means.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/experiments/registry.h"

namespace sluice::bench {

struct Request {
  std::vector<std::string> words = {};  // experiments; words after `replay` may be sizes files
  std::vector<std::string> rows = {};   // parts of strategies' names; none: all strategies
  std::vector<std::string> replay_files = {};
  std::string directory = ".";
  std::string text_file = {};
  std::string json_file = {};
  std::string html_file = {};
  std::uint64_t size_bytes = 0;            // 0: each experiment's own
  std::uint64_t rounds = 0;                // 0: 5, or 3 when quick
  std::uint64_t touched_memory_bytes = 0;  // before each run, see free_memory.h
  bool quick = false;
  bool list = false;
};

struct Choice {
  const RegisteredExperiment* experiment = nullptr;
  std::string replay_file;  // for `replay` alone
};

// The experiments to run, in order, each once; `replay` once per sizes file. No word means all of
// `known`, without `replay` when there is no sizes file.
// Throws UsageError on an unknown word and on `replay` without a file.
std::vector<Choice> choose(const Request& request, std::span<const RegisteredExperiment> known);

// One line an experiment: its id and title.
std::string list_of(std::span<const RegisteredExperiment> known);

}  // namespace sluice::bench
