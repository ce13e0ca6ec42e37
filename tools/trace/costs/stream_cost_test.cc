#include "trace/costs/stream_cost.h"

#include <gtest/gtest.h>

namespace sluice::trace {
namespace {

TEST(StreamCosts, AreMeasuredForEachCall) {
  const StreamCosts costs = measured_stream_costs();
  for (const CostRange& cost :
       {costs.byte_read, costs.byte_written, costs.piece_read, costs.piece_written,
        costs.integer_written, costs.fraction_written}) {
    EXPECT_GT(cost.most_s, 0.2e-9);
    EXPECT_LE(cost.least_s, cost.most_s);
    EXPECT_LT(cost.most_s, 20e-6);
  }
  EXPECT_GT(costs.fraction_written.most_s, costs.piece_written.least_s);
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
