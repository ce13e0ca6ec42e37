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
}

TEST(Latency, OfOneOperationIsItsTime) {
  const Latency latency = latency_of({3});
  EXPECT_EQ(latency.p50_s, 3);
  EXPECT_EQ(latency.max_s, 3);
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
