#include "bench/latency.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace sluice::bench {
namespace {

TEST(Latency, IsTheNearestRank) {
  std::vector<double> seconds(1000);
  std::iota(seconds.rbegin(), seconds.rend(), 1.0);  // 1000 down to 1
  const Latency latency = latency_of(seconds);
  EXPECT_EQ(latency.p50_s, 500);
  EXPECT_EQ(latency.p90_s, 900);
  EXPECT_EQ(latency.p99_s, 990);
  EXPECT_EQ(latency.p999_s, 999);
  EXPECT_EQ(latency.max_s, 1000);
  EXPECT_EQ(latency.count, 1000u);
}

TEST(Latency, OfOneOperationIsItsTime) {
  const Latency latency = latency_of({3});
  EXPECT_EQ(latency.p50_s, 3);
  EXPECT_EQ(latency.max_s, 3);
}

TEST(Latency, HasAPercentileThatIsBelowTheMaximum) {
  EXPECT_FALSE((Latency{.count = 9}.has_percentile(0.9)));
  EXPECT_TRUE((Latency{.count = 10}.has_percentile(0.9)));
  EXPECT_FALSE((Latency{.count = 99}.has_percentile(0.99)));
  EXPECT_TRUE((Latency{.count = 100}.has_percentile(0.99)));
  EXPECT_FALSE((Latency{.count = 999}.has_percentile(0.999)));
  EXPECT_TRUE((Latency{.count = 1000}.has_percentile(0.999)));
}

TEST(Latency, IsTakenOnce) {
  EXPECT_FALSE(take_noted_latency().has_value());
  note_operations({2, 1});
  EXPECT_EQ(take_noted_latency()->max_s, 2);
  EXPECT_FALSE(take_noted_latency().has_value());
}

TEST(Latency, CountsTheTimeOfEachOperation) {
  std::vector<double> seconds;
  timed(seconds, [] {});
  timed(seconds, [] {});
  EXPECT_EQ(seconds.size(), 2u);
  EXPECT_GE(seconds[0], 0);
}

}  // namespace
}  // namespace sluice::bench
