// Search: finds the values that save time, by measuring some choices in turn.
//
// It knows neither files nor clocks: a function measures a choice. So a test can search in times of
// its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "recommend/settings.h"

namespace sluice::recommend {

// Returns the seconds that one trial of the choice took, or nothing if a signal asks for the end.
using Measure = std::function<std::optional<double>(const Choice& choice)>;

// A value is recommended if it saves this share of the time, and surely the least gain. A measured
// gain near a limit is above the limit in one run and below it in the next one. On three file
// systems the clear gains were 25 % or more, and the others about 6 % or less: the limit lies
// between them.
inline constexpr double enough_gain = 0.08;

// A gain is surely this large if it still is when it is some standard errors smaller: see
// Gain::is_enough(). A smaller gain is no reason to change an option.
inline constexpr double least_gain = 0.05;

// What was found out about one setting.
struct Finding {
  std::size_t setting = 0;
  std::size_t value = 0;  // the recommended value
  // The fastest other value: the recommended one, or the one that was not good enough.
  std::size_t best_other = 0;
  double seconds = 0;  // the median without this value
  // The median of the seconds that the best other value saves; negative if it costs.
  double gain_seconds = 0;
  double gain_share = 0;   // the median share of the time, per round
  double error_share = 0;  // the standard error of gain_share
  std::size_t rounds = 0;
  std::size_t rounds_faster = 0;  // rounds in which the best other value was faster
  bool is_sure = false;           // the best other value saves enough, and not by chance alone
};

// The first and the last third of the default's trials: a disk with burst credit becomes slower.
struct Thirds {
  double first_seconds = 0;  // medians; 0 if there were too few trials
  double last_seconds = 0;
  bool are_apart() const;
};

// A choice and the seconds of its trials.
struct Timed {
  Choice choice;
  std::vector<double> seconds;
};

struct Found {
  Choice choice;
  std::vector<Finding> findings;  // of each setting, in order
  Thirds thirds;
  std::vector<std::vector<Timed>> stages;  // the trials of each searched stage
  bool is_interrupted = false;
};

struct Effort {
  std::size_t rounds = 5;  // more such rounds follow until every gain is clear
  // No more rounds are added to a stage when its trials have taken this long.
  double most_seconds_of_a_stage = 50;
};

// A stage that begins with the setting `left_out` is not searched, and its settings keep their
// defaults.
Found search(const Measure& measure, const Effort& effort, std::size_t left_out = SIZE_MAX);

// Measures all choices in turn, in `rounds` rounds; every round begins with another one. The result
// is empty if a signal has asked for the end.
std::vector<Timed> measure_in_turn(const std::vector<Choice>& choices, std::size_t rounds,
                                   const Measure& measure);

}  // namespace sluice::recommend
