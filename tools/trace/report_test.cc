#include "trace/report.h"

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
  const std::string text = summary_of(processes_that_read(2, 0.5), {});
  EXPECT_TRUE(has(text, "No noticeable time could be saved.\n\n"));
  EXPECT_TRUE(has(text, "  process\n")) << text;
  EXPECT_TRUE(has(text, "0.2500    0.0000  1 worker\n")) << text;
  EXPECT_TRUE(has(text, "0.2500    0.0000  2 worker\n")) << text;
}

TEST(Report, HasNoTableOfOneProcessOrOfTimesThatNobodyNotices) {
  EXPECT_FALSE(has(summary_of(processes_that_read(1, 0.5), {}), "  process\n"));
  EXPECT_FALSE(has(summary_of(processes_that_read(2, 0.009), {}), "  process\n"));
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
