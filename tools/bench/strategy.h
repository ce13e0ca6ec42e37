// The words of `sluice bench`: an Experiment is a set of Strategies that do the same work.
//
// An experiment file (tools/bench/experiments) only declares: which strategies there are and
// how each does its work. Measuring, verifying, statistics and output are elsewhere and know no
// experiment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sluice::bench {

enum class Kind { limit, baseline, peer, sluice };

// What the command line asked for, the same for every experiment.
struct Settings {
  std::string directory;         // scratch folder on the file system under test; "" only for --list
  std::uint64_t size_bytes = 0;  // 0: the experiment's own default
  bool quick = false;       // smaller sizes, fewer sweeps: all experiments in under two minutes
  std::string replay_file;  // for `replay`
  std::string text_file;    // real text for the reading experiments, or ""
};

// One way to do an experiment's work, called in a child process of its own once per round.
struct Strategy {
  std::string name;  // the calls themselves: "fwrite_unlocked setvbuf=256K"
  Kind kind = Kind::peer;
  std::uint64_t buffer_bytes = 0;  // 0 where the strategy has no buffer of its own
  std::uint64_t bytes = 0;         // that it moves (less than others when scaled down)
  std::uint64_t operations = 0;    // calls of the strategy's own kind: pieces, lines, values, files
  // The untimed part before: makes the input, drops a cache, starts a second thread. May be empty.
  std::function<void()> prepare;
  // The timed part. Throws std::runtime_error (one clear line) when the work cannot be done.
  std::function<void()> run;
  // The untimed part after: throws unless the result is right (usually by a hash). Required.
  std::function<void()> verify;
};

// What ratios are taken against. A round's ratio is this strategy's time per byte over the limit's.
struct Experiment {
  std::string id;     // "bytes"
  std::string title;  // one line
  // Strategies come in groups (writing, reading) that have a limit and a baseline of their own.
  struct Group {
    std::string title;                 // "write, visible at the end"
    std::vector<Strategy> strategies;  // at least one limit and exactly one baseline
    // With several limits the group's limit is the slowest of them in the same round: work that
    // computes and writes can at best take max(computing, writing).
    // A sentence for the summary: why the rows come out as they do. May be "".
    std::string why = {};
  };
  std::vector<Group> groups;
  std::uint64_t bytes = 0;          // moved by a strategy that is not scaled down
  std::uint64_t scratch_bytes = 0;  // most disk space in use at a time
  // Run once, untimed, in the parent before the first round: shared input files. May be empty.
  // What it leaves in Settings::directory stays for all rows; what a row leaves there beyond that
  // is removed after the row, so no row pays for truncating or writing back another's file.
  std::function<void()> set_up;
};

// The declaration of an experiment, cheap to call: nothing in the directory is touched before
// set_up. The factories are declared in experiments/registry.h: `bytes_experiment` and so on.
using ExperimentFactory = Experiment (*)(const Settings& settings);

}  // namespace sluice::bench
