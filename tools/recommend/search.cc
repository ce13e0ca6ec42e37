#include "recommend/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "bench/statistics.h"

namespace sluice::recommend {
namespace {

using bench::median_of;

// A disk whose default trials take so much longer in the last third was faster at first.
constexpr double apart = 1.25;

// A stage is measured up to so many times, until every gain is clear.
constexpr std::size_t most_times = 40;

// A gain is clear if it is this many standard errors away from the gain that is enough.
constexpr double clear_errors = 2.5;

// A gain counts if it is larger than so many standard errors. Few rounds tell badly how large the
// error is, so they need more: the second number, divided by the number of rounds, is added.
constexpr double enough_errors = 3;
constexpr double few_rounds_errors = 20;

// More rounds must show a gain than a coin would show, by so many standard deviations. So a gain
// that is not large needs nine rounds at least: five rounds that follow each other may agree
// because the machine is in another state for some seconds. Over many rounds such a state is seen.
constexpr double coin_deviations = 3;
constexpr double coin_deviations_of_a_large_gain = 2;
constexpr double large_gain = 0.2;

// What the trials of one choice saved against those of another, round by round.
struct Gain {
  Gain(const Timed& before, const Timed& other) {
    std::vector<double> shares;
    const std::size_t common = std::min(before.seconds.size(), other.seconds.size());
    for (std::size_t round = 0; round < common; ++round) {
      shares.push_back(1 - other.seconds[round] / before.seconds[round]);
    }
    share = median_of(shares);
    rounds = shares.size();
    rounds_faster =
        static_cast<std::size_t>(std::ranges::count_if(shares, [](double one) { return one > 0; }));
    for (double& one : shares) one = std::abs(one - share);
    // Of a normal distribution with as large a median deviation.
    error = 1.4826 * 1.2533 * median_of(shares) / std::sqrt(static_cast<double>(rounds));
  }

  // A machine whose speed changes by itself gives gains of several percent by chance. So the gain
  // must also be larger than chance makes it.
  bool is_enough() const {
    const auto count = static_cast<double>(rounds);
    const double errors = enough_errors + few_rounds_errors / count;
    const double deviations =
        share >= large_gain ? coin_deviations_of_a_large_gain : coin_deviations;
    const double by_chance = (count + deviations * std::sqrt(count)) / 2;
    return share >= enough_gain && share - clear_errors * error >= least_gain &&
           share > errors * error && static_cast<double>(rounds_faster) >= by_chance;
  }
  // How far the share may be from the real one.
  double doubt() const {
    return (clear_errors + few_rounds_errors / static_cast<double>(rounds)) * error;
  }
  // More rounds would hardly change what is_enough() says.
  bool is_clear() const {
    const double distance = share - enough_gain;
    return is_enough() ? distance > clear_errors * error : -distance > clear_errors * error;
  }

  double share = 0;
  double error = 0;  // the standard error of the share
  std::size_t rounds = 0;
  std::size_t rounds_faster = 0;
};

// The winner among the choices: a later choice must beat the best earlier one. So of two choices
// that are equally fast, two runs choose the same.
struct Contest {
  std::size_t winner = 0;  // the index in `timed`
  bool is_clear = true;
};

// Choices that stand in `hopeless` cannot win.
Contest contest(const std::vector<Timed>& timed, std::size_t choices,
                const std::set<std::size_t>& hopeless) {
  Contest result;
  for (std::size_t i = 1; i < choices; ++i) {
    if (hopeless.contains(i)) continue;
    const Gain gain(timed[result.winner], timed[i]);
    result.is_clear = result.is_clear && gain.is_clear();
    if (gain.is_enough()) result.winner = i;
  }
  return result;
}

// Adds the choices that cannot win: later ones than the winner that do not save enough, and earlier
// ones from which the winner saves enough. They are not measured again, so the others are measured
// more often. The first choice is always measured: it is what the winner is compared with.
void add_hopeless(const std::vector<Timed>& timed, std::size_t choices, std::size_t winner,
                  std::set<std::size_t>& hopeless) {
  for (std::size_t i = 1; i < choices; ++i) {
    const auto [earlier, later] = std::minmax({i, winner});
    const Gain gain(timed[earlier], timed[later]);
    const bool is_less = gain.share + gain.doubt() < enough_gain;
    const bool is_more = gain.is_enough() && gain.share - gain.doubt() > enough_gain;
    if ((i > winner && is_less) || (i < winner && is_more)) hopeless.insert(i);
  }
}

const Timed* find(const std::vector<Timed>& timed, const Choice& choice) {
  const auto found = std::ranges::find(timed, choice, &Timed::choice);
  return found == timed.end() ? nullptr : &*found;
}

double seconds_of(const std::vector<Timed>& timed) {
  double sum = 0;
  for (const Timed& one : timed) {
    sum = std::accumulate(one.seconds.begin(), one.seconds.end(), sum);
  }
  return sum;
}

class Search {
 public:
  Search(const Measure& measure, const Effort& effort, std::size_t left_out)
      : measure_(measure), effort_(effort), left_out_(left_out) {}

