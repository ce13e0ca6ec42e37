#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

#include "trace/advice/advice.h"
#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;
using Ids = std::vector<std::string>;

Profile one_second_and_file() {
  Profile profile = one_second();
  profile.processes[0].ended = true;
  profile.files.push_back({.name = "file", .opens = 1, .size_bytes = 1 << 20, .kind = S_IFREG});
  return profile;
}

TEST(ProgramRules, SubtractsTheTimeOfSequentialReadingFromAColdMapping) {
  Profile profile = one_second_and_file();
  add_calls(profile, Call::mmap, 1, 100'000'000, 0).amount.cold_bytes = 100'000'000;
  Process& process = profile.processes[0];
  process.fault_wait_s = 0.5;
  process.cold_read_s = 0.1;
  ASSERT_EQ(ids_of(profile), Ids{"cold-mapping"});
  EXPECT_DOUBLE_EQ(advice_by_rules(profile)[0].saved_s, 0.4);
  process.cold_read_s = 1;
  EXPECT_EQ(ids_of(profile), Ids{});
}

constexpr Moment computing{};
constexpr Moment writing{.written_bytes = 1 << 20, .time = {.system_s = 0.01}};

void repeat(std::vector<Moment>& moments, const std::vector<Moment>& what, int times) {
  for (int i = 0; i < times; ++i) moments.insert(moments.end(), what.begin(), what.end());
}

// Half a second of writing, with half a second of computing before or between the writes.
Profile writing_half_a_second(const std::vector<Moment>& stretch, int times) {
  Profile profile = one_second_and_file();
  profile.idle_processors = 1;
  add_calls(profile, Call::write, 50, 50 << 20, 0.5);
  repeat(profile.moments[0].moments, stretch, times);
  return profile;
}

TEST(ProgramRules, FindsComputingAndWritingThatTakeTurns) {
  Profile profile = writing_half_a_second({writing, computing}, 50);
  ASSERT_EQ(ids_of(profile), Ids{"overlap"});
  EXPECT_NEAR(advice_by_rules(profile)[0].saved_s, 0.49, 1e-9);
  profile.processes[0].several_threads = true;
  EXPECT_EQ(ids_of(profile), Ids{});
}

// Each moment of a program that reads, computes and writes may have reads.
TEST(ProgramRules, MayReadInTheMomentsInWhichItWrites) {
  Profile profile = writing_half_a_second({writing, computing}, 50);
  for (Moment& moment : profile.moments[0].moments) moment.read_bytes = 1 << 20;
  EXPECT_EQ(ids_of(profile), Ids{"overlap"});
}

TEST(ProgramRules, CountsTheTimeForWhichWritesWait) {
  Profile profile = writing_half_a_second({writing, computing}, 50);
  for (Moment& moment : profile.moments[0].moments) {
    std::swap(moment.time.system_s, moment.time.sleep_s);
  }
  profile.uses[0].amount.time = {.sleep_s = 0.5};
  EXPECT_EQ(advice_by_rules(profile).at(0).least_saved_s, 0);
}

// A checkpoint that is written, synced and renamed, and then 0.03 s of computing.
Profile checkpoints(Call waiting) {
  constexpr Moment sync{.time = {.sleep_s = 0.004}};
  Profile profile = writing_half_a_second({writing, sync, computing, computing, computing}, 20);
  profile.uses[0].amount.time = {.system_s = 0.03};
  Use& waits = add_calls(profile, waiting, 20, 0, 0);
  waits.amount.time.sleep_s = 0.11;
  if (waiting != Call::rename) return profile;
  waits.file = 1;
  profile.files.push_back({.name = "new name", .kind = S_IFREG});
  return profile;
}

TEST(ProgramRules, CountsTheWaitsForTheDiskThatAnotherThreadCouldSpend) {
  for (const Call waiting : {Call::fsync, Call::rename}) {
    const Profile profile = checkpoints(waiting);
    ASSERT_EQ(ids_of(profile), Ids{"overlap"});
    const Advice advice = advice_by_rules(profile)[0];
    EXPECT_NEAR(advice.saved_s, 0.14, 1e-9);
    EXPECT_NEAR(advice.least_s(), 0.055, 1e-9);
    EXPECT_EQ(advice.use, 1U);
    EXPECT_NE(advice.fix.find("a copy of what the program changes"), std::string::npos);
  }
}

TEST(ProgramRules, DoesNotTakeTheRenamingsOfOtherProgramsForItsOwn) {
  Profile profile = checkpoints(Call::rename);
  add_process(profile);
  profile.uses[1].threads = {{2, 0}};
  EXPECT_EQ(ids_of(profile), Ids{});
}

TEST(ProgramRules, HasOneCureForSyncsOfRecords) {
  Profile profile = checkpoints(Call::fsync);
  profile.uses[1].amount.calls = profile.uses[1].amount.system_calls = 200;
  profile.uses[0].amount.calls = profile.uses[0].amount.system_calls = 200;
  EXPECT_EQ(ids_of(profile), Ids{"sync-after-each"});
}

TEST(ProgramRules, DoesNotMoveSyncsOfRecordsToAnotherThread) {
  Profile profile = checkpoints(Call::fsync);
  profile.uses[0].amount.system_calls = profile.uses[0].amount.calls = 100'000;
  for (const std::string& id : ids_of(profile)) EXPECT_NE(id, "overlap");
}

TEST(ProgramRules, DoesNotTakeWaitingForAProcessorForWriting) {
  Profile profile = writing_half_a_second({writing, computing}, 50);
  profile.processes[0].queued_s = 0.2;
  EXPECT_NEAR(advice_by_rules(profile)[0].saved_s, 0.3, 1e-9);
}

TEST(ProgramRules, NeedsAnIdleProcessorForAnotherThread) {
  Profile profile = writing_half_a_second({writing, computing}, 50);
  profile.idle_processors = 0.5;
  EXPECT_EQ(ids_of(profile), Ids{"overlap"});
  profile.idle_processors = 0.4;
  EXPECT_EQ(ids_of(profile), Ids{});
}

TEST(ProgramRules, KnowsThatTheFirstComputingCannotOverlapWriting) {
  Profile profile = writing_half_a_second({computing}, 50);
  repeat(profile.moments[0].moments, {writing}, 50);
  EXPECT_EQ(ids_of(profile), Ids{});
}

TEST(ProgramRules, DoesNotCountTheRestOfALongWriteAsComputing) {
  std::vector<Moment> stretch(10, computing);
  stretch[0] = writing;
  stretch[0].time.system_s = 0.1;
  EXPECT_EQ(ids_of(writing_half_a_second(stretch, 5)), Ids{});
}

}  // namespace
}  // namespace sluice::trace
