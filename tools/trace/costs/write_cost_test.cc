#include "trace/costs/write_cost.h"

#include <gtest/gtest.h>

namespace sluice::trace {
namespace {

TEST(WriteCost, IsMeasured) { EXPECT_GT(measured_write_s(), 0); }

}  // namespace
}  // namespace sluice::trace