  Found run() {
    found_.choice.assign(settings().size(), 0);
    for (const std::vector<std::size_t>& stage : stages()) {
      const bool is_left_out = stage.front() == left_out_;
      if (!found_.is_interrupted && !is_left_out) look_at(stage);
    }
    std::ranges::sort(found_.findings, {}, &Finding::setting);
    found_.thirds = thirds();
    return std::move(found_);
  }

 private:
  // The choice so far comes first, then it with other values of the stage's settings: first those
  // that change one setting, and then those that change several.
  std::vector<Choice> candidates(const std::vector<std::size_t>& stage) const {
    std::vector<Choice> all = {found_.choice};
    for (const std::size_t setting : stage) {
      const std::size_t before = all.size();
      for (std::size_t value = 1; value < settings()[setting].searched; ++value) {
        for (std::size_t i = 0; i < before; ++i) {
          Choice other = all[i];
          other[setting] = value;
          if (is_distinct(other)) all.push_back(other);
        }
      }
    }
    return all;
  }

  void look_at(const std::vector<std::size_t>& stage) {
    std::vector<Choice> choices = candidates(stage);
    if (choices.size() == 1) return;  // another stage has decided
    // The defaults show whether the disk becomes slower.
    const std::size_t compared = choices.size();
    const Choice defaults(settings().size(), 0);
    if (found_.choice != defaults) choices.push_back(defaults);
    std::vector<Timed> timed;
    for (const Choice& choice : choices) timed.push_back({choice, {}});
    std::set<std::size_t> hopeless;
    Contest now;
    for (std::size_t time = 0; time < most_times; ++time) {
      if (!add_rounds(timed, hopeless)) return;
      now = contest(timed, compared, hopeless);
      if (now.is_clear || seconds_of(timed) > effort_.most_seconds_of_a_stage) break;
      add_hopeless(timed, compared, now.winner, hopeless);
    }
    note_defaults(timed);
    found_.stages.push_back(timed);
    timed.resize(compared);
    found_.choice = timed[now.winner].choice;
    for (const std::size_t setting : stage) set_back_if_too_little(setting, timed);
    for (const std::size_t setting : stage) note_finding(setting, timed);
  }

  // Of two values that won together, one may save enough alone, and the other next to nothing. Or
  // one was not clearly enough alone by chance, and the other even costs time.
  void set_back_if_too_little(std::size_t setting, const std::vector<Timed>& timed) {
    Choice without = found_.choice;
    without[setting] = 0;
    const Timed* const rest = find(timed, without);
    if (rest == nullptr || without == found_.choice) return;
    const Gain added(*rest, *find(timed, found_.choice));
    const bool is_too_little = !added.is_enough() && Gain(timed.front(), *rest).is_enough();
    if (is_too_little || added.share <= 0) found_.choice = without;
  }

