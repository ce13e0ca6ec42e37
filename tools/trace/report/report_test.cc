#include "trace/report/report.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

namespace sluice::trace {
namespace {

// Processes whose reads waited for this time together, for which there is no advice.
Profile processes_that_read(int count, double together_s) {
  Profile profile;
  profile.command = {"program"};
  profile.wall_s = 1;
  profile.sites.emplace_back();
  profile.files.push_back({.name = "pipe"});
  for (int number = 1; number <= count; ++number) {
    const Time time{.sleep_s = together_s / count};
    profile.processes.push_back({.number = number, .program = "/bin/worker", .time = time});
    profile.uses.push_back({.call = preload::Call::read, .amount = {.calls = 1, .time = time}});
  }
  return profile;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Report, HasATableOfTheProcessesWithoutAdviceToo) {
  const std::string text = summary_of(processes_that_read(2, 0.05), {});
  EXPECT_TRUE(has(text, "No noticeable time could be saved.\n\n"));
  EXPECT_TRUE(has(text, "  process\n")) << text;
  EXPECT_TRUE(has(text, "0.0250    0.0000  1 worker\n")) << text;
  EXPECT_TRUE(has(text, "0.0250    0.0000  2 worker\n")) << text;
}

TEST(Report, ShowsCallsWithoutAdviceThatTakeMuchOfTheTime) {
  const std::string text = summary_of(processes_that_read(1, 0.1), {});
  EXPECT_TRUE(has(text,
                  "No noticeable time could be saved.\n"
                  "  But the I/O time is 10 % of the time that the program worked or waited for "
                  "its files. These calls took most of it:\n\ncopying s"))
      << text;
  EXPECT_TRUE(has(text, "  read, (unknown), pipe\n")) << text;
  EXPECT_FALSE(has(summary_of(processes_that_read(1, 0.09), {}), "call, place, file"));
}

TEST(Report, DoesNotTakeTheWorkOfOtherProgramsForIO) {
  Profile profile = processes_that_read(1, 0.3);
  profile.uses[0].amount.time = {.system_s = 0.3, .sleep_s = 0.25};
  profile.files[0].kind = S_IFREG;
  EXPECT_TRUE(has(summary_of(profile, {}), "But the I/O time is 55 % of the time"));
  for (const auto kind : {S_IFIFO, S_IFSOCK}) {
    profile.files[0].kind = static_cast<std::uint32_t>(kind);
    EXPECT_TRUE(has(summary_of(profile, {}), "But the I/O time is 40 % of the time"))
        << "0.3 s of 0.75 s";
  }
  profile.processes[0].ended = true;
  profile.processes[0].system_s = 0.2;  // a call that is timed may seem to take longer
  EXPECT_TRUE(has(summary_of(profile, {}), "But the I/O time is 100 % of the time"));
}

// The advice has the same name.
TEST(Report, NamesTheFunctionThatPrints) {
  Profile profile = processes_that_read(1, 0.1);
  profile.uses[0].call = preload::Call::write;
  profile.uses[0].amount.printed = true;
  EXPECT_TRUE(has(summary_of(profile, {}), "  dprintf, (unknown), pipe\n"));
}

TEST(Report, HasOneLineForManyFilesOfOneCall) {
  Profile profile = processes_that_read(10, 0.5);
  EXPECT_TRUE(has(summary_of(profile, {}), "  read, (unknown), 10 files\n"));
  profile.files.back().is_many = true;
  EXPECT_TRUE(has(summary_of(profile, {}), "  read, (unknown), more than 10 files\n"));
  profile.files.back().is_many = false;
  EXPECT_TRUE(has(summary_of(profile, {}), "0.0000    0.5000             10 "));
  profile.uses.pop_back();
  const std::string text = summary_of(profile, {});
  EXPECT_FALSE(has(text, " files\n")) << text;
  EXPECT_TRUE(has(text, "  read, (unknown), pipe\n")) << text;
}

TEST(Report, NamesEveryCallThatMayHaveLocked) {
  Profile profile = processes_that_read(1, 0.5);
  profile.uses[0].call = preload::Call::flock;
  const std::string text = summary_of(profile, {});
  EXPECT_TRUE(has(text, "  flock, lockf or fcntl, (unknown), pipe\n")) << text;
}

TEST(Report, ComparesTheCallsWithoutAdviceWithTheWorkOfABusyMachine) {
  Profile profile = processes_that_read(1, 0.05);
  profile.processes[0].ended = true;
  profile.processes[0].user_s = 0.3;
  EXPECT_TRUE(has(summary_of(profile, {}), "is 14 % of the time"));
  profile.processes[0].user_s = 0.5;
  EXPECT_FALSE(has(summary_of(profile, {}), "call, place, file"));
}

TEST(Report, HasNoTableOfOneProcessOrOfTimesThatNobodyNotices) {
  EXPECT_FALSE(has(summary_of(processes_that_read(1, 0.5), {}), "  process\n"));
  EXPECT_FALSE(has(summary_of(processes_that_read(2, 0.009), {}), "  process\n"));
}

Advice saving_a_quarter(double at_once) {
  Advice advice{};
  advice.kind = kinds::tiny_reads;
  advice.saved_s = 0.25;
  advice.at_once = at_once;
  return advice;
}

TEST(Report, SaysThatSavingsOfSeveralProcessesAreTimesByTheClock) {
  const std::string of_two = summary_of(processes_that_read(2, 0.5), {saving_a_quarter(1)});
  EXPECT_TRUE(has(of_two, "  2 processes; the I/O times are their sums\n")) << of_two;
  EXPECT_TRUE(has(of_two, "saves  0.250 s by the clock, predicted;")) << of_two;
  const std::string of_one = summary_of(processes_that_read(1, 0.5), {saving_a_quarter(1)});
  EXPECT_TRUE(has(of_one, "saves  0.250 s, predicted;")) << of_one;
  const std::string of_threads = summary_of(processes_that_read(1, 0.5), {saving_a_quarter(2)});
  EXPECT_TRUE(has(of_threads, " s by the clock,"));
}

TEST(Report, NamesWhatAdviceIsAboutThatIsAboutNoCall) {
  Advice advice = saving_a_quarter(1);
  advice.place = "programs that bash starts";
  Profile profile = processes_that_read(2, 0.5);
  profile.uses.clear();
  const std::string text = summary_of(profile, {advice});
  EXPECT_TRUE(has(text, "1. 0.250 s could be saved: programs that bash starts\n")) << text;
  const std::string json = json_of(profile, {advice});
  EXPECT_TRUE(has(json, "\"place\": \"programs that bash starts\"")) << json;
  EXPECT_TRUE(has(json, "\"file\": \"\",")) << json;
  EXPECT_TRUE(has(json, "\"call\": \"\",")) << json;
}

TEST(Report, DescribesADeletedFileAndNamesAnInterpreterAlone) {
  Profile profile = processes_that_read(1, 0.5);
  profile.files[0].name = "/tmp/#12 (deleted)";
  profile.sites[0].frames = {{"_Py_read", "", "/usr/bin/python3.11"}};
  const std::string text = summary_of(profile, {saving_a_quarter(1)});
  const std::string both = "python3.11, a temporary file in /tmp that is already deleted\n";
  EXPECT_TRUE(has(text, "0.250 s could be saved: " + both)) << text;
  EXPECT_TRUE(has(text, "  read, " + both)) << text;
}

TEST(Report, SaysOnceWhyPredictionsAreRanges) {
  Advice one = saving_a_quarter(1);
  one.range = "The prediction is a range, because of one thing.";
  Advice other = one;
  other.range = "The prediction is a range, because of another.";
  const Profile profile = processes_that_read(1, 0.5);
  const std::string text = summary_of(profile, {one, other, one});
  EXPECT_TRUE(has(text,
                  "\n1, 3: The prediction is a range, because of one thing.\n"
                  "2: The prediction is a range, because of another.\n\n"))
      << text;
  EXPECT_EQ(text.find(one.range), text.rfind(one.range));
  EXPECT_TRUE(has(json_of(profile, {one}), one.range));
  EXPECT_FALSE(has(summary_of(profile, {saving_a_quarter(1)}), "is a range"));
}

TEST(Report, GivesNoAllClearIfWorkIsMissing) {
  Profile profile = processes_that_read(1, 0.5);
  EXPECT_TRUE(has(summary_of(profile, {}), "  No noticeable time could be saved.\n"));
  profile.problems = {"1 process still runs"};
  EXPECT_FALSE(has(summary_of(profile, {}), "  No noticeable time could be saved.\n"));
  EXPECT_TRUE(has(summary_of(profile, {}),
                  "  1 process still runs\n"
                  "  No noticeable time could be saved in the work that was seen.\n"));
}

TEST(Report, SaysThatALanguageHasBuffersOfItsOwn) {
  Profile profile = processes_that_read(1, 0.5);
  const auto says = [&] { return has(summary_of(profile, {}), "has buffers of its own"); };
  profile.processes[0].user_s = 0.2;
  EXPECT_FALSE(says());
  profile.sites = {{.frames = {{"", "", "/usr/bin/python3.11"}}}};
  EXPECT_FALSE(says()) << "another process worked";
  profile.uses[0].threads = {{1, 0}};
  EXPECT_TRUE(says());
  EXPECT_TRUE(has(summary_of(profile, {}), "`python3 -m cProfile`"));
  EXPECT_TRUE(has(summary_of(profile, {}), "No noticeable time could be saved in the work that"));
  EXPECT_FALSE(has(summary_of(profile, {}), "single bytes"));
  profile.uses[0].amount.calls = 8;
  profile.uses[0].amount.work_before_s = 0.11;
  EXPECT_FALSE(has(summary_of(profile, {}), "single bytes")) << "an eventfd has no lines";
  profile.files[0].kind = S_IFIFO;
  EXPECT_TRUE(
      has(summary_of(profile, {}),
          "  Most of the work of Python lies between its reads of pipe. A program that takes "
          "single bytes or characters from there may save much of it by lines, or by the whole "
          "file at once; a program that takes lines has nothing to change.\n"
          "  Otherwise no noticeable time could be saved in the work that was seen.\n"));
  profile.uses[0].amount.work_before_s = 0.09;
  EXPECT_FALSE(has(summary_of(profile, {}), "single bytes")) << "most of its work lies elsewhere";
  profile.uses[0].amount.work_before_s = 0.11;
  profile.uses[0].amount.calls = 7;
  EXPECT_FALSE(has(summary_of(profile, {}), "single bytes")) << "these may be the whole file";
  profile.uses[0].amount.calls = 8;
  profile.uses[0].call = preload::Call::write;
  EXPECT_FALSE(has(summary_of(profile, {}), "compresses")) << "the file is not compressed";
  profile.files[0].kind = S_IFREG;
  EXPECT_TRUE(has(summary_of(profile, {}),
                  "its writes to pipe. A program that writes single values or characters there"));
  profile.files[0].name = "log.gz";
  EXPECT_TRUE(has(summary_of(profile, {}), "its writes to log.gz. If the program compresses each"));
  Profile converts = profile;  // the program reads a file meanwhile, and works before each read
  converts.files.push_back({.name = "log", .kind = S_IFREG});
  converts.uses.insert(converts.uses.begin(), converts.uses[0]);
  converts.uses[0].file = 1;
  converts.uses[0].call = preload::Call::read;
  converts.uses[1].amount.work_before_s = 0.01;
  EXPECT_TRUE(
      has(summary_of(converts, {}), "its writes to log.gz. If the program compresses each"));
  converts.uses[0].amount.work_before_s = 0.08;
  EXPECT_FALSE(has(summary_of(converts, {}), "compresses each")) << "it works elsewhere";
  profile.files[0].name = "disk.iso";
  EXPECT_FALSE(has(summary_of(profile, {}), "compresses"));
  EXPECT_FALSE(has(summary_of(profile, {saving_a_quarter(1)}), "buffers of its own"));
  profile.processes[0].user_s = 0.01;
  EXPECT_FALSE(says()) << "too little to matter";
}

TEST(Report, HintsAtStreamsInMemoryIfTheWorkLiesBetweenTheCalls) {
  Profile profile = processes_that_read(1, 0.5);
  Process& process = profile.processes[0];
  process.program = "/home/user/parse";
  process.user_s = 0.2;
  process.time.copying_s = 0.09;
  EXPECT_FALSE(has(summary_of(profile, {}), "Most of the work"));
  process.unseen_calls = {"recv", "std::istringstream"};
  profile.uses[0].threads = {{1, 0}};
  profile.uses[0].amount.bytes = 900'000;
  EXPECT_FALSE(has(summary_of(profile, {}), "Most of the work")) << "so few lines take no time";
  profile.uses[0].amount.bytes = 1'000'000;
  EXPECT_TRUE(has(summary_of(profile, {}),
                  "  Most of the work of parse lies between its calls of I/O, and its code has a "
                  "std::istringstream. If parse makes"));
  EXPECT_TRUE(has(summary_of(profile, {}), "  Otherwise no noticeable time could be saved"));
  Advice advice = saving_a_quarter(1);
  EXPECT_FALSE(has(summary_of(profile, {advice}), "Most of the work"));
  advice.saved_s = 0.01;
  EXPECT_TRUE(has(summary_of(profile, {advice}), "Most of the work")) << "it saves little";
  process.time.copying_s = 0.11;
  EXPECT_FALSE(has(summary_of(profile, {}), "Most of the work")) << "the calls take more";
  process.user_s = 0.04;
  process.time.copying_s = 0;
  EXPECT_FALSE(has(summary_of(profile, {}), "Most of the work")) << "too little to matter";
}

TEST(Report, SaysThatWaitingMayHaveBeenForAProcessor) {
  Profile profile = processes_that_read(2, 0.5);
  EXPECT_FALSE(has(summary_of(profile, {}), "no processor"));
  profile.processes[0].queued_s = 0.25;
  profile.processes[1].queued_s = 0.125;
  EXPECT_TRUE(has(summary_of(profile, {}),
                  "  The program was ready to run for 0.375 s, but had no processor. The times of "
                  "waiting may have a part of this\n"));
  EXPECT_TRUE(has(json_of(profile, {}), "\"queued_s\": 0.125"));
  profile.uses[0].amount.queued_s = 0.25;
  EXPECT_TRUE(has(summary_of(profile, {}),
                  "The report leaves 0.250 s of this out of the times of waiting\n"));
  Profile without_waiting = processes_that_read(1, 0.001);
  without_waiting.processes[0].queued_s = 0.25;
  EXPECT_FALSE(has(summary_of(without_waiting, {}), "no processor"));
}

TEST(Report, SpeaksOfWaitsOnABusyMachineOnlyIfTheCallsWaited) {
  const std::string about_waits = "Some calls waited for a processor";
  Profile profile = processes_that_read(1, 0.5);
  profile.disturbance.others = 0.5;
  const std::string text = summary_of(profile, {saving_a_quarter(1)});
  EXPECT_TRUE(has(text, "used 50 % of the processors' time meanwhile")) << text;
  EXPECT_TRUE(has(text, about_waits)) << text;
  profile.uses[0].amount.time = {.system_s = 0.5};
  const std::string without_waits = summary_of(profile, {saving_a_quarter(1)});
  EXPECT_TRUE(has(without_waits, "machine that has nothing else to do\n")) << without_waits;
  EXPECT_FALSE(has(without_waits, about_waits));
}

TEST(Report, NamesTheSignalThatEndedTheProgram) {
  Profile profile = processes_that_read(1, 0.5);
  EXPECT_FALSE(has(summary_of(profile, {}), "signal"));
  profile.wait_status = SIGSEGV;
  EXPECT_TRUE(
      has(summary_of(profile, {}), "  The program was ended by signal 11 (Segmentation fault).\n"));
}

}  // namespace
}  // namespace sluice::trace
