#include "bench/rounds.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/fakes.h"
#include "bench/interrupt.h"
#include "bench/scratch.h"

namespace sluice::bench {
namespace {

class Rounds : public testing::Test {
 protected:
  // A strategy that writes its name into the log, and then calls `more` with the number of its run.
  Strategy noted(const std::string& name, Kind kind,
                 const std::function<void(std::size_t)>& more = {}) {
    return fake_strategy(name, kind, [this, name, more] {
      std::ofstream(log_, std::ios::app) << name;
      const std::string log = notes();
      if (more) more(static_cast<std::size_t>(std::ranges::count(log, name[0])));
    });
  }
  std::string notes() const {
    std::ifstream file(log_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  Scratch scratch_{testing::TempDir()};
  std::string log_ = scratch_.path() + "/log";
};

TEST_F(Rounds, TakeTheStrategiesInTurnAfterOneWarmUp) {
  const Experiment::Group group{
      "write", {noted("A", Kind::limit), noted("B", Kind::baseline), noted("C", Kind::sluice)}};
  const GroupResult result = run_rounds(group, {.counted_rounds = 3});
  EXPECT_EQ(notes(), "ABCBCACABABC");
  ASSERT_EQ(result.rows.size(), 3u);
  for (const Row& row : result.rows) {
    EXPECT_EQ(row.rounds.size(), 3u);
    EXPECT_TRUE(row.verified());
  }
  EXPECT_EQ(result.title, "write");
  EXPECT_EQ(result.rows[2].strategy, "C");
  EXPECT_EQ(result.rows[2].kind, Kind::sluice);
  EXPECT_EQ(result.rows[2].operations, 10u);
  EXPECT_TRUE(result.rows[2].ratio_to_limit);
  EXPECT_TRUE(result.rows[2].ratio_to_baseline);
}

TEST_F(Rounds, ReportTheStartAndTheEndOfEachRun) {
  const Experiment::Group group{"write", {noted("A", Kind::limit), noted("B", Kind::baseline)}};
  std::string told;
  run_rounds(group, {.counted_rounds = 1,
                     .before_each =
                         [&](const Strategy& strategy, std::uint64_t round) {
                           told += strategy.name + std::to_string(round);
                         },
                     .after_each = [&] { told += "."; }});
  EXPECT_EQ(told, "A0.B0.B1.A1.");
}

TEST_F(Rounds, GoOnWithoutAStrategyThatFails) {
  const auto fail_third = [](std::size_t run) {
    if (run == 3) throw std::runtime_error("the bytes differ");
  };
  const Experiment::Group group{"write",
                                {noted("A", Kind::limit), noted("B", Kind::baseline),
                                 noted("C", Kind::peer, fail_third), noted("D", Kind::sluice)}};
  const GroupResult result = run_rounds(group, {.counted_rounds = 4});
  EXPECT_EQ(notes(), "ABCDBCDACDABDABABD");
  EXPECT_EQ(result.rows[2].error, "the bytes differ");
  EXPECT_FALSE(result.rows[2].verified());
  EXPECT_FALSE(result.rows[2].ratio_to_limit);
  EXPECT_EQ(result.rows[3].rounds.size(), 4u);
  EXPECT_TRUE(result.rows[3].ratio_to_limit);
}

TEST_F(Rounds, KeepTheCompleteRoundsWhenASignalAsksForTheEnd) {
  const InterruptWatch watch;
  const auto interrupt_fourth = [](std::size_t run) {
    if (run == 4) ::kill(::getppid(), SIGINT), ::sleep(60);
  };
  const Experiment::Group group{"write",
                                {noted("A", Kind::limit), noted("B", Kind::baseline),
                                 noted("C", Kind::sluice, interrupt_fourth)}};
  const GroupResult result = run_rounds(group, {.counted_rounds = 9});
  EXPECT_EQ(notes(), "ABCBCACABABC");
  for (const Row& row : result.rows) {
    EXPECT_EQ(row.rounds.size(), 2u) << row.strategy;  // the warm-up is not counted
    EXPECT_TRUE(row.ratio_to_limit);
  }
}

TEST_F(Rounds, HaveNoResultWhenTheSignalComesInTheWarmUp) {
  const InterruptWatch watch;
  const auto interrupt = [](std::size_t) { ::kill(::getppid(), SIGINT), ::sleep(60); };
  const Experiment::Group group{"write",
                                {noted("A", Kind::limit), noted("B", Kind::baseline, interrupt)}};
  const GroupResult result = run_rounds(group, {.counted_rounds = 2});
  EXPECT_EQ(notes(), "AB");
  for (const Row& row : result.rows) EXPECT_FALSE(row.verified());
}

TEST_F(Rounds, RefuseADeclarationWithoutLimitBaselineRunOrVerify) {
  const Strategy limit = fake_strategy("limit", Kind::limit);
  const Strategy baseline = fake_strategy("baseline", Kind::baseline);
  const auto check = [](std::vector<Strategy> strategies) {
    Experiment experiment;
    experiment.groups.push_back({"write", std::move(strategies)});
    check_declaration(experiment);
  };
  EXPECT_NO_THROW(check({limit, baseline}));
  EXPECT_THROW(check_declaration({}), std::logic_error);
  EXPECT_THROW(check({baseline}), std::logic_error);
  EXPECT_THROW(check({limit}), std::logic_error);
  EXPECT_THROW(check({limit, baseline, baseline}), std::logic_error);
  Strategy unverified = fake_strategy("unverified", Kind::peer);
  unverified.verify = nullptr;
  EXPECT_THROW(check({limit, baseline, unverified}), std::logic_error);
  Strategy idle = fake_strategy("idle", Kind::peer);
  idle.run = nullptr;
  EXPECT_THROW(check({limit, baseline, idle}), std::logic_error);
}

}  // namespace
}  // namespace sluice::bench
