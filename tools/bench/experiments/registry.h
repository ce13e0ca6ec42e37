// All experiments of `sluice bench`. To add an experiment, declare its factory here, list it in
// registry.cc, and add its source file to tools/CMakeLists.txt.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/strategy.h"

namespace sluice::bench {

// Each factory is defined in the file of its name: bytes_experiment in bytes/bytes.cc.
Experiment bytes_experiment(const Settings& settings);
Experiment sync_experiment(const Settings& settings);
Experiment read_whole_experiment(const Settings& settings);
Experiment read_lines_experiment(const Settings& settings);
Experiment write_lines_experiment(const Settings& settings);
Experiment numbers_experiment(const Settings& settings);
Experiment console_experiment(const Settings& settings);
Experiment overlap_experiment(const Settings& settings);
Experiment many_writers_experiment(const Settings& settings);
Experiment mixed_experiment(const Settings& settings);
Experiment random_experiment(const Settings& settings);
Experiment replay_experiment(const Settings& settings);  // settings.replay_file is needed
Experiment small_files_experiment(const Settings& settings);
Experiment memory_experiment(const Settings& settings);
Experiment compress_experiment(const Settings& settings);
Experiment cache_experiment(const Settings& settings);
Experiment cold_experiment(const Settings& settings);

struct RegisteredExperiment {
  std::string_view id;     // the experiment's name on the command line
  std::string_view title;  // one line for --list
  ExperimentFactory factory;
};

// The experiments in the order in which they run.
std::span<const RegisteredExperiment> registry();

// Returns null if there is no such experiment.
const RegisteredExperiment* find_experiment(std::string_view id);

// The libraries for which the experiments have no rows, because the build lacked them.
std::vector<std::string> libraries_left_out();

}  // namespace sluice::bench
