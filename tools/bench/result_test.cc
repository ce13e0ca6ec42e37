#include "bench/result.h"

#include <gtest/gtest.h>

#include "bench/fakes.h"

namespace sluice::bench {
namespace {

TEST(Result, RatiosAreTheMediansOfThePerRoundRatios) {
  // The machine was busy in the second round. The ratio of the medians would be 4 / 1, but the
  // median of the ratios is 3 / 1.
  GroupResult group{"write",
                    "",
                    {fake_row("limit", Kind::limit, 100, {1.0, 10.0, 1.0}),
                     fake_row("baseline", Kind::baseline, 100, {8.0, 80.0, 12.0}),
                     fake_row("ours", Kind::sluice, 100, {2.0, 30.0, 4.0})}};
  compute_figures(group);
  EXPECT_DOUBLE_EQ(*group.rows[2].ratio_to_limit, 3.0);
  EXPECT_DOUBLE_EQ(*group.rows[2].ratio_to_baseline, 3.0);  // 4, 8/3, 3
  EXPECT_DOUBLE_EQ(*group.rows[2].cpu_ratio_to_limit, 3.0);
  EXPECT_DOUBLE_EQ(*group.rows[0].ratio_to_limit, 1.0);
  EXPECT_DOUBLE_EQ(*group.rows[1].ratio_to_baseline, 1.0);
  EXPECT_DOUBLE_EQ(*group.rows[0].ratio_to_baseline, 8.0);
}

TEST(Result, TheLimitIsTheSlowestOfSeveralInEachRound) {
  GroupResult group{"write",
                    "",
                    {fake_row("compute", Kind::limit, 100, {1.0, 4.0, 1.0}),
                     fake_row("raw write", Kind::limit, 100, {2.0, 1.0, 2.0}),
                     fake_row("baseline", Kind::baseline, 100, {8.0, 8.0, 8.0})}};
  compute_figures(group);
  EXPECT_DOUBLE_EQ(*group.rows[2].ratio_to_limit, 4.0);  // 8/2, 8/4, 8/2
  EXPECT_DOUBLE_EQ(*group.rows[0].ratio_to_limit, 0.5);  // 1/2, 4/4, 1/2
}

TEST(Result, ScaledDownRowsCompareByTheByte) {
  GroupResult group{"write",
                    "",
                    {fake_row("limit", Kind::limit, 1000, {1.0}),
                     fake_row("baseline", Kind::baseline, 1000, {20.0}),
                     fake_row("write", Kind::peer, 10, {5.0})}};
  compute_figures(group);
  EXPECT_FALSE(group.rows[1].scaled);
  EXPECT_TRUE(group.rows[2].scaled);
  EXPECT_DOUBLE_EQ(*group.rows[2].ratio_to_limit, 500.0);
  EXPECT_DOUBLE_EQ(*group.rows[2].ratio_to_baseline, 0.04);
  EXPECT_DOUBLE_EQ(group.rows[2].wall_s.median, 5.0);
}

TEST(Result, RowsThatMoveNoBytesCompareByTheirTime) {
  GroupResult group{
      "open",
      "",
      {fake_row("limit", Kind::limit, 0, {1.0}), fake_row("baseline", Kind::baseline, 0, {3.0})}};
  compute_figures(group);
  EXPECT_DOUBLE_EQ(*group.rows[1].ratio_to_limit, 3.0);
}

TEST(Result, AFailedLimitOrBaselineLeavesNoRatioToIt) {
  GroupResult group{
      "write",
      "",
      {fake_row("compute", Kind::limit, 100, {1.0}), fake_row("raw write", Kind::limit, 100, {1.0}),
       fake_row("baseline", Kind::baseline, 100, {3.0}),
       fake_row("ours", Kind::sluice, 100, {1.0})}};
  group.rows[1].error = "no space";
  compute_figures(group);
  EXPECT_FALSE(group.rows[3].ratio_to_limit);
  EXPECT_DOUBLE_EQ(*group.rows[3].ratio_to_baseline, 3.0);

  group.rows[1].error = "";
  group.rows[2].error = "no space";
  compute_figures(group);
  EXPECT_TRUE(group.rows[3].ratio_to_limit);
  EXPECT_FALSE(group.rows[3].ratio_to_baseline);
  EXPECT_FALSE(group.rows[2].ratio_to_limit) << "a failed row has no figures of its own";
}

TEST(Result, ProcessorTimeIsTheMedianOfTheSums) {
  Row row = fake_row("fwrite", Kind::baseline, 1000, {6, 6, 10});
  const double user_s[] = {1, 5, 5};
  const double sys_s[] = {5, 1, 5};
  for (std::size_t round = 0; round < row.rounds.size(); ++round) {
    row.rounds[round].user_s = user_s[round];
    row.rounds[round].sys_s = sys_s[round];
  }
  GroupResult group;
  group.rows = {row};
  compute_figures(group);
  EXPECT_DOUBLE_EQ(group.rows[0].cpu_s, 6) << "the sum of the medians is 10";
}

TEST(Result, MemoryIsTheMostAndCountsAreTheMediansOfTheRounds) {
  GroupResult group{"write", "", {fake_row("limit", Kind::limit, 100, {1.0, 2.0, 3.0})}};
  Row& row = group.rows[0];
  row.rounds[0].peak_rss_bytes = 5;
  row.rounds[1].peak_rss_bytes = 9;
  row.rounds[2].peak_rss_bytes = 7;
  row.rounds[0].syscalls = 10;
  row.rounds[1].syscalls = 30;
  row.rounds[2].syscalls = 12;
  row.rounds[0].voluntary_switches = 4;
  row.rounds[1].voluntary_switches = 1;
  row.rounds[2].voluntary_switches = 2;
  row.rounds[0].involuntary_switches = 9;
  row.rounds[1].involuntary_switches = 8;
  row.rounds[2].involuntary_switches = 5;
  compute_figures(group);
  EXPECT_EQ(row.peak_rss_bytes, 9u);
  EXPECT_EQ(*row.syscalls, 12u);
  EXPECT_EQ(row.voluntary_switches, 2u);
  EXPECT_EQ(row.involuntary_switches, 8u);
  EXPECT_DOUBLE_EQ(row.wall_s.min, 1.0);
  EXPECT_DOUBLE_EQ(row.wall_s.max, 3.0);

  row.rounds[1].syscalls.reset();
  compute_figures(group);
  EXPECT_FALSE(row.syscalls) << "a figure that was not counted in every round is unknown";
}

}  // namespace
}  // namespace sluice::bench
