#include "trace/causes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <vector>

#include "trace/advice.h"

namespace sluice::trace {
namespace {

// Flushes of each of two files, which the program has inherited. (One flush of a file that the
// program has opened is no waste.)
Profile two_flushes(std::uint64_t system_calls) {
  Profile profile;
  profile.command = {"program"};
  profile.wall_s = 1;
  profile.processes.push_back({.number = 1, .program = "program", .wall_s = 1, .threads = 1});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.sites.emplace_back();
  for (std::size_t i = 0; i < 2; ++i) {
    profile.files.push_back({.name = "/f/" + std::to_string(i), .kind = S_IFREG});
    Use& use = profile.uses.emplace_back(
        Use{.file = i, .call = preload::Call::fflush, .threads = {{1, 0}}});
    use.amount.calls = use.amount.system_calls = system_calls;
    use.amount.system_bytes = 51 * system_calls;
    use.amount.time.system_s = 0.2;
  }
  return profile;
}

std::string seen(std::uint64_t system_calls) {
  const std::vector<Advice> advice = advice_by_rules(two_flushes(system_calls));
  return advice.empty() ? "" : advice[0].seen;
}

TEST(Causes, CountOneCallInTheSingular) {
  EXPECT_EQ(seen(1), "in 2 files; the largest saving: 1 flush of 51.0 bytes on average");
  EXPECT_EQ(seen(21), "in 2 files; the largest saving: 21 flushes of 51.0 bytes on average");
}

// The flushes of two processes, of which the second one starts at this time.
Advice flushes_of_two_processes(double start_s, const char* machine = "") {
  Profile profile = two_flushes(10'000);
  profile.wall_s = 2;
  profile.processes.push_back(
      {.number = 2, .program = "program", .machine = machine, .wall_s = 1, .threads = 1});
  profile.moments.push_back(
      {.start_ns = static_cast<std::uint64_t>(start_s * 1e9), .moment_ns = 10'000'000});
  for (Process& process : profile.processes) process.user_s = 2;
  profile.uses[1].threads = {{2, 0}};
  return advice_by_rules(profile).at(0);
}

TEST(Causes, AddUpWhatProcessesSaveThatRunOneAfterTheOther) {
  const Advice in_turn = flushes_of_two_processes(1);
  EXPECT_DOUBLE_EQ(in_turn.at_once, 1);
  EXPECT_GT(*in_turn.least_saved_s, 0.35);
  const Advice together = flushes_of_two_processes(0.5);
  EXPECT_DOUBLE_EQ(together.at_once, 2);
  EXPECT_LT(together.saved_s, 0.21);
  EXPECT_DOUBLE_EQ(flushes_of_two_processes(1, "of another clock").at_once, 2);
}

}  // namespace
}  // namespace sluice::trace
