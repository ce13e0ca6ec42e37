// The search, in times that a test makes up.
#include "recommend/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "recommend/report.h"

namespace sluice::recommend {
namespace {

std::size_t index_of(const std::string& name) {
  for (std::size_t i = 0; i < settings().size(); ++i) {
    if (settings()[i].name == name) return i;
  }
  ADD_FAILURE() << "no setting " << name;
  return 0;
}

std::string value_of(const Choice& choice, const std::string& setting) {
  const std::size_t i = index_of(setting);
  return settings()[i].values[choice[i]].name;
}

// A machine whose trials take a second, times a factor for each value, times noise.
class MadeUpMachine {
 public:
  explicit MadeUpMachine(unsigned seed, double noise = 0.02) : random_(seed), noise_(noise) {}

  void set(const std::string& setting, const std::string& value, double factor) {
    factors_.push_back({setting, value, factor});
  }
  void slow_down_after(std::size_t trials, double factor) {
    burst_trials_ = trials;
    burst_factor_ = factor;
  }

  std::optional<double> measure(const Choice& choice) {
    EXPECT_TRUE(is_distinct(choice));
    double seconds = ++trials_ > burst_trials_ ? burst_factor_ : 1;
    for (const Factor& factor : factors_) {
      if (value_of(choice, factor.setting) == factor.value) seconds *= factor.factor;
    }
    return seconds * std::exp(noise_ * std::normal_distribution<>()(random_));
  }

  Found search() {
    return recommend::search([this](const Choice& choice) { return measure(choice); }, 5);
  }
  std::size_t trials() const { return trials_; }

 private:
  struct Factor {
    std::string setting, value;
    double factor;
  };
  std::vector<Factor> factors_;
  std::mt19937 random_;
  double noise_;
  std::size_t trials_ = 0;
  std::size_t burst_trials_ = SIZE_MAX;
  double burst_factor_ = 1;
};

TEST(RecommendSearch, LeavesEveryDefaultWhereNothingGains) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    MadeUpMachine machine(seed);
    const Found found = machine.search();
    EXPECT_EQ(found.choice, Choice(settings().size(), 0)) << seed;
    EXPECT_EQ(found.findings.size(), settings().size());
    EXPECT_FALSE(found.thirds.are_apart());
    EXPECT_EQ(code_of(found.choice), "writer.open(path)");
  }
}

TEST(RecommendSearch, FindsWhatGainsAndSaysHowMuch) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    MadeUpMachine machine(seed);
    machine.set("write-back", "8M", 0.5);
    machine.set("block size", "1M", 0.8);
    machine.set("cache", "drop", 1.5);
    const Found found = machine.search();
    EXPECT_EQ(value_of(found.choice, "write-back"), "8M");
    EXPECT_EQ(value_of(found.choice, "block size"), "1M");
    EXPECT_EQ(value_of(found.choice, "cache"), "keep");
    EXPECT_EQ(value_of(found.choice, "write-behind"), "automatic");
    const Finding& finding = found.findings[index_of("write-back")];
    EXPECT_NEAR(finding.gain_share, 0.5, 0.05);
    EXPECT_NEAR(finding.gain_seconds, 0.5, 0.08);
    EXPECT_EQ(finding.rounds_faster, finding.rounds);
    EXPECT_EQ(code_of(found.choice),
              "writer.open(path, {.write_back_bytes = 8 << 20, .block_bytes = 1 << 20})");
  }
}

TEST(RecommendSearch, DoesNotRecommendLessThanFivePercent) {
  unsigned wrong = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    MadeUpMachine machine(seed);
    machine.set("cache", "drop", 0.98);
    wrong += value_of(machine.search().choice, "cache") != "keep";
  }
  EXPECT_LE(wrong, 3u);
}

TEST(RecommendSearch, TwoRunsAgreeThoughTwoValuesAreEquallyFast) {
  std::size_t agreed = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const auto run = [&](unsigned other) {
      MadeUpMachine machine(2 * seed + other, 0.05);
      machine.set("write-back", "8M", 0.7);
      machine.set("cache", "drop", 0.7);
      return machine.search().choice;
    };
    agreed += run(0) == run(1);
  }
  EXPECT_GE(agreed, 90u);
}

TEST(RecommendSearch, NoticesADiskThatBecomesSlower) {
  MadeUpMachine machine(1);
  machine.set("write-back", "8M", 0.7);
  machine.slow_down_after(20, 3);
  const Found found = machine.search();
  EXPECT_EQ(value_of(found.choice, "write-back"), "8M") << "values are compared in the same rounds";
  EXPECT_TRUE(found.thirds.are_apart());
  Report report;
  report.found = found;
  EXPECT_NE(text_of(report).find("burst credit"), std::string::npos) << text_of(report);
}

TEST(RecommendSearch, ComparesCacheAndWriteBackAsAlternatives) {
  for (const bool drop_is_faster : {false, true}) {
    MadeUpMachine machine(3);
    machine.set("cache", "drop", drop_is_faster ? 0.5 : 0.8);
    machine.set("write-back", "8M", drop_is_faster ? 0.8 : 0.5);
    const Found found = machine.search();
    EXPECT_EQ(value_of(found.choice, "cache"), drop_is_faster ? "drop" : "keep");
    EXPECT_EQ(value_of(found.choice, "write-back"), drop_is_faster ? "0" : "8M");
    ASSERT_EQ(found.findings.size(), settings().size());
    const Finding& loser = found.findings[index_of(drop_is_faster ? "write-back" : "cache")];
    EXPECT_EQ(loser.value, 0u);
    EXPECT_NEAR(loser.gain_share, 1 - 0.8 / 0.5, 0.1);
  }
}

// Alone each of them saves too little.
TEST(RecommendSearch, FindsTwoValuesThatGainTogether) {
  unsigned both = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    MadeUpMachine machine(seed);
    machine.set("write-behind", "off", 0.96);
    machine.set("block size", "1M", 0.96);
    const Choice choice = machine.search().choice;
    both += value_of(choice, "write-behind") == "off" && value_of(choice, "block size") == "1M";
  }
  EXPECT_GE(both, 45u);
}

// The noise is larger than the gain, so single rounds say little.
TEST(RecommendSearch, MeasuresUntilASmallGainIsClear) {
  unsigned right = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    MadeUpMachine machine(seed, 0.06);
    machine.set("block size", "1M", 0.9);
    right += value_of(machine.search().choice, "block size") == "1M";
  }
  EXPECT_GE(right, 48u);
}

TEST(RecommendSearch, EndsWhenASignalAsksForTheEnd) {
  int left = 7;
  const Found found = search(
      [&](const Choice&) { return --left >= 0 ? std::optional<double>(1.0) : std::nullopt; }, 5);
  EXPECT_TRUE(found.is_interrupted);
  EXPECT_EQ(left, -1);
}

TEST(RecommendSearch, EveryChoiceIsThereOnce) {
  const std::vector<Choice> all = every_choice();
  EXPECT_EQ(std::set<Choice>(all.begin(), all.end()).size(), all.size());
  EXPECT_TRUE(std::ranges::all_of(all, is_distinct));
  EXPECT_GE(all.size(), 60u);
}

}  // namespace
}  // namespace sluice::recommend
