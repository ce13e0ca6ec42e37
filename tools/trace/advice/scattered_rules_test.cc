// Advice about small writes at many places of a file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

// Records of 16 bytes are written at many places of a file of 4 MiB.
Profile scattered(Call write = Call::pwrite) {
  Profile profile = one_second();
  profile.files.push_back({.name = "/f/file",
                           .opens = 1,
                           .size_bytes = 4 << 20,
                           .kind = S_IFREG,
                           .flags = O_RDWR,
                           .remains = true});
  Use& writes = add_calls(profile, write, 200'000, 3'200'000, 0.3);
  Use& placed = write == Call::pwrite ? writes : add_calls(profile, Call::lseek, 200'000, 0, 0.1);
  placed.amount.far_calls = 150'000;
  return profile;
}

TEST(ScatteredRules, CountAPageFaultForEachPage) {
  for (const Call write : {Call::pwrite, Call::write}) {
    const Profile profile = scattered(write);
    const double calls_s = write == Call::pwrite ? 0.3 : 0.4;
    EXPECT_EQ(ids_of(profile), std::vector<std::string>{"scattered-writes"});
    const Advice advice = advice_with(profile, "scattered-writes");
    EXPECT_NEAR(advice.saved_s, calls_s - 1024 * 2.3e-6, 1e-4);
    EXPECT_NEAR(advice.least_s(), calls_s - 1024 * 7e-6, 1e-4);
    EXPECT_TRUE(advice.fix.starts_with("Map the file")) << advice.fix;
  }
}

TEST(ScatteredRules, LeaveWritesThatFollowOneAnotherToABuffer) {
  Profile profile = scattered();
  profile.uses[0].amount.far_calls = 90'000;
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"tiny-writes"});
}

TEST(ScatteredRules, ExpectNoSavingWherePagesOrTheDiskTakeTheTime) {
  for (const auto& [name, change] :
       std::initializer_list<std::pair<const char*, void (*)(Profile&)>>{
           {"one or two writes for each page",
            [](Profile& of) { of.files[0].size_bytes = 450 << 20; }},
           {"no size", [](Profile& of) { of.files[0].size_bytes = 0; }},
           {"each write waits", [](Profile& of) { of.files[0].flags |= O_DSYNC; }},
           {"no pages", [](Profile& of) { of.files[0].flags |= O_DIRECT; }},
           {"whole pages", [](Profile& of) { of.uses[0].amount.bytes = 200'000ULL * 4096; }},
           {"Perl maps no file",
            [](Profile& of) { of.sites[0].frames[0].module = "/usr/bin/perl"; }},
           {"the disk",
            [](Profile& of) { of.uses[0].amount.time = {.system_s = 0.001, .sleep_s = 0.3}; }}}) {
    Profile profile = scattered();
    change(profile);
    EXPECT_FALSE(has_advice(profile, "scattered-writes")) << name;
  }
}

TEST(ScatteredRules, LeaveSeeksThatMayBeForReads) {
  Profile profile = scattered(Call::write);
  add_calls(profile, Call::read, 10'000, 160'000, 0.01);
  EXPECT_FALSE(has_advice(profile, "scattered-writes"));
}

TEST(ScatteredRules, SayHowAFileIsToBeOpened) {
  Profile profile = scattered();
  EXPECT_EQ(advice_with(profile, "scattered-writes").fix.find("O_RDWR"), std::string::npos);
  profile.files[0].flags = O_WRONLY;
  EXPECT_NE(advice_with(profile, "scattered-writes").fix.find("O_RDWR"), std::string::npos);
  profile.sites[0].frames[0].module = "/usr/bin/python3.11";
  EXPECT_NE(advice_with(profile, "scattered-writes").fix.find("mmap.mmap"), std::string::npos);
}

}  // namespace
}  // namespace sluice::trace
