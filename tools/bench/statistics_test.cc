#include "bench/statistics.h"

#include <gtest/gtest.h>

namespace sluice::bench {
namespace {

TEST(Statistics, FindsTheMiddleOfAnOddNumberOfValues) {
  const Spread spread = spread_of({5.0, 1.0, 4.0, 9.0, 2.0});
  EXPECT_EQ(spread.min, 1.0);
  EXPECT_EQ(spread.median, 4.0);
  EXPECT_EQ(spread.max, 9.0);
}

TEST(Statistics, TakesTheMeanOfTheMiddleTwoOfAnEvenNumber) {
  const Spread spread = spread_of({10.0, 1.0, 2.0, 4.0});
  EXPECT_EQ(spread.min, 1.0);
  EXPECT_EQ(spread.median, 3.0);
  EXPECT_EQ(spread.max, 10.0);
}

TEST(Statistics, TakesOneValueForAllThree) {
  const Spread spread = spread_of({7.5});
  EXPECT_EQ(spread.min, 7.5);
  EXPECT_EQ(spread.median, 7.5);
  EXPECT_EQ(spread.max, 7.5);
}

TEST(Statistics, IsNotMovedByOneOutlier) { EXPECT_EQ(median_of({1.0, 1000.0, 2.0}), 2.0); }

}  // namespace
}  // namespace sluice::bench
