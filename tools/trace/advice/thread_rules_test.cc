// Advice about threads of one program that wait for each other.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "trace/advice/advice.h"
#include "trace/costs/switch_cost.h"

namespace sluice::trace {
namespace {

using preload::Call;

// One thread reads 40,000 lines of 40 bytes and hands each to another one: two waits for each.
Profile handing_lines_over() {
  Profile profile;
  profile.command = {"program"};
  profile.wall_s = 0.4;
  profile.switch_s = 4e-6;
  profile.processes.push_back({.number = 1,
                               .program = "/usr/bin/program",
                               .wall_s = 0.4,
                               .user_s = 0.08,
                               .system_s = 0.2505,
                               .threads = 1,
                               .several_threads = true,
                               .ended = true,
                               .voluntary_switches = 80'400});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.sites.push_back({.frames = {{"function", "", "/usr/bin/program"}}});
  profile.files.push_back({.name = "lines", .opens = 1, .kind = S_IFREG});
  Use& use = profile.uses.emplace_back(Use{.call = Call::fgets, .threads = {{1, 1}}});
  use.amount.calls = use.amount.copies = 40'000;
  use.amount.bytes = 1'600'000;
  use.amount.system_calls = 400;
  return profile;
}

std::optional<Advice> turns_in(const Profile& profile) {
  for (const Advice& advice : advice_by_rules(profile)) {
    if (advice.kind.id == "turns-of-threads") return advice;
  }
  return std::nullopt;
}

TEST(ThreadRules, SeeThreadsThatTakeTurns) {
  const std::optional<Advice> advice = turns_in(handing_lines_over());
  ASSERT_TRUE(advice.has_value());
  EXPECT_EQ(advice->place, "threads of program");
  EXPECT_EQ(advice->at_once, 2) << "they save time by the clock";
  EXPECT_NE(advice->seen.find("80,000 times for each other, once for each 20 bytes of lines"),
            std::string::npos)
      << advice->seen;
  EXPECT_NEAR(advice->least_s(), 0.25 / 1.5, 1e-9) << "a part of the kernel's work";
  EXPECT_NEAR(advice->saved_s, 0.4 - 0.08 / 6, 1e-9) << "all but a sixth of the program's own time";
}

TEST(ThreadRules, PredictNoMoreThanTheSwitchesTake) {
  Profile profile = handing_lines_over();
  profile.switch_s = 0.5e-6;
  EXPECT_NEAR(turns_in(profile)->least_s(), 0.04 / 1.5, 1e-9);
  EXPECT_NEAR(turns_in(profile)->saved_s, 0.2, 1e-9);
  profile.switch_s = 0;
  EXPECT_FALSE(turns_in(profile)) << "nobody measured a switch";
}

TEST(ThreadRules, LeaveWaitsInCallsOut) {
  Profile profile = handing_lines_over();
  profile.uses[0].amount.system_calls = 70'000;
  EXPECT_FALSE(turns_in(profile));
}

TEST(ThreadRules, KnowThreadsThatShareALockOrWorkThroughBlocks) {
  Profile profile = handing_lines_over();
  profile.uses[0].amount.bytes = 1'000 * 80'000;
  EXPECT_TRUE(turns_in(profile));
  profile.uses[0].amount.bytes = 1'100 * 80'000;
  EXPECT_FALSE(turns_in(profile));
  profile.uses[0].amount.bytes = 20'000;
  EXPECT_FALSE(turns_in(profile)) << "the waits have nothing to do with the file";
}

// Threads that compute steps together wait for each other, and write a line now and then.
TEST(ThreadRules, KnowThreadsThatWaitForOtherThingsThanRecords) {
  Profile profile = handing_lines_over();
  profile.uses[0].amount.calls = 13'400;
  EXPECT_TRUE(turns_in(profile));
  profile.uses[0].amount.calls = 13'300;
  EXPECT_FALSE(turns_in(profile)) << "more than six waits for each line";
  profile.uses[0].amount.calls = 400;
  EXPECT_TRUE(turns_in(profile)) << "lines in blocks";
  profile.processes[0].unseen_calls = {"GOMP_parallel"};
  EXPECT_FALSE(turns_in(profile));
}

TEST(ThreadRules, LeaveWaitsAtBarriersOut) {
  Profile profile = handing_lines_over();
  profile.processes[0].barrier_waits = 10;
  EXPECT_TRUE(turns_in(profile));
  profile.processes[0].barrier_waits = 80'000;
  EXPECT_FALSE(turns_in(profile));
}

// Each of six threads waits twice for each line.
TEST(ThreadRules, SeeARowOfThreads) {
  Profile profile = handing_lines_over();
  profile.processes[0].voluntary_switches = 400'400;
  profile.processes[0].system_s = 0.4;
  EXPECT_FALSE(turns_in(profile)) << "ten waits for each line";
  profile.processes[0].started_threads = 5;
  EXPECT_TRUE(turns_in(profile));
  profile.uses[0].amount.calls = 10'000;
  profile.processes[0].started_threads = 1'000;
  EXPECT_FALSE(turns_in(profile)) << "they were not there at one time";
}

TEST(ThreadRules, KnowThreadsThatWorkAtTheSameTime) {
  Profile profile = handing_lines_over();
  profile.processes[0].user_s = 0.5;
  EXPECT_FALSE(turns_in(profile));
}

TEST(ThreadRules, KnowThreadsForWhichTheKernelDoesNotWork) {
  Profile profile = handing_lines_over();
  profile.processes[0].minor_faults = 300'000;
  EXPECT_FALSE(turns_in(profile));
}

TEST(ThreadRules, KnowThreadsThatWaitForTimers) {
  Profile profile = handing_lines_over();
  profile.wall_s = profile.processes[0].wall_s = 4;
  EXPECT_FALSE(turns_in(profile));
}

TEST(ThreadRules, AreForProcessesOfSeveralThreadsThatEnded) {
  Profile profile = handing_lines_over();
  profile.processes[0].several_threads = false;
  EXPECT_FALSE(turns_in(profile));
  profile = handing_lines_over();
  profile.processes[0].ended = false;
  EXPECT_FALSE(turns_in(profile));
  profile = handing_lines_over();
  profile.processes[0].program = "/usr/bin/node";
  EXPECT_FALSE(turns_in(profile)) << "an interpreter has threads of its own";
}

// Each process has read half of the bytes, by half of the calls.
TEST(ThreadRules, CountTheBytesAndCallsOfOneProcess) {
  Profile profile = handing_lines_over();
  profile.processes.push_back({.number = 2, .program = "/usr/bin/program", .ended = true});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.uses[0].threads.emplace(2, 1);
  EXPECT_NE(turns_in(profile)->seen.find("each 10 bytes"), std::string::npos);
  profile.uses[0].amount.system_calls = 70'000;
  ASSERT_TRUE(turns_in(profile).has_value()) << "the process has made 35,000 of them";
  EXPECT_NE(turns_in(profile)->seen.find("waited 45,400 times"), std::string::npos);
}

TEST(SwitchCost, IsAFewMicroseconds) {
  const double switch_s = measured_switch_s();
  EXPECT_GT(switch_s, 1e-7);
  EXPECT_LT(switch_s, 1e-2);
}

}  // namespace
}  // namespace sluice::trace
