#include "trace/advice/causes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

// Flushes of each of two files, which the program has inherited. (One flush of a file that the
// program has opened is no waste.)
Profile two_flushes(std::uint64_t system_calls) {
  Profile profile = one_second();
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
  EXPECT_EQ(seen(1),
            "in 2 files; in the first, which costs most: 1 flush of 51.0 bytes on average");
  EXPECT_EQ(seen(21),
            "in 2 files; in the first, which costs most: 21 flushes of 51.0 bytes on average");
}

TEST(Causes, DoubtTheWaitOfAProcessOnceForAllItsCalls) {
  Profile profile = two_flushes(10'000);
  for (Use& use : profile.uses) {
    use.amount.time.sleep_s = 0.3;
    use.threads = {{1, 0}, {1, 1}};
  }
  profile.disturbance.others = 0.5;
  profile.processes[0].queued_s = 0.2;
  const double all_s = 2 * (0.2 + 0.3);
  EXPECT_NEAR(advice_by_rules(profile).at(0).least_saved_s.value(), all_s - 0.2, 1e-9);
}

// A function that reads 512 bytes and writes them to another file, again and again.
Profile small_copies(const std::string& module) {
  Profile profile = one_second(module);
  profile.files = {{.name = "/f/in", .size_bytes = 512 * 100'000, .kind = S_IFREG},
                   {.name = "/f/out", .size_bytes = 512 * 100'000, .kind = S_IFREG}};
  add_calls(profile, preload::Call::read, 100'000, 512 * 100'000, 0.1);
  add_calls(profile, preload::Call::write, 100'000, 512 * 100'000, 0.2).file = 1;
  return profile;
}

TEST(Causes, HaveOneBufferForReadsAndWritesOfTheSameSize) {
  const Profile profile = small_copies("/usr/bin/program");
  const Advice advice = only_advice(profile);
  EXPECT_EQ(advice.kind.id, "small-copies");
  EXPECT_EQ(advice.uses.size(), 2U);
  EXPECT_EQ(advice.by, "") << "each read would end the gathering";
  EXPECT_NE(advice.fix.find("One buffer serves the reads"), std::string::npos);
  Profile reads = profile;
  reads.uses.pop_back();
  Profile writes = profile;
  writes.uses.erase(writes.uses.begin());
  EXPECT_NEAR(advice.saved_s, only_advice(reads).saved_s + only_advice(writes).saved_s, 1e-9);
}

// The pieces are as large as a usual buffer, and the language has words for larger ones.
TEST(Causes, HaveOneBufferForLargerPiecesToo) {
  for (const std::string module : {"/usr/bin/program", "/usr/bin/python3.11"}) {
    Profile profile = small_copies(module);
    for (File& file : profile.files) file.size_bytes *= 8;
    for (Use& use : profile.uses) {
      use.amount.bytes = use.amount.system_bytes = use.amount.system_bytes * 8 - 1'000;
    }
    const Advice advice = only_advice(profile);
    EXPECT_EQ(advice.uses.size(), 2U);
    const bool is_python = module != "/usr/bin/program";
    EXPECT_EQ(advice.fix.find("buffering=1 << 20") != std::string::npos, is_python) << advice.fix;
  }
}

// A function that mixes two files.
TEST(Causes, HaveABufferForEachFileThatAPieceIsMadeOf) {
  Profile profile = small_copies("/usr/bin/program");
  const double saved_s = only_advice(profile).saved_s;
  profile.files.push_back({.name = "/f/in 2", .size_bytes = 512 * 100'000, .kind = S_IFREG});
  add_calls(profile, preload::Call::read, 100'000, 512 * 100'000, 0.1).file = 2;
  const Advice advice = only_advice(profile);
  EXPECT_EQ(advice.uses.size(), 3U);
  EXPECT_EQ(advice.fix.find("One buffer"), std::string::npos);
  EXPECT_NE(advice.fix.find("each of the files a buffer"), std::string::npos);
  EXPECT_GT(advice.saved_s, saved_s);
}

TEST(Causes, HaveOneBufferForEachOfTwoCopies) {
  Profile profile = small_copies("/usr/bin/program");
  for (const preload::Call call : {preload::Call::read, preload::Call::write}) {
    const std::size_t file = profile.files.size();
    profile.files.push_back({.name = "/f/more", .size_bytes = 512 * 100'000, .kind = S_IFREG});
    add_calls(profile, call, 100'000, 512 * 100'000, 0.1).file = file;
  }
  const Advice advice = only_advice(profile);
  EXPECT_EQ(advice.uses.size(), 4U);
  EXPECT_NE(advice.fix.find("One buffer"), std::string::npos) << advice.fix;
}

TEST(Causes, HaveTwoBuffersForReadsAndWritesThatDiffer) {
  const auto has_one = [](const Profile& profile) { return has_advice(profile, "small-copies"); };
  const Profile profile = small_copies("/usr/bin/program");
  EXPECT_TRUE(has_one(profile));
  EXPECT_FALSE(has_one(small_copies("/usr/bin/python3.11"))) << "words of its own";
  Profile fewer = profile;
  fewer.uses[1].amount.calls = fewer.uses[1].amount.system_calls = 80'000;
  EXPECT_FALSE(has_one(fewer)) << "fewer writes than reads";
  Profile smaller = profile;
  smaller.uses[1].amount.bytes = smaller.uses[1].amount.system_bytes = 256 * 100'000;
  EXPECT_FALSE(has_one(smaller)) << "smaller writes than reads";
  Profile other = profile;
  other.sites.push_back({.frames = {{"another", "", "/usr/bin/program"}}});
  other.uses[1].site = 1;
  EXPECT_FALSE(has_one(other)) << "in another function";
  Profile same = profile;
  same.uses[1].file = 0;
  EXPECT_FALSE(has_one(same)) << "in the same file";
  Profile socket = profile;
  socket.files[1].kind = S_IFSOCK;
  EXPECT_FALSE(has_one(socket)) << "bytes that nobody may delay";
}

// The figures are those of one of them.
TEST(Causes, SayIfOneLineHasSeveralCalls) {
  Profile profile = two_flushes(10'000);
  profile.sites.push_back(profile.sites[0]);
  profile.uses[1].site = 1;
  profile.uses[1].file = 0;
  for (Site& site : profile.sites) site.frames = {{"main", "/s/main.c:31", "/f/program"}};
  const std::string seen = only_advice(profile).seen;
  EXPECT_TRUE(seen.starts_with("by 2 different calls; by the first, which costs most: 10,000"))
      << seen;
}

// A template or an inlined function has the line of a call in many functions.
TEST(Causes, UniteTheCallsOfOneLine) {
  Profile profile = two_flushes(10'000);
  profile.sites.push_back(profile.sites[0]);
  profile.uses[1].site = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    profile.sites[i].frames = {{"instance" + std::to_string(i), "/s/sort.h:31", "/f/program"}};
  }
  const std::vector<Advice> one = advice_by_rules(profile);
  EXPECT_EQ(one.size(), 1U);
  EXPECT_EQ(one.at(0).places, 1U);
  EXPECT_EQ(one.at(0).files, 2U);
  profile.sites[1].frames[0].source = "/s/sort.h:32";
  EXPECT_EQ(advice_by_rules(profile).size(), 2U);
  for (const char* of_library :
       {"", "/usr/include/c++/12/fstream:90", "/rustc/9f/library/io.rs:3"}) {
    for (Site& site : profile.sites) site.frames[0].source = of_library;
    EXPECT_EQ(advice_by_rules(profile).size(), 2U) << of_library;
  }
}

// A function opens a file of /proc and a device.
TEST(Causes, TellTheFilesOfOneLineApart) {
  Profile profile = one_second();
  profile.sites[0].frames = {{"open_file", "/s/files.h:3", "/f/program"}};
  for (const std::uint32_t kind : {std::uint32_t{S_IFREG}, std::uint32_t{S_IFCHR}}) {
    profile.files.push_back({.name = "/f/" + std::to_string(kind), .kind = kind});
    for (const preload::Call call : {preload::Call::open, preload::Call::read}) {
      Use& use = add_calls(profile, call, 1'000, call == preload::Call::read ? 8'000 : 0, 0.1);
      use.file = profile.files.size() - 1;
    }
  }
  const std::vector<Advice> all = advice_by_rules(profile);
  std::set<std::string> fixes;
  for (const Advice& advice : all) {
    if (advice.kind.id == "reopened") fixes.insert(advice.fix);
  }
  EXPECT_EQ(fixes.size(), 2U);
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

// Standard streams of C++ as they are: each extraction flushes, and takes each byte by a call.
Profile standard_streams() {
  Profile profile = two_flushes(0);
  profile.sites[0] = {
      .frames = {{"main", "", "/usr/bin/program"}}, .by_iostream = true, .by_istream = true};
  profile.uses[0].amount.calls = profile.uses[0].amount.system_calls = 100'000;
  profile.uses[0].amount.system_bytes = 2'000'000;
  profile.sites.push_back(profile.sites[0]);  // the program writes and reads at two places
  profile.uses[1].site = 1;
  profile.uses[1].call = preload::Call::fgetc;
  Amount& bytes = profile.uses[1].amount;
  bytes = Amount();
  bytes.calls = bytes.copies = bytes.bytes = 10'000'000;
  bytes.time.copying_s = 0.1;
  return profile;
}

TEST(Causes, GiveTiedStreamsThatAreInStepWithStdioOneCure) {
  const std::vector<Advice> all = advice_by_rules(standard_streams());
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind.id, "flush-after-each");
  EXPECT_NE(all[0].fix.find("`std::ios::sync_with_stdio(false)` and `std::cin.tie(nullptr)`"),
            std::string::npos)
      << all[0].fix;
  EXPECT_EQ(all[0].files, 2U);
  EXPECT_NEAR(all[0].saved_s, 0.3, 0.01) << "0.2 s of flushes, and 0.1 s of bytes";
  EXPECT_LT(*all[0].least_saved_s, 0.28);
  Profile in_two = standard_streams();
  in_two.uses[1].threads = {{2, 0}};
  EXPECT_EQ(advice_by_rules(in_two).size(), 2U) << "these are two programs";
}

TEST(Causes, GiveStreamsThatAreOnlyTiedTheirOwnCure) {
  Profile profile = standard_streams();
  profile.uses.pop_back();
  const std::vector<Advice> all = advice_by_rules(profile);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].fix.find("sync_with_stdio"), std::string::npos);
}

}  // namespace
}  // namespace sluice::trace
