#include "trace/costs/stream_cost.h"

#include <gtest/gtest.h>

namespace sluice::trace {
namespace {

TEST(StreamCosts, AreMeasuredForEachCall) {
  const StreamCosts costs = measured_stream_costs().value();
  for (const CostRange& cost :
       {costs.byte_read, costs.byte_written, costs.piece_read, costs.piece_written,
        costs.integer_written, costs.fraction_written}) {
    EXPECT_GT(cost.most_s, 0);
    EXPECT_LE(cost.least_s, cost.most_s);
  }
}

TEST(StreamCosts, IncludeWhatIsMeasured) {
  CostRange cost = CostRange::of_nothing();
  cost.include(2);
  EXPECT_EQ(cost.least_s, 2);
  EXPECT_EQ(cost.most_s, 2);
  cost.include(3);
  cost.include(-1);
  EXPECT_EQ(cost.least_s, 0) << "a stream takes no less than no time";
  EXPECT_EQ(cost.most_s, 3);
}

}  // namespace
}  // namespace sluice::trace