  bool add_rounds(std::vector<Timed>& timed, const std::set<std::size_t>& hopeless) {
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < timed.size(); ++i) {
      if (!hopeless.contains(i)) choices.push_back(timed[i].choice);
    }
    const std::vector<Timed> more = measure_in_turn(choices, effort_.rounds, measure_);
    found_.is_interrupted = more.empty();
    for (const Timed& one : more) {
      std::vector<double>& seconds = std::ranges::find(timed, one.choice, &Timed::choice)->seconds;
      seconds.insert(seconds.end(), one.seconds.begin(), one.seconds.end());
    }
    return !found_.is_interrupted;
  }

  // Compares the chosen value with the default, or the default with the best other value. The other
  // settings are as they were chosen. If that makes no distinct choice, as with cache and
  // write-back, the two values are compared as alternatives.
  void note_finding(std::size_t setting, const std::vector<Timed>& timed) {
    const std::size_t value = found_.choice[setting];
    const Timed& chosen = *find(timed, found_.choice);
    if (value != 0) {
      Choice without = found_.choice;
      without[setting] = 0;
      found_.findings.push_back(finding_of(setting, value, *find(timed, without), chosen));
      return;
    }
    std::optional<Finding> best;
    for (const Timed& one : timed) {
      if (one.choice[setting] == 0 || !is_neighbour(one.choice, setting, timed)) continue;
      const Finding finding = finding_of(setting, one.choice[setting], chosen, one);
      if (!best || finding.gain_share > best->gain_share) best = finding;
    }
    if (!best) return;
    best->value = 0;
    found_.findings.push_back(*best);
  }

  // True if the choice is the found one with another value of the setting, or if no such choice was
  // measured.
  bool is_neighbour(const Choice& choice, std::size_t setting,
                    const std::vector<Timed>& timed) const {
    Choice neighbour = found_.choice;
    neighbour[setting] = choice[setting];
    return choice == neighbour || find(timed, neighbour) == nullptr;
  }

  static Finding finding_of(std::size_t setting, std::size_t other_value, const Timed& before,
                            const Timed& other) {
    const Gain gain(before, other);
    const double seconds = median_of(before.seconds);
    return {.setting = setting,
            .value = other_value,
            .best_other = other_value,
            .seconds = seconds,
            .gain_seconds = gain.share * seconds,
            .gain_share = gain.share,
            .error_share = gain.error,
            .rounds = gain.rounds,
            .rounds_faster = gain.rounds_faster,
            .is_sure = gain.is_enough()};
  }

  void note_defaults(const std::vector<Timed>& timed) {
    const Choice defaults(settings().size(), 0);
    for (const Timed& one : timed) {
      if (one.choice != defaults) continue;
      defaults_.insert(defaults_.end(), one.seconds.begin(), one.seconds.end());
    }
  }

  Thirds thirds() const {
    const auto third = static_cast<std::ptrdiff_t>(defaults_.size() / 3);
    if (third < 2) return {};
    return {median_of({defaults_.begin(), defaults_.begin() + third}),
            median_of({defaults_.end() - third, defaults_.end()})};
  }

  const Measure& measure_;
  const Effort effort_;
  const std::size_t left_out_;
  Found found_;
  std::vector<double> defaults_;  // the seconds of the default's trials, in order
};

}  // namespace

bool Thirds::are_apart() const { return first_seconds > 0 && last_seconds > apart * first_seconds; }

Found search(const Measure& measure, const Effort& effort, std::size_t left_out) {
  return Search(measure, effort, left_out).run();
}

std::vector<Timed> measure_in_turn(const std::vector<Choice>& choices, std::size_t rounds,
                                   const Measure& measure) {
  std::vector<Timed> all;
  for (const Choice& choice : choices) all.push_back({choice, {}});
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t turn = 0; turn < all.size(); ++turn) {
      Timed& one = all[(round + turn) % all.size()];
      const std::optional<double> seconds = measure(one.choice);
      if (!seconds) return {};
      one.seconds.push_back(*seconds);
    }
  }
  return all;
}

}  // namespace sluice::recommend
