// The words of `sluice bench`. An Experiment is a set of Strategies that do the same work.
//
// A file in tools/bench/experiments only declares an experiment: its strategies, and how each of
// them does the work. Other files measure, verify, compute and print. They know no experiment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sluice::bench {

enum class Kind { limit, baseline, peer, sluice };

// The options of the command line that experiments see.
struct Settings {
  std::string directory;         // scratch folder on the file system under test; "" only for --list
  std::uint64_t size_bytes = 0;  // 0: the experiment's own default
  bool quick = false;       // smaller sizes, fewer sweeps: all experiments in under two minutes
  std::string replay_file;  // for `replay`
  std::string text_file;    // real text for the reading experiments, or ""
};

// One way to do an experiment's work. It runs in a child process of its own, once per round.
struct Strategy {
  std::string name;  // the calls themselves: "fwrite_unlocked setvbuf=256K"
  Kind kind = Kind::peer;
  std::uint64_t buffer_bytes = 0;  // 0 where the strategy has no buffer of its own
  std::uint64_t bytes = 0;         // bytes that it moves (a slow strategy may move fewer)
  std::uint64_t operations = 0;    // calls of the strategy's own kind: pieces, lines, values, files
  // Runs before the timed part: makes the input, drops a cache, starts a second thread. May be
  // empty.
  std::function<void()> prepare;
  // The timed part. Throws std::runtime_error (one clear line) if the work cannot be done.
  std::function<void()> run;
  // Runs after the timed part. Throws unless the result is right (usually by a hash). Required.
  std::function<void()> verify;
  // For a baseline or a limit that is a way of sluice too. Each row of Kind::sluice is one.
  bool is_by_sluice = false;
};

// Strategies that do the same work, in groups.
struct Experiment {
  std::string id;     // "bytes"
  std::string title;  // one line
  // Each group (writing, reading) has a limit and a baseline of its own. In each round the time per
  // byte of every strategy is divided by the time per byte of the limit and of the baseline.
  struct Group {
    std::string title;  // "write, visible at the end"
    // At least one limit and exactly one baseline. If there are several limits, the slowest of them
    // in a round is the limit of that round. For example, work that computes and writes takes at
    // least max(computing, writing).
    std::vector<Strategy> strategies;
    // For the summary: sentences that explain the results. May be empty.
    std::string why = {};
    // Whose operations the rows note (see latency.h), if they are not the row's own: "the program
    // beside".
    std::string operations_of = {};
  };
  std::vector<Group> groups;
  std::uint64_t bytes = 0;          // moved by a strategy that is not scaled down
  std::uint64_t scratch_bytes = 0;  // most disk space in use at a time
  // Most memory in use at a time, where it grows with the size; 0 where it does not.
  std::uint64_t memory_bytes = 0;
  // Makes the shared input files. The parent calls it once, untimed, before the first round. May be
  // empty. The files that it leaves in Settings::directory stay for all rows. Files that a row
  // leaves there are removed after the row, so that no row pays for truncating or writing back the
  // file of another row.
  std::function<void()> set_up;
};

// Declares an experiment. The call is cheap: only set_up touches the directory. The
// factories are declared in experiments/registry.h: `bytes_experiment` and so on.
using ExperimentFactory = Experiment (*)(const Settings& settings);

}  // namespace sluice::bench
