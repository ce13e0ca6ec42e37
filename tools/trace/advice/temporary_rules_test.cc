// Advice about temporary files of many names.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

Use& add(Profile& profile, Call call, std::size_t file, std::uint64_t bytes, double system_s) {
  Use& use = profile.uses.emplace_back(Use{.file = file, .call = call, .threads = {{1, 1}}});
  use.amount.calls = use.amount.system_calls = 1;
  use.amount.bytes = use.amount.system_bytes = bytes;
  use.amount.time.system_s = system_s;
  use.amount.work_before_s = 1e-5;
  return use;
}

// A program makes, writes, reads and removes 1,000 files of different names.
Profile with_temporary_files(std::uint64_t read_bytes = 5000) {
  constexpr std::size_t files = 1000;
  Profile profile = one_second();
  for (std::size_t i = 0; i < files; ++i) {
    profile.files.push_back({.name = std::to_string(i), .kind = S_IFREG, .flags = O_RDWR});
    add(profile, Call::write, i, 5000, 4e-5);
    add(profile, Call::read, i, read_bytes, 2e-5);
    add(profile, Call::close, i, 0, 1e-5);
  }
  profile.files.push_back({.name = "(names that were changed)"});
  Use& removal = add(profile, Call::unlink, files, 0, 0.03);
  removal.amount.calls = files;
  return profile;
}

std::optional<Advice> temporary_in(const Profile& profile) {
  for (const Advice& advice : advice_by_rules(profile)) {
    if (advice.kind.id == "temporary-files") return advice;
  }
  return std::nullopt;
}

TEST(TemporaryRules, SeeFilesOfManyNames) {
  const Profile profile = with_temporary_files();
  const std::optional<Advice> advice = temporary_in(profile);
  ASSERT_TRUE(advice.has_value());
  EXPECT_EQ(advice->files, 1000U);
  EXPECT_EQ(advice->uses.size(), 3000U);
  EXPECT_NEAR(advice->least_s(), 0.07 + 0.03, 1e-9) << "the calls, and the removals";
  EXPECT_NEAR(advice->saved_s, 0.1 + 3001 * 1e-5, 1e-9) << "and the work between the calls";
  EXPECT_EQ(profile.files[profile.uses[advice->use].file].name, "0");
  EXPECT_EQ(advice_by_rules(profile).size(), 1U) << "nothing else is said of the same calls";
}

TEST(TemporaryRules, CountAsManyRemovalsAsThereAreFiles) {
  Profile profile = with_temporary_files();
  profile.uses.back().amount.calls = 3000;
  EXPECT_NEAR(temporary_in(profile)->least_s(), 0.07 + 0.01, 1e-9);
  profile.uses.back().amount.calls = 800;
  EXPECT_FALSE(temporary_in(profile)) << "most of the files stay";
}

TEST(TemporaryRules, LeaveOtherFilesOut) {
  EXPECT_FALSE(temporary_in(with_temporary_files(4000))) << "not all is read";
  EXPECT_FALSE(temporary_in(with_temporary_files(6000))) << "it was not written before";
  Profile profile = with_temporary_files();
  for (File& file : profile.files) file.remains = true;
  EXPECT_FALSE(temporary_in(profile)) << "the files are there at the end";
  profile = with_temporary_files();
  for (File& file : profile.files) file.kind = S_IFSOCK;
  EXPECT_FALSE(temporary_in(profile));
}

TEST(TemporaryRules, LeaveFilesOutThatAnotherProcessReads) {
  Profile profile = with_temporary_files();
  for (Use& use : profile.uses) {
    if (use.call == Call::read) use.threads = {{2, 1}};
  }
  EXPECT_FALSE(temporary_in(profile));
}

// Standard output is one of these files.
TEST(TemporaryRules, SeeFilesForWhichALogHasNoRoom) {
  Profile profile = with_temporary_files();
  profile.files.push_back({.name = "(other files)", .is_many = true, .remains = true});
  const std::size_t others = profile.files.size() - 1;
  add(profile, Call::write, others, 50'000, 0.1);
  add(profile, Call::read, others, 50'000, 0.1);
  add(profile, Call::close, others, 0, 0.1).amount.calls = 3000;
  profile.uses[3000].amount.calls = 4000;
  EXPECT_EQ(temporary_in(profile)->files, 4000U);
  EXPECT_NEAR(temporary_in(profile)->least_s(), 0.4, 1e-9);
}

// rsync reads old files and writes new ones, and removes what it has replaced.
TEST(TemporaryRules, KnowNothingOfManyFilesWithoutEntriesOfTheirOwn) {
  Profile profile = with_temporary_files();
  for (std::size_t i = 99; i < 1000; ++i) profile.files[i].remains = true;
  profile.files.push_back({.name = "(other files)", .is_many = true});
  const std::size_t others = profile.files.size() - 1;
  add(profile, Call::write, others, 500'000, 0.1);
  add(profile, Call::read, others, 500'000, 0.1);
  add(profile, Call::close, others, 0, 0.1).amount.calls = 900;
  EXPECT_FALSE(temporary_in(profile).has_value());
  profile.files[99].remains = false;
  EXPECT_TRUE(temporary_in(profile).has_value());
}

// A program checks what it has written, and renames the file over an old one.
TEST(TemporaryRules, LeaveFilesOutThatStayUnderAnotherName) {
  Profile profile = with_temporary_files();
  Use& renaming = add(profile, Call::rename, 1000, 0, 0.01);
  renaming.amount.calls = 100;
  EXPECT_TRUE(temporary_in(profile));
  renaming.amount.calls = 101;
  EXPECT_FALSE(temporary_in(profile));
}

TEST(TemporaryRules, SaveTheTimeOfProcessesThatRunAtOnce) {
  Profile profile = with_temporary_files();
  profile.processes[0].user_s = 4;  // of all of them
  const std::optional<Advice> advice = temporary_in(profile);
  EXPECT_EQ(advice->at_once, 4);
  EXPECT_NEAR(advice->least_s(), 0.1 / 4, 1e-9);
  EXPECT_NEAR(advice->saved_s, (0.1 + 3001 * 1e-5) / 4, 1e-9);
}

TEST(TemporaryRules, HaveWordsForLanguages) {
  Profile profile = with_temporary_files();
  profile.sites[0] = {.frames = {{"function", "", "/usr/bin/python3.11"}}};
  const std::optional<Advice> advice = temporary_in(profile);
  EXPECT_EQ(advice->runtime, "Python");
  EXPECT_EQ(advice->fix, "In Python, keep the bytes in memory, and hand them over there.");
}

}  // namespace
}  // namespace sluice::trace
