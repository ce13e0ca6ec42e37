// Advice about programs that another program starts again and again.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <utility>
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
  if (all.size() == 1 && all[0].kind.id == "started-programs") return all[0];
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

// Processes of sed that each read a file of 1 MB, write another one beside it, and rename this one.
Profile rewritten(std::size_t times, const std::string& written = "/f/sedAbCd") {
  Profile profile = program("sh");
  profile.sites.emplace_back();
  profile.files = {{.name = "/f/table",
                    .size_bytes = 1'000'000,
                    .kind = S_IFREG,
                    .renewals = static_cast<double>(times)},
                   {.name = written, .size_bytes = 1'000'000, .kind = S_IFREG},
                   {.name = "(names that were changed)"}};
  for (const int number : add(profile, "sed", by_the_first(times), {.user_s = 8.2e-3})) {
    Process& process = profile.processes[static_cast<std::size_t>(number) - 1];
    process.time = {.copying_s = 1e-3, .system_s = 2e-3, .sleep_s = 3e-3};
    for (const auto& [file, call] :
         {std::pair<std::size_t, preload::Call>{0, preload::Call::getline},
          {1, preload::Call::fwrite},
          {2, preload::Call::rename}}) {
      Use& use =
          profile.uses.emplace_back(Use{.file = file, .call = call, .threads = {{number, 0}}});
      use.amount.calls = use.amount.system_calls = 1'000;
      use.amount.bytes = use.amount.system_bytes = file == 2 ? 0 : 1'000'000;
      use.amount.time.system_s = 1e-3;
    }
  }
  return profile;
}

TEST(ProcessRules, NameProgramsThatEachReadAndReplaceOneFile) {
  const Advice advice = the_advice(rewritten(20));
  EXPECT_EQ(advice.place, "programs that sh starts");
  EXPECT_NE(advice.seen.find("20 starts of sed, each of which read /f/table"), std::string::npos);
  EXPECT_NE(advice.fix.find("one start of sed, with all expressions"), std::string::npos);
  EXPECT_NEAR(*advice.least_saved_s, 19 * 3e-3, 1e-9) << "the calls of all but one";
  EXPECT_NEAR(advice.saved_s, 19 * (8.2e-3 + 3e-3), 1e-9) << "and their work and waits";
  EXPECT_TRUE(advice.uses.empty());
}

TEST(ProcessRules, DoNotTakeOtherProgramsForSuchThatReplaceOneFile) {
  const auto has_such = [](const Profile& profile) {
    const std::vector<Advice> all = advice_by_rules(profile);
    return std::ranges::any_of(all,
                               [](const Advice& of) { return of.kind.id == "started-programs"; });
  };
  EXPECT_TRUE(has_such(rewritten(10)));
  EXPECT_FALSE(has_such(rewritten(9)));
  EXPECT_FALSE(has_such(rewritten(20, "/elsewhere/file"))) << "the table is only read";
  Profile large = rewritten(20);
  large.files[0].size_bytes = 10'000'000;
  for (Use& use : large.uses) {
    if (use.file == 1) use.amount.system_bytes = 10'000'000;
  }
  EXPECT_FALSE(has_such(large)) << "a part of the table is read";
  Profile kept = rewritten(20);
  kept.files[0].renewals = 1;
  EXPECT_FALSE(has_such(kept)) << "each process puts its file in the place of another one";
  Profile beside = rewritten(20);  // a process that only reads the table makes the same call
  for (Use& use : beside.uses) {
    if (use.file == 0) use.threads.emplace(1, 0);
  }
  EXPECT_TRUE(has_such(beside));
  Profile small = rewritten(20);
  small.files[0].size_bytes = 23;
  EXPECT_FALSE(has_such(small)) << "other bytes than those of the file take the time";
}

TEST(ProcessRules, KeepTheAdviceAboutOtherProcesses) {
  Profile profile = rewritten(20);
  profile.files.push_back({.name = "/f/list", .opens = 1, .kind = S_IFREG});
  Use& use =
      profile.uses.emplace_back(Use{.file = 3, .call = preload::Call::write, .threads = {{1, 0}}});
  use.amount.calls = use.amount.system_calls = 10'000;
  use.amount.bytes = use.amount.system_bytes = 10'000;
  use.amount.time.system_s = 0.05;
  const std::vector<Advice> all = advice_by_rules(profile);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].kind.id, "tiny-writes");
}

// Processes of `name` that each read all of a file of 1 MB.
Profile read_by(const std::string& name, std::size_t times) {
  Profile profile = program("bash");
  profile.sites.emplace_back();
  profile.files = {{.name = "/f/log", .size_bytes = 1'000'000, .kind = S_IFREG},
                   {.name = "/f/other", .size_bytes = 1'000'000, .kind = S_IFREG}};
  for (const int number : add(profile, name, by_the_first(times), {.user_s = 8.2e-3})) {
    profile.processes[static_cast<std::size_t>(number) - 1].time = {.system_s = 2e-3};
    Use& use = profile.uses.emplace_back(
        Use{.file = 0, .call = preload::Call::read, .threads = {{number, 0}}});
    use.amount.calls = use.amount.system_calls = 31;
    use.amount.bytes = use.amount.system_bytes = 1'000'000;
    use.amount.time.system_s = 2e-3;
  }
  return profile;
}

// Adds such a use of the other file to each of the processes.
Profile with_other(Profile profile, preload::Call call, std::uint64_t bytes) {
  const std::vector<Use> reads = profile.uses;
  for (Use use : reads) {
    use.file = 1;
    use.call = call;
    use.amount.bytes = use.amount.system_bytes = bytes;
    profile.uses.push_back(use);
  }
  return profile;
}

