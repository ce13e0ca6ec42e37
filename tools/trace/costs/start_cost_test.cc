// How long programs take that are given nothing to do.
#include "trace/costs/start_cost.h"

#include <gtest/gtest.h>

namespace sluice::trace {
namespace {

TEST(EmptyRun, IsMeasuredForKnownPrograms) {
  const double perl_s = measured_empty_run_s("perl", "/usr/bin/perl");
  EXPECT_GT(perl_s, 0.1e-3);
  EXPECT_LT(perl_s, 1) << "it ends at once";
  EXPECT_EQ(measured_empty_run_s("perl", "/no/such/file"), 0);
  EXPECT_EQ(measured_empty_run_s("perl", "/bin/false"), 0) << "it fails";
  EXPECT_EQ(measured_empty_run_s("true", "/bin/true"), 0) << "nobody knows its empty script";
}

TEST(EmptyRun, LastsLongerThanTheSmallestProgram) {
  const StartCost cost{.plain_s = 1e-3, .empty_s = {{"node", 60e-3}, {"perl", 0.5e-3}}};
  EXPECT_NEAR(cost.own_s("node"), 59e-3, 1e-9);
  EXPECT_EQ(cost.own_s("perl"), 0);
  EXPECT_EQ(cost.own_s("other"), 0);
}

}  // namespace
}  // namespace sluice::trace
