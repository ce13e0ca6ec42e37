// Advice about calls that wait for the disk, by what was written for each.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "trace/advice/advice.h"

namespace sluice::trace {
namespace {

using preload::Call;

// A process of one second, whose 1,000 syncs by this call waited for half of it.
Profile with_syncs(Call call, std::uint64_t bytes = 0) {
  Profile profile;
  profile.command = {"program"};
  profile.wall_s = 1;
  profile.processes.push_back({.number = 1, .program = "program", .wall_s = 1, .ended = true});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.sites.push_back({.frames = {{"function", "", "/usr/bin/program"}}});
  profile.files.push_back({.name = "/f/file", .kind = S_IFREG});
  profile.files.push_back({.name = "/f/other", .kind = S_IFREG});
  Use& syncs = profile.uses.emplace_back(Use{.file = 1, .call = call, .threads = {{1, 0}}});
  syncs.amount.calls = syncs.amount.system_calls = 1'000;
  syncs.amount.bytes = bytes;
  syncs.amount.time.sleep_s = 0.5;
  return profile;
}

void write(Profile& profile, std::size_t file, std::uint64_t bytes) {
  Use& writes =
      profile.uses.emplace_back(Use{.file = file, .call = Call::write, .threads = {{1, 0}}});
  writes.amount.calls = writes.amount.system_calls = 10;
  writes.amount.bytes = writes.amount.system_bytes = bytes;
}

// What was seen, or nothing if there is no such advice.
std::string seen(const Profile& profile) {
  for (const Advice& advice : advice_by_rules(profile)) {
    if (advice.kind.id == "sync-after-each") return advice.seen;
  }
  return "";
}

TEST(Syncs, OfMappedMemoryChangeAPageForEachFaultAtMost) {
  const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  Profile profile = with_syncs(Call::msync, 1'000 * 512 * page_bytes);
  profile.processes[0].minor_faults = 2'000;
  EXPECT_EQ(seen(profile),
            "1,000 syncs of mapped memory; on average a sync took 0.50 ms, for at "
            "most " +
                std::to_string(2 * page_bytes) + " changed bytes");
  profile.processes[0].ended = false;
  EXPECT_EQ(seen(profile), "") << "nobody knows how much was changed";
  profile.processes[0].minor_faults = 500'000;
  profile.processes[0].ended = true;
  EXPECT_EQ(seen(profile), "") << "writing these bytes takes most of the time";
  profile.uses[0].amount.bytes = 1'000 * 100;
  EXPECT_NE(seen(profile), "") << "no more is written than what is synced";
}

TEST(Syncs, OfAllFilesAreForWhatWasWrittenToEach) {
  for (const Call call : {Call::sync, Call::syncfs}) {
    Profile profile = with_syncs(call);
    write(profile, 0, 20'000);
    write(profile, 1, 10'000);
    EXPECT_EQ(seen(profile),
              "1,000 syncs of all files; on average a sync took 0.50 ms, and 30 "
              "bytes were written for it");
    write(profile, 0, 1'100'000'000);
    EXPECT_EQ(seen(profile), "");
  }
}

TEST(Syncs, OfOneFileAreForWhatWasWrittenToIt) {
  for (const Call call : {Call::fsync, Call::fdatasync, Call::sync_file_range}) {
    Profile profile = with_syncs(call);
    write(profile, 0, 100'000'000);
    write(profile, 1, 10'000);
    EXPECT_EQ(seen(profile),
              "1,000 syncs of one file; on average a sync took 0.50 ms, and 10 "
              "bytes were written for it");
    write(profile, 1, 1'100'000'000);
    EXPECT_EQ(seen(profile), "");
  }
}

// Files of 1,000 bytes, each of which is synced once for 5 ms.
Profile with_synced_files(std::size_t files) {
  Profile profile = with_syncs(Call::fsync);
  profile.uses.clear();
  profile.files.clear();
  for (std::size_t file = 0; file < files; ++file) {
    profile.files.push_back({.name = "/f/" + std::to_string(file), .kind = S_IFREG});
    write(profile, file, 1'000);
    Use& syncs =
        profile.uses.emplace_back(Use{.file = file, .call = Call::fsync, .threads = {{1, 0}}});
    syncs.amount.calls = syncs.amount.system_calls = 1;
    syncs.amount.time.sleep_s = 5e-3;
  }
  return profile;
}

TEST(Syncs, OfManyFilesAreOneHabit) {
  const std::vector<Advice> all = advice_by_rules(with_synced_files(20));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind.id, "synced-files");
  EXPECT_EQ(all[0].seen,
            "20 syncs of 20 files; on average a sync took 5.00 ms, and 1000 bytes were written "
            "for it");
  EXPECT_NEAR(all[0].saved_s, 19 * 5e-3, 1e-3);
  EXPECT_NEAR(all[0].least_s(), all[0].saved_s / 2, 1e-9);
  EXPECT_EQ(all[0].uses.size(), 20U);
  EXPECT_TRUE(advice_by_rules(with_synced_files(9)).empty());
}

TEST(Syncs, OfManyFilesAreNoHabitIfTheirBytesTakeTheTime) {
  Profile profile = with_synced_files(20);
  for (Use& use : profile.uses) use.amount.system_bytes *= 1'100;
  EXPECT_TRUE(advice_by_rules(profile).empty());
}

TEST(Syncs, OfADatabaseAreItsOwn) {
  Profile profile = with_synced_files(20);
  profile.sites[0].frames[0].module = "/usr/lib/libsqlite3.so.0";
  EXPECT_TRUE(advice_by_rules(profile).empty());
}

// Each of ten files has the advice of its own, and the eleventh is one.
TEST(Syncs, OfFilesThatAreSyncedOftenDoNotCount) {
  Profile profile = with_synced_files(11);
  for (Use& use : profile.uses) {
    if (use.file > 0 && use.call == Call::fsync) use.amount.calls = use.amount.system_calls = 10;
  }
  for (const Advice& advice : advice_by_rules(profile))
    EXPECT_EQ(advice.kind.id, "sync-after-each");
}

}  // namespace
}  // namespace sluice::trace