TEST(ProcessRules, NameProgramsThatEachReadTheWholeOfOneFile) {
  const Advice advice = the_advice(read_by("sed", 20));
  EXPECT_EQ(advice.place, "programs that bash starts");
  EXPECT_NE(advice.seen.find("20 starts of sed, each of which read all of /f/log"),
            std::string::npos);
  EXPECT_NE(advice.fix.find("`sed -n -e FIRST -e SECOND /f/log`"), std::string::npos);
  EXPECT_NEAR(*advice.least_saved_s, 19 * 2e-3, 1e-9) << "the calls of all but one";
  EXPECT_NEAR(advice.saved_s, 19 * 8.2e-3, 1e-9) << "and their work";
  EXPECT_NE(the_advice(read_by("grep", 20)).fix.find("-e FIRST -e SECOND"), std::string::npos);
  EXPECT_NE(the_advice(read_by("mawk", 20)).fix.find("`END`"), std::string::npos);
  EXPECT_NE(the_advice(read_by("join", 20)).fix.find("one start of join"), std::string::npos);
}

TEST(ProcessRules, CountTheRepeatedWorkOnAFileThatIsReadInNoTime) {
  Profile profile = read_by("perl", 20);
  for (Process& process : profile.processes) process.time.system_s /= 10;
  for (Use& use : profile.uses) use.amount.time.system_s /= 10;
  EXPECT_EQ(the_advice(profile).kind.id, "started-programs");
}

TEST(ProcessRules, DoNotTakeOtherProgramsForSuchThatReadOneFile) {
  const auto has_such = [](const Profile& profile) {
    const std::vector<Advice> all = advice_by_rules(profile);
    return std::ranges::any_of(all,
                               [](const Advice& of) { return of.kind.id == "started-programs"; });
  };
  EXPECT_TRUE(has_such(read_by("cmp", 10)));
  EXPECT_FALSE(has_such(read_by("cmp", 9)));
  EXPECT_TRUE(has_such(with_other(read_by("cmp", 20), preload::Call::read, 100'000)));
  EXPECT_FALSE(has_such(with_other(read_by("cmp", 20), preload::Call::read, 1'000'000)))
      << "each compares it with another file";
  EXPECT_TRUE(has_such(with_other(read_by("cat", 20), preload::Call::write, 100'000)));
  EXPECT_FALSE(has_such(with_other(read_by("cat", 20), preload::Call::write, 1'000'000)))
      << "each copies it";
  Profile part = read_by("head", 20);
  part.files[0].size_bytes = 1'300'000;
  EXPECT_FALSE(has_such(part)) << "each may stop where it likes";
  Profile small = read_by("grep", 20);
  small.files[0].size_bytes = 200'000;
  EXPECT_FALSE(has_such(small)) << "the starts take the time, if anything does";
  Profile many = read_by("grep", 20);
  many.files[0].is_many = true;
  EXPECT_FALSE(has_such(many));
  Profile pipe = read_by("grep", 20);
  pipe.files[0].kind = S_IFIFO;
  EXPECT_FALSE(has_such(pipe));
  Profile renewed = read_by("grep", 20);
  renewed.files[0].renewals = 1;
  EXPECT_TRUE(has_such(renewed)) << "the first one";
  renewed.files[0].renewals = 2;
  EXPECT_FALSE(has_such(renewed)) << "another file takes its name";
}

// A script makes the file and looks for many things in it, or makes it anew each time.
TEST(ProcessRules, AskThatTheFileStaysTheSame) {
  Profile profile = read_by("grep", 20);
  const int writer = add(profile, "seq", by_the_first(1), {.wall_s = 0.1}).front();
  Use& writes = profile.uses.emplace_back(
      Use{.file = 0, .call = preload::Call::write, .threads = {{writer, 0}}});
  writes.amount.calls = 1;
  for (ProcessMoments& moments : profile.moments) moments.start_ns = 1'000'000'000;
  profile.moments.back().start_ns = 890'000'000;
  EXPECT_EQ(the_advice(profile).kind.id, "started-programs") << "it has ended before";
  profile.moments.back().start_ns = 910'000'000;
  EXPECT_TRUE(is_silent(profile)) << "it still writes";
  profile.moments.back().moments.resize(3);
  profile.moments.back().moments.front().written_bytes = 1'000'000;
  EXPECT_EQ(the_advice(profile).kind.id, "started-programs") << "it lives on, as the starter does";
  profile.moments.back().moments.resize(10);
  profile.moments.back().moments.back().written_bytes = 1;
  EXPECT_TRUE(is_silent(profile)) << "its last byte may be for this file";
}

TEST(ProcessRules, GiveOneStartAllFilesThatHaveACommonOne) {
  Profile profile = with_other(read_by("grep", 20), preload::Call::read, 10'000);
  EXPECT_NE(the_advice(profile).fix.find("-e FIRST"), std::string::npos) << "another common one";
  for (std::size_t i = 20; i < 40; ++i) {
    profile.uses[i].file = profile.files.size();
    profile.files.push_back(
        {.name = "/f/in" + std::to_string(i), .size_bytes = 10'000, .kind = S_IFREG});
  }
  EXPECT_NE(the_advice(profile).fix.find("take all of the other files"), std::string::npos);
  for (std::size_t i = 20; i < 30; ++i) profile.uses[i].file = 1;
  EXPECT_NE(the_advice(profile).fix.find("-e FIRST"), std::string::npos) << "half of them";
}

}  // namespace
}  // namespace sluice::trace
