#include "trace/report/stacks.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice::trace {
namespace {

using preload::Call;

Use use_at(std::size_t site, Call call, double system_s) {
  Use use{.site = site, .call = call, .threads = {{1, 0}}};
  use.amount.time.system_s = system_s;
  return use;
}

Profile with_two_sites() {
  Profile profile;
  profile.command = {"/bin/program", "word"};
  profile.processes.push_back({.number = 7, .program = "/usr/bin/child"});
  const Frame main{.function = "main", .source = "", .module = ""};
  const Frame put{.function = "put(int; char)", .source = "", .module = ""};
  profile.sites = {{{put, main}}, {{main}}};
  profile.files.emplace_back();
  return profile;
}

TEST(FoldedStacks, GoFromTheProgramToTheCallInMicroseconds) {
  Profile profile = with_two_sites();
  profile.uses = {use_at(0, Call::write, 0.25), use_at(1, Call::read, 0.0000014)};
  EXPECT_EQ(folded_stacks(profile),
            "child;main;put(int: char);write 250000\n"
            "child;main;read 1\n");
}

TEST(FoldedStacks, AddUpTheFilesOfOneStack) {
  Profile profile = with_two_sites();
  profile.uses = {use_at(1, Call::read, 0.002), use_at(1, Call::read, 0.003)};
  profile.uses[0].amount.time.copying_s = 0.0001;
  profile.uses[1].amount.time.sleep_s = 0.01;
  EXPECT_EQ(folded_stacks(profile), "child;main;read 15100\n");
}

TEST(FoldedStacks, LeaveOutWhatTookNoTime) {
  Profile profile = with_two_sites();
  profile.uses = {use_at(0, Call::write, 0.0000004)};
  EXPECT_EQ(folded_stacks(profile), "");
}

TEST(FoldedStacks, HaveANameWithoutAProcessOrAFrame) {
  Profile profile = with_two_sites();
  profile.sites.emplace_back();
  profile.uses = {use_at(2, Call::fputs, 1)};
  profile.processes.clear();
  EXPECT_EQ(folded_stacks(profile), "program;fputs 1000000\n");
}

}  // namespace
}  // namespace sluice::trace
