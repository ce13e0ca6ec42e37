#include "trace/costs/write_cost.h"

#include <gtest/gtest.h>

namespace sluice::trace {
namespace {

TEST(WriteCost, IsThatOfASystemCall) {
  EXPECT_GT(measured_write_s(), 20e-9);
  EXPECT_LT(measured_write_s(), 100e-6);
}

}  // namespace
}  // namespace sluice::trace
