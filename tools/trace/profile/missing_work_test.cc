#include "trace/profile/missing_work.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace sluice::trace {
namespace {

void add_process(Profile& profile, std::uint64_t start_s, const Process& process) {
  profile.processes.push_back(process);
  profile.moments.push_back({.start_ns = start_s * 1'000'000'000});
}

bool lacks_work(double worked_before_s) {
  Profile profile;
  add_process(
      profile, 2,
      {.number = 1, .program = "program", .user_s = 1, .begun_s = worked_before_s, .ended = true});
  add_process(profile, 1,
              {.number = 1, .program = "program", .user_s = 0.5, .system_s = 0.3, .ended = true});
  note_missing_work(profile, 1.8);
  return !profile.problems.empty();
}

TEST(MissingWork, IsThatOfProgramsWhichAProcessHasBecome) {
  EXPECT_TRUE(lacks_work(0.8)) << "the second program's time has the time of the first";
}

TEST(MissingWork, IsNoneIfAnotherProcessHasHadTheNumber) { EXPECT_FALSE(lacks_work(0.001)); }

TEST(MissingWork, IsNoneIfAProcessOfAnotherMachineHasTheNumber) {
  Profile profile;
  add_process(profile, 1,
              {.number = 1, .program = "program", .machine = "a", .user_s = 0.5, .ended = true});
  add_process(profile, 2,
              {.number = 1,
               .program = "program",
               .machine = "b",
               .user_s = 1,
               .begun_s = 0.5,
               .ended = true});
  note_missing_work(profile, 1.5);
  EXPECT_TRUE(profile.problems.empty());
}

bool has_unseen_kernel_work(Process process) {
  Profile profile;
  profile.wall_s = 1;
  process.time.system_s = 0.2;
  add_process(profile, 1, process);
  add_process(profile, 2, {.number = 2, .program = "killed", .time = {.system_s = 5}});
  note_unseen_kernel_work(profile);
  return !profile.problems.empty();
}

// A process of one second, which has worked for 0.3 s and waited in its calls for 0.2 s.
Process half_unknown() {
  Process process{.number = 1, .program = "program", .wall_s = 1, .ended = true};
  process.user_s = 0.2;
  process.system_s = 0.1;
  process.time.sleep_s = 0.2;
  return process;
}

bool has_unseen_waits(const Process& process, int parent_of_other = 0) {
  Profile profile;
  profile.wall_s = 1;
  add_process(profile, 1, process);
  if (parent_of_other != 0) {
    add_process(profile, 2,
                {.number = 7, .parent = parent_of_other, .program = "other", .ended = true});
  }
  note_unseen_waits(profile);
  return !profile.problems.empty();
}

TEST(UnseenWaits, AreNeitherInCallsNorForAProcessor) {
  Process process = half_unknown();
  EXPECT_TRUE(has_unseen_waits(process));
  process.queued_s = 0.3;
  EXPECT_FALSE(has_unseen_waits(process)) << "less than a quarter of the run";
  process = half_unknown();
  process.begun_s = 0.1;  // of the program that the process was before
  process.queued_s = 0.3;
  EXPECT_TRUE(has_unseen_waits(process));
  process = half_unknown();
  process.ended = false;
  EXPECT_FALSE(has_unseen_waits(process)) << "its times are not known";
  process = half_unknown();
  process.several_threads = true;
  EXPECT_FALSE(has_unseen_waits(process)) << "its threads wait for each other";
}

TEST(UnseenWaits, AreNotOfAProcessThatHasStartedAnother) {
  Process process = half_unknown();
  process.out_of_reach = 1;
  EXPECT_FALSE(has_unseen_waits(process)) << "a line tells of the other program";
  EXPECT_FALSE(has_unseen_waits(half_unknown(), 1));
  EXPECT_TRUE(has_unseen_waits(half_unknown(), 2));
}

// A mapping waits as long for some pages as for the whole file.
TEST(UnseenWaits, MayBePageFaults) {
  Process process = half_unknown();
  process.major_faults = 50;
  process.fault_wait_s = 0.3;
  process.cold_read_s = 0.4;
  Profile profile;
  profile.wall_s = 1;
  add_process(profile, 1, process);
  note_unseen_waits(profile);
  ASSERT_EQ(profile.problems.size(), 1U);
  EXPECT_NE(profile.problems[0].find("0.30 s at 50 page faults"), std::string::npos);
  profile.problems.clear();
  profile.processes[0].cold_read_s = 0.2;
  note_unseen_waits(profile);
  EXPECT_TRUE(profile.problems.empty()) << "advice says so";
  profile.processes[0].fault_wait_s = 0;
  note_unseen_waits(profile);
  ASSERT_EQ(profile.problems.size(), 1U);
  EXPECT_NE(profile.problems[0].find("Some of the 50 page faults"), std::string::npos);
  profile.problems.clear();
  profile.processes[0].major_faults = 15;
  note_unseen_waits(profile);
  EXPECT_EQ(profile.problems.at(0).find("page faults"), std::string::npos);
}

// A script that looks every 20 ms whether something is done.
TEST(UnseenWaits, MayBeManyShortSleeps) {
  Profile profile;
  profile.wall_s = 1;
  add_process(profile, 1, {.number = 1, .program = "bash", .wall_s = 1, .ended = true});
  for (int i = 2; i < 22; ++i) {
    add_process(profile, 1,
                {.number = i, .parent = 1, .program = "sleep", .wall_s = 0.02, .ended = true});
  }
  note_unseen_waits(profile);
  ASSERT_EQ(profile.problems.size(), 1U);
  EXPECT_NE(profile.problems[0].find("started 20 times, and took 0.40 s added up"),
            std::string::npos);
  profile.problems.clear();
  for (Process& process : profile.processes) {
    if (process.number > 1) process.wall_s = 0.01;
  }
  note_unseen_waits(profile);
  EXPECT_TRUE(profile.problems.empty()) << "less than a quarter of the run";
}

TEST(UnseenWaits, AreToldOnce) {
  Profile profile;
  profile.wall_s = 1;
  for (int i = 1; i < 3; ++i) {
    add_process(profile, 1, {.number = i, .program = "/bin/sleep", .wall_s = 0.5, .ended = true});
  }
  note_unseen_waits(profile);
  ASSERT_EQ(profile.problems.size(), 1U);
  EXPECT_TRUE(profile.problems[0].starts_with("`sleep` was started 2 times"));
  profile.problems.clear();
  profile.processes.pop_back();
  profile.moments.pop_back();
  note_unseen_waits(profile);
  ASSERT_EQ(profile.problems.size(), 1U);
  EXPECT_TRUE(profile.problems[0].starts_with("A process waited for about 0.50 s"));
}

// A program whose sockets are closed by its end has no call on them that is seen.
TEST(UnseenCalls, AreThoseOfAProcessThatConnects) {
  Profile profile;
  add_process(profile, 1, {.number = 1, .program = "program", .unseen_calls = {"recv"}});
  note_unseen_calls(profile);
  EXPECT_TRUE(profile.problems.empty());
  profile.processes[0].connections = 1;
  note_unseen_calls(profile);
  EXPECT_EQ(profile.problems.size(), 1U);
  profile.problems.clear();
  profile.processes[0].unseen_calls = {"std::istringstream", "GOMP_barrier"};
  note_unseen_calls(profile);
  EXPECT_TRUE(profile.problems.empty()) << "they read and write no file";
}

TEST(UnseenKernelWork, IsNeitherInCallsNorForPages) {
  Process process{
      .number = 1, .program = "program", .user_s = 0.9, .system_s = 0.46, .ended = true};
  EXPECT_TRUE(has_unseen_kernel_work(process));
  process.minor_faults = 100'000;
  EXPECT_FALSE(has_unseen_kernel_work(process));
  process.minor_faults = 0;
  process.ended = false;
  EXPECT_FALSE(has_unseen_kernel_work(process)) << "its time is not known";
  process.ended = true;
  process.system_s = 0.44;
  EXPECT_FALSE(has_unseen_kernel_work(process)) << "less than a quarter of the run";
  process.user_s = 0;
  EXPECT_TRUE(has_unseen_kernel_work(process)) << "it only lasts longer on a busy machine";
}

TEST(MissingWork, HasNoOtherReasonIfThereWereTooManyProcesses) {
  for (const std::uint64_t left_out : {0U, 10U}) {
    Profile profile;
    profile.processes_left_out = left_out;
    add_process(profile, 1, {.number = 1, .program = "program", .user_s = 1, .ended = true});
    note_missing_work(profile, 2);
    ASSERT_EQ(profile.problems.size(), 1U);
    EXPECT_EQ(profile.problems[0].find("another user") == std::string::npos, left_out > 0);
  }
}

TEST(MissingWork, IsNotTheEndOfManyProcesses) {
  Profile profile;
  for (int i = 1; i <= 2000; ++i) {
    add_process(profile, 1, {.number = i, .program = "sh", .user_s = 0.0005, .ended = true});
  }
  note_missing_work(profile, 1.3);
  EXPECT_TRUE(profile.problems.empty());
}

// In another namespace of processes, the first process has the number of init.
TEST(RunningProcesses, HaveBegunBeforeTheirLogsAndAfterTheCommand) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const auto now_s = static_cast<std::uint64_t>(now.tv_sec);
  Profile own;
  add_process(own, now_s + 1, {.number = ::getpid(), .program = "program"});
  add_process(own, now_s + 1,
              {.number = ::getpid(), .program = "program"});  // another program of the process
  own.moments.push_back({});                                  // the first log began long ago
  note_running(own);
  ASSERT_EQ(own.problems.size(), 1U);
  EXPECT_TRUE(own.problems[0].starts_with("1 process still runs"));
  Profile init;
  add_process(init, now_s + 1, {.number = 1, .program = "program"});
  EXPECT_EQ(note_running(init), 0);
  EXPECT_TRUE(init.problems.empty());
}

}  // namespace
}  // namespace sluice::trace
