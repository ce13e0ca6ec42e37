#include "recommend/search.h"

#include <algorithm>

#include "bench/statistics.h"

namespace sluice::recommend {
namespace {

using bench::median_of;

// A disk whose default trials take so much longer in the last third was faster at first.
constexpr double apart = 1.25;

// A setting is measured again if a gain lies between these shares: near the least gain.
constexpr double unclear_from = 0.025;
constexpr double unclear_to = 0.1;
constexpr std::size_t most_times = 3;

// What the trials of one choice saved against those of another, round by round.
struct Gain {
  Gain(const Timed& before, const Timed& other) {
    std::vector<double> shares;
    for (std::size_t round = 0; round < other.seconds.size(); ++round) {
      shares.push_back(1 - other.seconds[round] / before.seconds[round]);
    }
    share = median_of(shares);
    rounds = shares.size();
    rounds_faster =
        static_cast<std::size_t>(std::ranges::count_if(shares, [](double one) { return one > 0; }));
  }

  // Enough, and in at least four of five rounds.
  bool is_sure() const { return share >= least_gain && rounds_faster * 5 >= rounds * 4; }
  bool is_unclear() const { return share > unclear_from && share < unclear_to; }

  double share = 0;
  std::size_t rounds = 0;
  std::size_t rounds_faster = 0;
};

// The winner among the values: a later value must beat the best earlier one. So of two values that
// are equally fast, two runs choose the same.
struct Contest {
  std::size_t winner = 0;  // the index in `timed`
  bool is_unclear = false;
};

Contest contest(const std::vector<Timed>& timed, std::size_t values) {
  Contest result;
  for (std::size_t i = 1; i < values; ++i) {
    const Gain gain(timed[result.winner], timed[i]);
    result.is_unclear = result.is_unclear || gain.is_unclear();
    if (gain.is_sure()) result.winner = i;
  }
  return result;
}

class Search {
 public:
  Search(const Measure& measure, std::size_t rounds) : measure_(measure), rounds_(rounds) {}

  Found run() {
    found_.choice.assign(settings().size(), 0);
    for (std::size_t i = 0; i < settings().size() && !found_.is_interrupted; ++i) look_at(i);
    found_.thirds = thirds();
    return std::move(found_);
  }

 private:
  // The choice so far comes first, then the other values of the setting, and at last the defaults,
  // which show whether the disk becomes slower.
  std::vector<Choice> candidates(std::size_t setting) const {
    std::vector<Choice> all = {found_.choice};
    for (std::size_t value = 1; value < settings()[setting].values.size(); ++value) {
      Choice other = found_.choice;
      other[setting] = value;
      if (is_distinct(other)) all.push_back(other);
    }
    const Choice defaults(settings().size(), 0);
    if (all.size() > 1 && found_.choice != defaults) all.push_back(defaults);
    return all;
  }

  void look_at(std::size_t setting) {
    const std::vector<Choice> choices = candidates(setting);
    if (choices.size() == 1) return;  // another setting has decided
    std::vector<Timed> timed;
    for (std::size_t time = 0; time < most_times; ++time) {
      if (!add_rounds(choices, timed)) return;
      if (!contest(timed, values_in(timed)).is_unclear) break;
    }
    note_defaults(timed);
    const Finding finding = finding_of(setting, timed);
    found_.choice[setting] = finding.value;
    found_.findings.push_back(finding);
  }

  // Without the defaults that were measured as a comparison only.
  std::size_t values_in(const std::vector<Timed>& timed) const {
    return timed.size() - (found_.choice == Choice(settings().size(), 0) ? 0 : 1);
  }

  bool add_rounds(const std::vector<Choice>& choices, std::vector<Timed>& timed) {
    const std::vector<Timed> more = measure_in_turn(choices, rounds_, measure_);
    found_.is_interrupted = more.empty();
    if (more.empty()) return false;
    if (timed.empty()) {
      timed = more;
      return true;
    }
    for (std::size_t i = 0; i < more.size(); ++i) {
      timed[i].seconds.insert(timed[i].seconds.end(), more[i].seconds.begin(),
                              more[i].seconds.end());
    }
    return true;
  }

  Finding finding_of(std::size_t setting, const std::vector<Timed>& timed) const {
    const std::size_t values = values_in(timed);
    const std::size_t winner = contest(timed, values).winner;
    std::size_t best_other = std::max<std::size_t>(winner, 1);
    for (std::size_t i = 1; winner == 0 && i < values; ++i) {
      const bool is_better =
          Gain(timed[0], timed[i]).share > Gain(timed[0], timed[best_other]).share;
      if (is_better) best_other = i;
    }
    const Gain gain(timed[0], timed[best_other]);
    const double before = median_of(timed[0].seconds);
    return {.setting = setting,
            .value = timed[winner].choice[setting],
            .best_other = timed[best_other].choice[setting],
            .seconds = before,
            .gain_seconds = gain.share * before,
            .gain_share = gain.share,
            .rounds = gain.rounds,
            .rounds_faster = gain.rounds_faster};
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
  const std::size_t rounds_;
  Found found_;
  std::vector<double> defaults_;  // the seconds of the default's trials, in order
};

}  // namespace

bool Thirds::are_apart() const { return first_seconds > 0 && last_seconds > apart * first_seconds; }

Found search(const Measure& measure, std::size_t rounds) { return Search(measure, rounds).run(); }

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
