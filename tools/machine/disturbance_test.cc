#include "machine/disturbance.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice {
namespace {

TEST(Disturbance, IsTheTimeOfOthersAndOfTheHost) {
  const ProcessorTimes before = processor_times_in("cpu  100 0 100 800 0 0 0 0 0 0", 100);
  EXPECT_DOUBLE_EQ(before.total_s, 10);
  EXPECT_DOUBLE_EQ(before.busy_s, 2);
  ProcessorTimes after = processor_times_in("cpu  200 50 150 1000 50 20 30 500 0 0", 100);
  EXPECT_DOUBLE_EQ(after.total_s, 20);
  EXPECT_DOUBLE_EQ(after.busy_s, 4.5);
  EXPECT_DOUBLE_EQ(after.stolen_s, 5);
  after.own_s = 1.5;
  const Disturbance disturbance = disturbance_between(before, after);
  EXPECT_DOUBLE_EQ(idle_processors_between(before, after, 4), 1);
  EXPECT_DOUBLE_EQ(disturbance.others, 0.1);
  EXPECT_DOUBLE_EQ(disturbance.host, 0.5);
}

TEST(Disturbance, IsNoneIfTheKernelDoesNotTell) {
  for (const std::string line : {"", "cpu", "cpu  1 2 3 4 5 6 7", "cpu0 1 2 3 4 5 6 7 8"}) {
    EXPECT_EQ(processor_times_in(line, 100).total_s, 0) << line;
  }
  EXPECT_EQ(idle_processors_between({}, {}, 4), 0);
  EXPECT_EQ(disturbance_between({}, {}).others, 0);
  EXPECT_EQ(disturbance_between({}, {}).host, 0);
}

TEST(Disturbance, CountsTheTimeOfThisProcessAsItsOwn) {
  const ProcessorTimes before = processor_times();
  EXPECT_GT(before.total_s, 0);
  EXPECT_GE(before.total_s, before.busy_s + before.stolen_s);
  ProcessorTimes after = processor_times();
  while (after.own_s - before.own_s < 0.05) after = processor_times();
  EXPECT_GT(after.own_s, before.own_s);
}

}  // namespace
}  // namespace sluice
