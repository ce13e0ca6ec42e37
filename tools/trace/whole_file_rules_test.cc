// Advice about programs that use a file in another order than from its start to its end.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "trace/advice.h"

namespace sluice::trace {
namespace {

using preload::Call;

Profile with_file(std::uint64_t size_bytes, std::uint64_t opens) {
  Profile profile;
  profile.command = {"program"};
  profile.wall_s = 1;
  profile.processes.push_back({.number = 1, .program = "program", .wall_s = 1, .threads = 1});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.sites.push_back({.frames = {{"function", "", "/usr/bin/program"}}});
  profile.files.push_back(
      {.name = "/f/file", .opens = opens, .size_bytes = size_bytes, .kind = S_IFREG});
  return profile;
}

Amount& add(Profile& profile, Call call, std::uint64_t calls, std::uint64_t bytes,
            double system_s) {
  Amount& amount = profile.uses.emplace_back(Use{.call = call, .threads = {{1, 0}}}).amount;
  amount.calls = amount.system_calls = calls;
  amount.bytes = amount.system_bytes = bytes;
  amount.time.system_s = system_s;
  return amount;
}

Advice advice_with(const Profile& profile, const std::string& id) {
  for (const Advice& advice : advice_by_rules(profile)) {
    if (advice.id == id) return advice;
  }
  ADD_FAILURE() << "no advice " << id;
  return {};
}

bool has(const Profile& profile, const std::string& id) {
  for (const Advice& advice : advice_by_rules(profile)) {
    if (advice.id == id) return true;
  }
  return false;
}

// A counter of 100 bytes is read, changed and written back.
Profile state(bool remains) {
  Profile profile = with_file(100, 10'000);
  profile.files[0].remains = remains;
  add(profile, Call::open, 10'000, 0, 0.1);
  add(profile, Call::write, 5'000, 500'000, 0.05);
  add(profile, Call::read, 10'000, 500'000, 0.05);
  return profile;
}

TEST(WholeFileRules, KeepAStateInMemory) {
  const Advice advice = advice_with(state(true), "kept-state");
  EXPECT_NE(advice.fix.find("what survives a crash, and what other processes see"),
            std::string::npos);
  EXPECT_EQ(advice.why.find("remove"), std::string::npos) << "nobody knows";
  EXPECT_FALSE(has(state(true), "temporary-files"));
}

TEST(WholeFileRules, DoNotClaimThatAFileIsRemoved) {
  const Advice advice = advice_with(state(false), "temporary-files");
  EXPECT_EQ(advice.why.find("remove"), std::string::npos);
}

TEST(WholeFileRules, LeaveALockedFileToOtherProcesses) {
  for (const bool remains : {true, false}) {
    Profile profile = state(remains);
    add(profile, Call::flock, 20'000, 0, 0.02);
    EXPECT_FALSE(has(profile, "kept-state"));
    EXPECT_FALSE(has(profile, "temporary-files"));
    EXPECT_TRUE(has(profile, "reopened"));
  }
}

}  // namespace
}  // namespace sluice::trace
