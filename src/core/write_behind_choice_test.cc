// The choice between write-behind and writing here. The test gives the times, so that no result
// depends on the machine.
#include "core/write_behind_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sluice::testing {
namespace {

using Duration = WriteBehindChoice::Duration;
using Way = WriteBehindChoice::Way;

// A program that fills blocks. It has a cost for each way, and notes the way of each block.
struct Program {
  Duration filling{100};
  Duration writing_here{100};
  Duration handing_over{20};

  // The ways of `blocks` blocks as letters: h for here, b for behind.
  std::string run(std::size_t blocks) {
    std::string ways;
    for (std::size_t i = 0; i < blocks; ++i) {
      const bool behind = choice.way() == Way::behind;
      ways += behind ? 'b' : 'h';
      choice.block_left(filling, hiccup + (behind ? handing_over : writing_here));
      hiccup = Duration{0};
    }
    return ways;
  }
  Duration hiccup{0};  // extra time of the next block
  WriteBehindChoice choice = {};
};

std::size_t count(const std::string& ways, char way) {
  return static_cast<std::size_t>(std::count(ways.begin(), ways.end(), way));
}

constexpr std::size_t trial = WriteBehindChoice::settling_blocks + WriteBehindChoice::timed_blocks;
constexpr std::size_t short_trial =
    WriteBehindChoice::settling_blocks + WriteBehindChoice::min_timed_blocks;

TEST(WriteBehindChoice, BeginsHereAndKeepsTheFasterWay) {
  Program program;
  const std::string ways = program.run(200);
  EXPECT_EQ(ways.substr(0, trial), std::string(trial, 'h'));
  EXPECT_EQ(ways.substr(trial, 2 * trial), std::string(2 * trial, 'b'));
  EXPECT_GE(count(ways, 'b'), 140u);
}

TEST(WriteBehindChoice, BeginsBehindForASinkThatIsComputeBound) {
  Program program{.writing_here = Duration{1000}, .handing_over = Duration{700}};
  program.choice.begin_behind();
  constexpr std::size_t first_trial =
      WriteBehindChoice::rest_behind + WriteBehindChoice::timed_blocks;
  const std::string ways = program.run(2 * first_trial);
  EXPECT_EQ(ways.substr(0, first_trial), std::string(first_trial, 'b'));
  EXPECT_EQ(ways.substr(first_trial, short_trial), std::string(short_trial, 'h'));
  EXPECT_EQ(count(ways.substr(first_trial + short_trial), 'h'), 0u);
}

TEST(WriteBehindChoice, EndsATrialEarlyIfWritingHereClearlyLoses) {
  Program program{.writing_here = Duration{150}, .handing_over = Duration{100}};
  const std::string ways = program.run(1'000);
  EXPECT_LE(count(ways, 'h'), trial + 5 * short_trial);
}

TEST(WriteBehindChoice, DoesNotEndATrialEarlyIfWritingHereLosesALittle) {
  Program program{.writing_here = Duration{110}, .handing_over = Duration{100}};
  const std::string ways = program.run(4 * trial + WriteBehindChoice::shortest_rest);
  EXPECT_EQ(count(ways, 'h'), 2 * trial);
}

// A queue that is full makes single blocks slow, and the blocks after them cost little.
TEST(WriteBehindChoice, DoesNotEndATrialEarlyIfBlocksHandedOverWait) {
  Program program{.handing_over = Duration{150}};
  program.run(trial + WriteBehindChoice::settling_blocks + WriteBehindChoice::timed_blocks / 2);
  program.handing_over = Duration{0};
  EXPECT_EQ(count(program.run(2 * trial), 'h'), 0u);
}

TEST(WriteBehindChoice, IsNotMisledByOneSlowBlockOfAShortTrial) {
  Program program{.writing_here = Duration{70}, .handing_over = Duration{100}};
  program.choice.begin_behind();
  program.run(WriteBehindChoice::rest_behind + WriteBehindChoice::timed_blocks +
              WriteBehindChoice::settling_blocks);
  ASSERT_EQ(program.choice.way(), Way::here);
  program.hiccup = Duration{1'000'000};
  EXPECT_EQ(count(program.run(2 * trial), 'b'), 0u);
}

TEST(WriteBehindChoice, ReturnsFromABeginningBehindThatWasSlower) {
  Program program{.writing_here = Duration{1000}, .handing_over = Duration{1200}};
  program.choice.begin_behind();
  const std::string ways = program.run(10 * WriteBehindChoice::rest_behind);
  EXPECT_LE(count(ways, 'b'), 2 * WriteBehindChoice::rest_behind);
}

TEST(WriteBehindChoice, ReturnsFromATrialThatWasSlower) {
  Program program{.handing_over = Duration{120}};
  const std::string ways = program.run(200);
  EXPECT_EQ(ways.substr(trial, trial), std::string(trial, 'b'));
  EXPECT_EQ(ways.substr(2 * trial, WriteBehindChoice::shortest_rest),
            std::string(WriteBehindChoice::shortest_rest, 'h'));
}

TEST(WriteBehindChoice, StaysHereWhenThereIsNoDifference) {
  Program program{.handing_over = Duration{100}};
  EXPECT_LE(count(program.run(10'000), 'b'), 10'000u / 30);
}

TEST(WriteBehindChoice, TakesASmallGainIfNoMoreCanBeGained) {
  Program program{
      .filling = Duration{10'000}, .writing_here = Duration{400}, .handing_over = Duration{200}};
  EXPECT_GE(count(program.run(1'000), 'b'), 900u);
}

TEST(WriteBehindChoice, TriesTheSlowerWayLessAndLess) {
  Program program{.handing_over = Duration{120}};
  EXPECT_LE(count(program.run(100'000), 'b'), 100'000u / 50);
}

TEST(WriteBehindChoice, TriesNothingIfNoTimeCanBeHidden) {
  Program program{.filling = Duration{2}, .writing_here = Duration{1000}};
  EXPECT_EQ(count(program.run(1'000), 'b'), 0u);
}

TEST(WriteBehindChoice, FollowsAProgramThatChanges) {
  Program program;
  program.run(5'000);
  program.handing_over = Duration{300};
  EXPECT_GE(count(program.run(5'000), 'h'), 3'000u);
  program.handing_over = Duration{20};
  EXPECT_GE(count(program.run(5'000), 'b'), 3'000u);
}

TEST(WriteBehindChoice, IsNotMisledByOneSlowBlock) {
  for (std::size_t slow = 0; slow < 3 * trial; ++slow) {
    Program program;
    program.run(slow);
    program.hiccup = Duration{1'000'000};
    program.run(1);
    EXPECT_GE(count(program.run(400), 'b'), 290u) << "after a slow block " << slow;
  }
}

TEST(WriteBehindChoice, WritesHereAtOnceOnRequest) {
  Program program;
  program.run(3 * trial);
  ASSERT_EQ(program.choice.way(), Way::behind);
  for (int i = 0; i < 100; ++i) {
    program.choice.write_here();
    EXPECT_EQ(program.run(1), "h");
  }
  EXPECT_GE(count(program.run(200), 'b'), 120u) << "and looks again afterwards";
}

}  // namespace
}  // namespace sluice::testing
