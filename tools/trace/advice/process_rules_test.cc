// Advice about programs that another program starts again and again.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trace/advice/advice.h"

namespace sluice::trace {
namespace {

// A program of one second, as process 1. On this machine the smallest program takes 0.5 ms.
Profile program(const std::string& name) {
  Profile profile;
  profile.command = {name};
  profile.wall_s = 1;
  profile.start_cost = {.plain_s = 0.5e-3, .begun_s = 1e-3};
  profile.processes.push_back(
      {.number = 1, .program = name, .wall_s = 1, .user_s = 0.2, .threads = 1, .ended = true});
  profile.moments.push_back({.moment_ns = 10'000'000});
  return profile;
}

struct Work {
  double begun_s = 1.2e-3;  // until its log begins
  double user_s = 2e-3;     // in all
  double wall_s = 1e-3;     // since its log began
};

// Processes that run `name`, whose parents are these processes. Returns their numbers.
std::vector<int> add(Profile& profile, const std::string& name, const std::vector<int>& parents,
                     const Work& work = {}) {
  std::vector<int> numbers;
  for (const int parent : parents) {
    numbers.push_back(static_cast<int>(profile.processes.size()) + 1);
    profile.processes.push_back({.number = numbers.back(),
                                 .parent = parent,
                                 .program = name,
                                 .wall_s = work.wall_s,
                                 .user_s = work.user_s,
                                 .begun_s = work.begun_s,
                                 .threads = 1,
                                 .ended = true});
    profile.moments.push_back({.moment_ns = 10'000'000});
  }
  return numbers;
}

std::vector<int> by_the_first(std::size_t times) { return std::vector<int>(times, 1); }

Advice the_advice(const Profile& profile) {
  const std::vector<Advice> all = advice_by_rules(profile);
  if (all.size() == 1 && all[0].id == "started-programs") return all[0];
  ADD_FAILURE() << all.size() << " pieces of advice";
  return {};
}

bool is_silent(const Profile& profile) { return advice_by_rules(profile).empty(); }

constexpr Work of_a_copy{.begun_s = 0.4e-3, .user_s = 1e-3, .wall_s = 2e-3};

TEST(ProcessRules, NameTheProgramsThatAreStartedForEachRecord) {
  Profile profile = program("gawk");
  add(profile, "sh", by_the_first(100));
  const Advice advice = the_advice(profile);
  EXPECT_EQ(advice.place, "programs that gawk starts");
  EXPECT_NE(advice.seen.find("100 starts of sh"), std::string::npos) << advice.seen;
  EXPECT_EQ(advice.runtime, "awk");
  EXPECT_NE(advice.fix.find("print >> file"), std::string::npos) << advice.fix;
  EXPECT_TRUE(advice.uses.empty());
}

TEST(ProcessRules, SaveTheStartsAndAtMostTheWorkOfThePrograms) {
  Profile profile = program("gawk");
  add(profile, "sh", by_the_first(100));
  const Advice advice = the_advice(profile);
  EXPECT_NEAR(*advice.least_saved_s, 100 * 0.6e-3, 1e-9) << "half of it is the recorder's";
  const double work_s = 100 * 0.8e-3 + 100 * 1.5 * 0.5e-3;
  EXPECT_NEAR(advice.saved_s, 100 * 0.6e-3 + work_s, 1e-9);
  EXPECT_NEAR(advice.by_runtime_s, work_s, 1e-9);
}

TEST(ProcessRules, CountNoMoreOfTheStarterThanItWorks) {
  Profile profile = program("gawk");
  profile.processes[0].user_s = 0.01;
  add(profile, "sh", by_the_first(100));
  EXPECT_NEAR(the_advice(profile).saved_s, 100 * 1.4e-3 + 0.01, 1e-9);
}

TEST(ProcessRules, AreSilentAboutFewStarts) {
  Profile profile = program("gawk");
  add(profile, "sh", by_the_first(24));
  EXPECT_TRUE(is_silent(profile));
}

TEST(ProcessRules, AreSilentWhereNobodyMeasuredAStart) {
  Profile profile = program("gawk");
  add(profile, "sh", by_the_first(100));
  profile.start_cost = {};
  EXPECT_TRUE(is_silent(profile));
}

TEST(ProcessRules, AreSilentAboutProgramsThatCompute) {
  Profile profile = program("make");
  add(profile, "cc1", by_the_first(100), {.user_s = 20e-3, .wall_s = 20e-3});
  EXPECT_TRUE(is_silent(profile));
}

// A shell of make waits for its compiler, and computes nothing itself.
TEST(ProcessRules, AreSilentAboutProgramsThatWaitForLongOnes) {
  Profile profile = program("make");
  const std::vector<int> shells = add(profile, "sh", by_the_first(100), {.wall_s = 0.1});
  add(profile, "cc1", shells, {.user_s = 0.1, .wall_s = 0.09});
  EXPECT_TRUE(is_silent(profile));
}

TEST(ProcessRules, AreSilentAboutManyDifferentPrograms) {
  Profile profile = program("bash");
  for (int i = 0; i < 100; ++i) add(profile, "test" + std::to_string(i), by_the_first(1));
  EXPECT_TRUE(is_silent(profile));
}

TEST(ProcessRules, LeaveOutTheProgramsThatCompute) {
  Profile profile = program("bash");
  add(profile, "cut", by_the_first(100));
  add(profile, "gzip", by_the_first(100), {.user_s = 20e-3, .wall_s = 20e-3});
  const Advice advice = the_advice(profile);
  EXPECT_EQ(advice.seen.find("gzip"), std::string::npos) << advice.seen;
  EXPECT_NEAR(*advice.least_saved_s, 100 * 0.6e-3 / advice.at_once, 1e-9);
}

// `x=$(echo "$line" | cut -f 1)`: a copy of the shell starts a copy for echo, and cut.
TEST(ProcessRules, CountTheCopiesOfAShellBetweenItAndItsPrograms) {
  Profile profile = program("bash");
  const std::vector<int> subshells = add(profile, "bash", by_the_first(100), of_a_copy);
  add(profile, "bash", subshells, of_a_copy);
  add(profile, "cut", subshells);
  const Advice advice = the_advice(profile);
  EXPECT_EQ(advice.place, "programs that bash starts");
  EXPECT_NE(advice.seen.find("200 copies of bash"), std::string::npos) << advice.seen;
  EXPECT_NEAR(*advice.least_saved_s, (100 * 1.2e-3 + 200 * 0.4e-3) / 2, 1e-9);
}

// A process that fork makes has a log, and another one when it becomes a program.
TEST(ProcessRules, CountAProcessThatBecomesAProgramOnce) {
  Profile profile = program("perl");
  for (const int number : add(profile, "perl", by_the_first(60), of_a_copy)) {
    Process becomes = profile.processes[static_cast<std::size_t>(number) - 1];
    becomes.program = "date";
    becomes.begun_s = 1.2e-3;
    becomes.user_s = 2e-3;
    profile.processes.push_back(becomes);
    profile.moments.push_back({.moment_ns = 10'000'000});
  }
  const Advice advice = the_advice(profile);
  EXPECT_NE(advice.seen.find("60 starts of date"), std::string::npos) << advice.seen;
  EXPECT_EQ(advice.seen.find("copies"), std::string::npos) << advice.seen;
  EXPECT_NEAR(*advice.least_saved_s, 60 * 0.35e-3, 1e-9) << "without 0.5 ms for the first log";
}

TEST(ProcessRules, CountTheProgramsThatAShortShellStarts) {
  Profile profile = program("program");
  const std::vector<int> shells = add(profile, "sh", by_the_first(100));
  add(profile, "mkdir", shells);
  const Advice advice = the_advice(profile);
  EXPECT_EQ(advice.place, "programs that program starts");
  EXPECT_NE(advice.seen.find("100 starts of mkdir"), std::string::npos) << advice.seen;
  EXPECT_NE(advice.fix.find("popen"), std::string::npos) << advice.fix;
}

TEST(ProcessRules, TakeTheProcessesWithoutALogForAlike) {
  Profile profile = program("gawk");
  add(profile, "sh", by_the_first(100));
  const Advice seen = the_advice(profile);
  profile.processes_left_out = 101;
  EXPECT_NEAR(the_advice(profile).saved_s, 2 * seen.saved_s, 1e-9);
}

TEST(ProcessRules, ShareTheSavingOfProgramsThatRunAtOnce) {
  Profile profile = program("xargs");
  profile.wall_s = profile.processes[0].wall_s = 0.1;
  profile.processes[0].user_s = 0;
  add(profile, "basename", by_the_first(100));
  const Advice advice = the_advice(profile);
  EXPECT_NEAR(advice.at_once, 2, 1e-9) << "0.2 s of work in 0.1 s";
  EXPECT_NEAR(*advice.least_saved_s, 100 * 0.6e-3 / 2, 1e-9);
  EXPECT_NE(advice.fix.find("`-n 1`"), std::string::npos) << advice.fix;
}

}  // namespace
}  // namespace sluice::trace
