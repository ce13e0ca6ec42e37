// Advice about programs that another program starts again and again.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "trace/testing/processes.h"

namespace sluice::trace {
namespace {

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
  constexpr Work slow_start{.begun_s = 10e-3, .user_s = 11e-3};
  add(profile, "sh", by_the_first(9), slow_start);
  EXPECT_TRUE(is_silent(profile));
  add(profile, "sh", by_the_first(1), slow_start);
  EXPECT_FALSE(is_silent(profile));
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
  for (Process& shell : profile.processes) shell.system_s = 2e-3;
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
  EXPECT_EQ(seen.seen.find("among the first"), std::string::npos) << seen.seen;
  profile.processes_left_out = 101;
  EXPECT_NEAR(the_advice(profile).saved_s, 2 * seen.saved_s, 1e-9);
  EXPECT_NE(the_advice(profile).seen.find("100 starts of sh, among the first 101 processes"),
            std::string::npos)
      << the_advice(profile).seen;
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

TEST(ProcessRules, SpeakOfTheirOptionsToUsersOfCommandsThatStartOthers) {
  Profile found = program("find");
  add(found, "rm", by_the_first(100));
  EXPECT_TRUE(the_advice(found).fix.starts_with("Give the command many files at once"));
  Profile profile = program("make");
  add(profile, "sh", by_the_first(100));
  const Advice advice = the_advice(profile);
  EXPECT_TRUE(advice.fix.starts_with("Let one recipe make many files")) << advice.fix;
  EXPECT_NE(advice.fix.find("share a shell"), std::string::npos) << advice.fix;
  Profile tests = program("make");
  add(tests, "a-test", by_the_first(100));
  EXPECT_EQ(the_advice(tests).fix.find("shell"), std::string::npos);
  Profile pieces = program("split");
  add(pieces, "sh", by_the_first(100));
  EXPECT_TRUE(the_advice(pieces).fix.starts_with("Give each piece more lines"));
}

// A loop that waits for something starts `sleep`.
TEST(ProcessRules, LeaveProgramsOutThatOnlyWait) {
  Profile profile = program("bash");
  for (int i = 0; i < 100; ++i) {
    add(profile, "grep", by_the_first(1));
    add(profile, "sleep", by_the_first(1), {.user_s = 1.2e-3, .wall_s = 1});
  }
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "the loop waits each time";
  add(profile, "cat", by_the_first(100));
  EXPECT_EQ(the_advice(profile).seen.find("sleep"), std::string::npos);
  EXPECT_EQ(the_advice(profile).seen.find("grep"), std::string::npos);
  add(profile, "grep", by_the_first(400));
  EXPECT_NE(the_advice(profile).seen.find("grep"), std::string::npos) << "another loop";
}

TEST(ProcessRules, TellAShellWhatItCanDoItself) {
  Profile profile = program("bash");
  add(profile, "basename", by_the_first(100));
  add(profile, "cut", by_the_first(100));
  const std::string fix = the_advice(profile).fix;
  EXPECT_NE(fix.find("`${path##*/}` for basename and `read -r first rest`"), std::string::npos)
      << fix;
  EXPECT_EQ(fix.find("dirname"), std::string::npos) << "the loop starts none";
  Profile other = program("bash");
  add(other, "convert", by_the_first(100));
  EXPECT_TRUE(the_advice(other).fix.starts_with("Give one command all files"));
  EXPECT_EQ(the_advice(other).fix.find("The shell itself"), std::string::npos);
}

TEST(ProcessRules, TellAShellToReadAFileOnceAndToGiveADatabaseAllStatements) {
  Profile lines = program("bash");
  add(lines, "head", by_the_first(100));
  EXPECT_NE(the_advice(lines).fix.find("`while read -r line`"), std::string::npos);
  Profile database = program("dash");
  add(database, "sqlite3", by_the_first(100));
  EXPECT_NE(the_advice(database).fix.find("| sqlite3 ..."), std::string::npos);
  add(database, "cut", by_the_first(101));
  EXPECT_EQ(the_advice(database).fix.find("sqlite3"), std::string::npos) << "cut costs more";
}

// A program that makes copies of itself, which take half of its time.
Profile copying(const std::string& name, std::size_t copies, const Work& work) {
  Profile profile = program(name);
  profile.processes[0].wall_s = 0.4;
  profile.processes[0].system_s = 0.04;
  profile.processes[0].time.system_s = 0.01;
  add(profile, name, by_the_first(copies), work);
  return profile;
}

// `x=$(echo "$y")` makes a copy of the shell and starts nothing.
TEST(ProcessRules, NameTheCopiesOfAShellThatStartNothing) {
  Profile profile = copying("dash", 100, {.begun_s = 0.7e-3, .user_s = 0.9e-3});
  const std::vector<Advice> all = advice_by_rules(profile);
  ASSERT_EQ(all.size(), 1);
  EXPECT_EQ(all[0].kind.id, "forked-copies");
  EXPECT_EQ(all[0].place, "copies of dash that it makes by fork");
  EXPECT_NE(all[0].seen.find("100 copies of dash"), std::string::npos) << all[0].seen;
  EXPECT_NE(all[0].fix.find("`x=$(echo \"$y\")`"), std::string::npos) << all[0].fix;
  EXPECT_NEAR(*all[0].least_saved_s, 100 * 0.2e-3 + 0.03, 1e-9)
      << "without 0.5 ms for each log, and with the forks of the shell";
  EXPECT_NEAR(all[0].saved_s, 100 * 0.9e-3 + 2 * 0.03, 1e-9) << "all work, and the copies' ends";
}

TEST(ProcessRules, CountNoMoreOfTheKernelsTimeThanForksSurelyTake) {
  Profile profile = copying("program", 100, {.begun_s = 0.5e-3, .user_s = 0.6e-3});
  profile.processes[0].user_s = 0;
  profile.processes[0].system_s = 0.21;
  const std::vector<Advice> all = advice_by_rules(profile);
  ASSERT_EQ(all.size(), 1);
  EXPECT_NEAR(*all[0].least_saved_s, 100 * 0.75e-3, 1e-9) << "of 1.5 starts";
  EXPECT_NEAR(all[0].saved_s, 0.06 + 2 * 0.2, 1e-9);
  EXPECT_NE(all[0].fix.find("many items"), std::string::npos) << all[0].fix;
}

TEST(ProcessRules, AreSilentAboutCopiesThatWorkOrAreFew) {
  EXPECT_FALSE(is_silent(copying("program", 100, of_a_copy)));
  EXPECT_TRUE(is_silent(copying("program", 9, of_a_copy)));
  EXPECT_TRUE(is_silent(copying("program", 100, {.begun_s = 0.4e-3, .user_s = 5e-3})))
      << "they compute";
  EXPECT_TRUE(
      is_silent(copying("program", 100, {.begun_s = 0.4e-3, .user_s = 1e-3, .wall_s = 0.06})))
      << "they live long";
  Profile server = copying("program", 100, of_a_copy);
  server.processes[0].wall_s = 1;
  EXPECT_TRUE(is_silent(server)) << "it waits for requests";
}

TEST(ProcessRules, AddUpTheCopiesOfAllProcessesOfAProgram) {
  Profile profile = copying("dash", 60, of_a_copy);
  const double alone_s = advice_by_rules(profile).at(0).saved_s;
  const int other = add(profile, "sh", by_the_first(1), {.user_s = 0.1, .wall_s = 0.4}).front();
  profile.processes[static_cast<std::size_t>(other) - 1].program = "dash";
  profile.processes[static_cast<std::size_t>(other) - 1].system_s = 0.03;
  add(profile, "dash", std::vector<int>(60, other), of_a_copy);
  const std::vector<Advice> all = advice_by_rules(profile);
  ASSERT_EQ(all.size(), 1);
  EXPECT_NE(all[0].seen.find("120 copies"), std::string::npos) << all[0].seen;
  EXPECT_NEAR(all[0].saved_s, 2 * alone_s, 1e-9);
}

TEST(ProcessRules, TellOnceOfCopiesAndOfTheProgramsThatTheyBecome) {
  Profile profile = copying("bash", 100, of_a_copy);
  add(profile, "date", by_the_first(100));
  EXPECT_NE(the_advice(profile).seen.find("100 copies of bash"), std::string::npos);
}

// popen() starts a shell for each command, and the shell makes a copy of itself for a pipe.
TEST(ProcessRules, TellOnceOfShellsThatMakeACopyEach) {
  Profile profile = program("program");
  const std::vector<int> shells = add(profile, "sh", by_the_first(300), {.user_s = 1.4e-3});
  for (Process& shell : profile.processes) shell.system_s = 0.4e-3;
  add(profile, "sh", shells, of_a_copy);
  EXPECT_NE(the_advice(profile).seen.find("300 copies of sh"), std::string::npos);
}

// The other programs compute, so that nothing is told of their starts.
TEST(ProcessRules, NameTheCopiesBesideProgramsThatCompute) {
  Profile profile = copying("bash", 100, of_a_copy);
  add(profile, "sha1sum", by_the_first(20), {.user_s = 10e-3, .wall_s = 10e-3});
  const std::vector<Advice> all = advice_by_rules(profile);
  ASSERT_EQ(all.size(), 1);
  EXPECT_EQ(all[0].kind.id, "forked-copies");
}

TEST(ProcessRules, TellOfCopiesBesideTheProgramsThatAShellStarts) {
  Profile profile = program("bash");
  add(profile, "date", by_the_first(100));
  EXPECT_EQ(the_advice(profile).fix.find("`x=$y`"), std::string::npos);
  add(profile, "bash", by_the_first(201), of_a_copy);
  EXPECT_NE(the_advice(profile).fix.find("`x=$y`"), std::string::npos);
}

// Node takes 30 ms at least, without a script.
TEST(ProcessRules, CountWhatAnInterpreterTakesInEachRun) {
  Profile profile = program("bash");
  add(profile, "program", by_the_first(12), {.user_s = 62e-3, .wall_s = 70e-3});
  EXPECT_TRUE(is_silent(profile)) << "nobody knows what it works for";
  for (Process& process : profile.processes) {
    if (process.number > 1) process.program = "node";
  }
  const Advice advice = the_advice(profile);
  EXPECT_NE(advice.seen.find("12 starts of node"), std::string::npos);
  EXPECT_NE(
      advice.why.find("0.50 ms, and an interpreter also loads its own modules each time. The"),
      std::string::npos)
      << advice.why;
  EXPECT_GT(*advice.least_saved_s, 12 * 29.5e-3 / 1.1);
  EXPECT_LT(advice.saved_s, 12 * 64e-3);
  for (Process& process : profile.processes) process.wall_s += 0.02;
  EXPECT_TRUE(is_silent(profile)) << "it lives for long";
}

// `perl -MJSON::PP -ne ...` for each line.
TEST(ProcessRules, KnowThatAnInterpreterLoadsItsModules) {
  Profile profile = program("bash");
  for (const int number : add(profile, "perl", by_the_first(50), {.user_s = 17e-3})) {
    Use& use =
        profile.uses.emplace_back(Use{.call = preload::Call::read, .threads = {{number, 0}}});
    use.amount.calls = use.amount.system_calls = 1;
    use.amount.bytes = use.amount.system_bytes = 16'384;
  }
  profile.sites.emplace_back();
  profile.files.push_back({.name = "pipe:[1]", .kind = S_IFIFO});
  const Advice advice = the_advice(profile);
  EXPECT_LT(*advice.least_saved_s, 50 * 0.9e-3) << "the starts alone";
  EXPECT_GT(advice.saved_s, 50 * 16e-3);
  for (Use& use : profile.uses) use.amount.system_bytes = 20'000;
  EXPECT_TRUE(is_silent(profile)) << "it works on data";
  profile.files[0].name = "/usr/share/perl/5.36.0/JSON/PP.pm";
  EXPECT_FALSE(is_silent(profile));
  for (Process& process : profile.processes) {
    if (process.number > 1) process.program = "compute";
  }
  EXPECT_TRUE(is_silent(profile));
}

}  // namespace
}  // namespace sluice::trace
