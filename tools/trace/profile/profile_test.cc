// Damaged and shortened logs: their readable part is shown, and no bytes beyond it are read.
#include "trace/profile/profile.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "testing/scratch_directory.h"
#include "trace/costs/call_costs.h"
#include "trace/profile/symbols.h"

namespace sluice::trace {
namespace {

class DamagedLog : public ::testing::Test {
 protected:
  DamagedLog() : log_(std::make_unique<preload::Log>()) {
    log_->magic = preload::trace_magic;
    log_->process = 42;
    log_->usages = 1;
    log_->usage(1).file = 1;
    log_->usage(1).call = preload::Call::write;
    log_->usage(1).slow_calls = 3;
    std::copy_n("?/tmp/file", 11, log_->texts);
    log_->file(1).name = 1;
  }

  // A file of 7 bytes, and the log's entry of it.
  preload::FileEntry& made_file(const std::string& path) {
    testing::make_file(path, "1234567");
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    std::copy_n(path.c_str(), path.size() + 1, log_->texts + 1);
    log_->file(1).device = status.st_dev;
    log_->file(1).inode = status.st_ino;
    log_->file(1).kind = S_IFREG;
    return log_->file(1);
  }

  Profile profile_of_log(std::size_t bytes = sizeof(preload::Log)) {
    testing::make_file(path_, {reinterpret_cast<const char*>(log_.get()), bytes});
    Profile profile;
    add_log(profile, path_, costs_, symbols_);
    return profile;
  }

  testing::ScratchDirectory directory_;
  const std::string path_ = directory_.file("log");
  CallCosts costs_;
  Symbols symbols_;
  std::unique_ptr<preload::Log> log_;
};

TEST_F(DamagedLog, IsShownAsItIsWhenItIsWhole) {
  const Profile profile = profile_of_log();
  ASSERT_EQ(profile.uses.size(), 1u);
  EXPECT_EQ(profile.uses[0].amount.calls, 3u);
  EXPECT_EQ(profile.files[0].name, "/tmp/file");
  EXPECT_TRUE(profile.problems.empty());
}

TEST_F(DamagedLog, HasLookUpsByOneOfTheirNames) {
  preload::Usage& usage = log_->usage(1);
  usage.repeated = 2;
  log_->texts[0] = '\0';  // as in each log
  for (const preload::Call call :
       {preload::Call::stat, preload::Call::access, preload::Call::failed_open}) {
    usage.call = call;
    usage.name = 1;
    const Profile profile = profile_of_log();
    EXPECT_EQ(profile.files.at(profile.uses[0].file).name, "/tmp/file");
    EXPECT_EQ(profile.files[0].kind, 0U) << "nothing is known of the file";
    EXPECT_EQ(profile.uses[0].amount.repeated, 2U);
    for (const auto& [name, repeated] : {std::pair(0U, 2U), {0xffffffffU, 2U}, {1U, 1U}}) {
      usage.name = name;
      usage.repeated = repeated;  // of three
      EXPECT_EQ(profile_of_log().files.at(0).name, "(names that were looked up)");
    }
    usage.repeated = 2;
  }
}

// A file that was only read is as large as the log says. It is not asked for.
TEST_F(DamagedLog, HasThePresentSizeOfAWrittenFile) {
  preload::FileEntry& file = made_file(directory_.file("written"));
  file.size_bytes = 5;
  EXPECT_EQ(profile_of_log().files[0].size_bytes, 5U);
  file.flags = O_WRONLY;
  EXPECT_EQ(profile_of_log().files[0].size_bytes, 7U);
  file.size_bytes = 9;
  EXPECT_EQ(profile_of_log().files[0].size_bytes, 9U) << "it was cut later";
  file.flags = 0;
  file.size_bytes = 0;  // a file that has no bytes yet may get them in many ways
  EXPECT_EQ(profile_of_log().files[0].size_bytes, 7U);
}

TEST_F(DamagedLog, FindsAResultThatWasRenamed) {
  preload::FileEntry& file = made_file(directory_.file("result.tmp"));
  std::filesystem::rename(directory_.file("result.tmp"), directory_.file("result"));
  file.size_bytes = 7;
  file.flags = O_WRONLY;
  EXPECT_TRUE(profile_of_log().files[0].remains);
  file.size_bytes = 8;
  EXPECT_FALSE(profile_of_log().files[0].remains) << "another file has got its number";
  log_->usage(1).system_bytes = 7;
  EXPECT_TRUE(profile_of_log().files[0].remains);
}

// A file that was only read may have been removed, if the process removes many.
TEST_F(DamagedLog, AsksWhetherAFileIsGoneIfManyAreRemoved) {
  const std::string path = directory_.file("read");
  testing::make_file(path, "1234567");
  std::copy_n(path.c_str(), path.size() + 1, log_->texts + 1);
  log_->file(1).kind = S_IFREG;
  log_->file(1).device = 3;
  log_->file(1).size_bytes = 5;
  log_->usage(1).call = preload::Call::read;
  log_->usages = 2;
  log_->usage(2) = log_->usage(1);
  log_->usage(2).call = preload::Call::unlink;
  log_->usage(2).slow_calls = 31;
  log_->usage(2).failures = 1;
  EXPECT_FALSE(profile_of_log().files[0].is_gone);
  EXPECT_FALSE(profile_of_log().files[0].remains) << "it was not written";
  EXPECT_EQ(profile_of_log().files[0].size_bytes, 5U) << "as it was read";
  EXPECT_EQ(profile_of_log().files[0].device, 3U);
  std::filesystem::remove(path);
  EXPECT_TRUE(profile_of_log().files[0].is_gone);
  log_->usage(2).failures = 2;
  EXPECT_FALSE(profile_of_log().files[0].is_gone) << "it is not asked for";
}

// A process may find the file larger than the one that has made it, or smaller.
TEST_F(DamagedLog, HasTheLeastSizeAtAnOpening) {
  log_->file(1).inode = 7;
  for (const std::uint64_t first : {100U, 500U}) {
    Profile profile;
    for (const std::uint64_t bytes : {first, 600 - first}) {
      log_->file(1).first_bytes = bytes;
      testing::make_file(path_, {reinterpret_cast<const char*>(log_.get()), sizeof *log_});
      add_log(profile, path_, costs_, symbols_);
    }
    EXPECT_EQ(profile.files[0].first_bytes, 100U) << first;
  }
}

// Only one of two processes that read the file removes many.
TEST_F(DamagedLog, SaysThatAFileIsGoneInAnyOrderOfTheLogs) {
  std::copy_n("/none/file", 11, log_->texts + 1);
  log_->file(1).kind = S_IFREG;
  log_->file(1).size_bytes = 5;
  log_->usage(1).call = preload::Call::read;
  log_->usages = 2;
  log_->usage(2) = log_->usage(1);
  log_->usage(2).call = preload::Call::unlink;
  for (const std::uint64_t removals_of_first : {30U, 0U}) {
    Profile profile;
    for (const std::uint64_t removals : {removals_of_first, 30 - removals_of_first}) {
      log_->usage(2).slow_calls = removals;
      testing::make_file(path_, {reinterpret_cast<const char*>(log_.get()), sizeof *log_});
      add_log(profile, path_, costs_, symbols_);
    }
    ASSERT_EQ(profile.files[0].name, "/none/file");
    EXPECT_TRUE(profile.files[0].is_gone) << removals_of_first;
  }
}

// Thousands of files may be empty.
TEST_F(DamagedLog, AsksForAnEmptyFileOnlyIfItMayHaveGotBytes) {
  const std::string path = directory_.file("written");
  testing::make_file(path, "1234567");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  std::copy_n(path.c_str(), path.size() + 1, log_->texts + 1);
  preload::FileEntry& file = log_->file(1);
  file.device = status.st_dev;
  file.inode = status.st_ino;
  file.kind = S_IFREG;
  EXPECT_EQ(profile_of_log().files[0].size_bytes, 7U) << "it was written to";
  log_->usage(1).call = preload::Call::read;
  EXPECT_EQ(profile_of_log().files[0].size_bytes, 0U);
  log_->usages = 2;
  log_->usage(2) = log_->usage(1);
  log_->usage(2).call = preload::Call::dup;
  EXPECT_EQ(profile_of_log().files[0].size_bytes, 7U);
}

TEST_F(DamagedLog, NamesTheFilesThatProcHasOfTheProcessItself) {
  for (const auto& [name, shown] : {std::pair{"/proc/4711/statm", "/proc/self/statm"},
                                    {"/proc/471/statm", "/proc/471/statm"},
                                    {"/proc/47110/statm", "/proc/47110/statm"}}) {
    log_->process = 4711;
    std::copy_n(name, std::string(name).size() + 1, log_->texts + 1);
    EXPECT_EQ(profile_of_log().files[0].name, shown);
  }
}

TEST_F(DamagedLog, SaysWhatTheDiskHadNoRoomFor) {
  log_->lost_moments = 7;
  const Profile profile = profile_of_log();
  ASSERT_EQ(profile.problems.size(), 1U);
  EXPECT_NE(profile.problems[0].find("the times of 7 calls are not in the timeline"),
            std::string::npos)
      << profile.problems[0];
}

TEST_F(DamagedLog, SaysHowManyCallsFoundNoRoom) {
  log_->usages = preload::max_usages - 1;
  preload::Usage& last = log_->usage(preload::max_usages - 1);
  last.copies = 100'000'000;
  last.slow_calls = 5;
  const Profile profile = profile_of_log();
  ASSERT_EQ(profile.problems.size(), 1U);
  EXPECT_NE(profile.problems[0].find(": 100,000,005 calls are counted under \"other\""),
            std::string::npos)
      << profile.problems[0];
  EXPECT_EQ(profile.processes[0].lost_calls, 100'000'005U);
}

TEST_F(DamagedLog, SaysWhichTableWasFull) {
  log_->usage(1).site = preload::max_sites - 1;
  log_->modules = preload::max_modules + 1;
  log_->text = preload::text_bytes + 1;
  const Profile profile = profile_of_log();
  ASSERT_EQ(profile.problems.size(), 3U);
  for (std::size_t i = 0;
       const char* const said : {"the places of 3 calls are unknown", "some libraries are unknown",
                                 "files or libraries are unknown"}) {
    EXPECT_NE(profile.problems[i].find(said), std::string::npos) << profile.problems[i];
    ++i;
  }
  log_->usage(1).site = 1;
  log_->modules = preload::max_modules;
  log_->text = preload::text_bytes;
  EXPECT_TRUE(profile_of_log().problems.empty());
}

TEST_F(DamagedLog, SaysThatItHasNoBytesOfAsynchronousCalls) {
  log_->unseen_io = 1;
  const Profile profile = profile_of_log();
  ASSERT_EQ(profile.problems.size(), 1U);
  EXPECT_NE(profile.problems[0].find("Linux AIO or io_uring"), std::string::npos)
      << profile.problems[0];
}

// Of 4 s between the calls the process worked for 1 s, and slept or waited for the rest.
TEST_F(DamagedLog, HasTheWorkBeforeEachCall) {
  log_->usage(1).before_ns = 4'000'000'000;
  log_->last_ns = 5'000'000'000;
  EXPECT_NEAR(profile_of_log().uses[0].amount.work_before_s, 4, 1e-6) << "it was killed";
  log_->user_ns = 1'000'000'000;
  EXPECT_NEAR(profile_of_log().uses[0].amount.work_before_s, 1, 1e-6);
}

TEST_F(DamagedLog, HasThePriceOfTextsThatASmallBufferPasses) {
  preload::Usage& usage = log_->usage(1);
  usage.call = preload::Call::fprintf;
  usage.slow_calls = usage.system_calls = 1'000'000;
  usage.copies = 500'000;
  usage.bytes = usage.system_bytes = 30'000'000;
  usage.slow_ns = 1'000'000'000;
  const Amount small = profile_of_log().uses[0].amount;
  EXPECT_GT(small.through_stream_s, 0);
  EXPECT_GT(small.most_texts_s, small.through_stream_s);
  usage.system_calls = 7'324;  // 4,096 bytes each
  EXPECT_EQ(profile_of_log().uses[0].amount.through_stream_s, 0);
}

// A call of a few nanoseconds may seem to take no time at all: the clock is not that exact.
TEST_F(DamagedLog, HasTheTimeOfCallsThatAreShorterThanTheClockIsExact) {
  preload::Usage& usage = log_->usage(1);
  usage.call = preload::Call::fgetc;
  usage.slow_calls = 0;
  usage.copies = usage.bytes = 10'000'000;
  usage.sizes[1] = usage.copies;
  usage.timed_copies = 1'000;
  const double in_a_row_s =
      costs_.in_a_row_s(Way::by_the_c_library, preload::Call::fgetc, 1, Sizes::alike) * 1e7;
  const double unsure_s = costs_.of_the_ticks() / 2 * costs_.tick_s() * 1e7;
  EXPECT_NEAR(profile_of_log().uses[0].amount.time.copying_s, std::min(in_a_row_s, unsure_s), 1e-9);
  usage.timed_copy_ticks = 1'000'000;
  EXPECT_NEAR(profile_of_log().uses[0].amount.time.copying_s, in_a_row_s, 1e-9);
}

// A call that seems to take much less than calls in a row is another call.
TEST_F(DamagedLog, HasUpToTwiceTheTimeThatACallSeemsToTake) {
  preload::Usage& usage = log_->usage(1);
  usage.call = preload::Call::fread;
  usage.slow_calls = 0;
  usage.copies = 1'000'000;
  usage.bytes = 4096 * usage.copies;
  usage.sizes[13] = usage.copies;
  usage.timed_copies = 1'000;
  usage.timed_copy_ticks = static_cast<std::uint64_t>((costs_.of_the_ticks() + 8) * 1'000);
  const double seen_s = 8 * costs_.tick_s() * 1e6;
  const double unsure_s = costs_.of_the_ticks() / 2 * costs_.tick_s() * 1e6;
  const double in_a_row_s =
      costs_.in_a_row_s(Way::by_the_c_library, preload::Call::fread, 4096, Sizes::alike) * 1e6;
  EXPECT_NEAR(profile_of_log().uses[0].amount.time.copying_s,
              std::min(in_a_row_s, 2 * seen_s + unsure_s), 1e-6);
}

TEST_F(DamagedLog, HasTheTimeOfBytesPutBackAsInARow) {
  preload::Usage& usage = log_->usage(1);
  usage.call = preload::Call::ungetc;
  usage.slow_calls = 0;
  usage.copies = 10'000'000;
  usage.timed_copies = 1'000;
  usage.timed_copy_ticks = 1'000'000;  // it seems to take some hundred nanoseconds
  const double in_a_row_s =
      costs_.in_a_row_s(Way::by_the_c_library, preload::Call::ungetc, 1, Sizes::alike) * 1e7;
  EXPECT_GT(in_a_row_s, 0);
  EXPECT_NEAR(profile_of_log().uses[0].amount.time.copying_s, in_a_row_s, 1e-9);
}

TEST_F(DamagedLog, HasTheTimeToTakeALockBesideThatOfTheCall) {
  preload::Usage& usage = log_->usage(1);
  usage.call = preload::Call::fgetc;
  usage.slow_calls = 0;
  usage.copies = 10'000'000;
  usage.timed_copies = 1'000;
  usage.timed_copy_ticks = static_cast<std::uint64_t>((costs_.of_the_ticks() + 100) * 1'000);
  log_->several_threads = 1;
  const double locks_s = costs_.lock_s() * 1e7;
  EXPECT_GT(locks_s, 0.01);
  EXPECT_NEAR(profile_of_log().uses[0].amount.time.copying_s, 1e9 * costs_.tick_s() + locks_s,
              1e-6);
  usage.unlocked = 1;
  EXPECT_NE(profile_of_log().uses[0].amount.time.copying_s, 1e9 * costs_.tick_s() + locks_s);
}

TEST_F(DamagedLog, HasTheTimeOfCallsWithoutALockAsInARow) {
  preload::Usage& usage = log_->usage(1);
  usage.call = preload::Call::fwrite;
  usage.slow_calls = 0;
  usage.copies = 10'000'000;
  usage.bytes = 5 * usage.copies;
  usage.sizes[3] = usage.copies;
  usage.timed_copies = 1'000;
  usage.timed_copy_ticks = 1'000'000;  // it seems to take some hundred nanoseconds
  const double locking_s = profile_of_log().uses[0].amount.time.copying_s;
  usage.unlocked = 1;
  const double in_a_row_s =
      costs_.in_a_row_s(Way::by_unlocked_calls, preload::Call::fwrite, 5, Sizes::alike) * 1e7;
  EXPECT_NEAR(profile_of_log().uses[0].amount.time.copying_s, in_a_row_s, 1e-9);
  EXPECT_NE(in_a_row_s, locking_s) << "they are measured one by one";
}

// The object asks for the processor time of some calls, and they take longer for this reason.
TEST_F(DamagedLog, HasTheTimeOfCallsWithoutTheTimeOfAsking) {
  preload::Usage& usage = log_->usage(1);
  usage.slow_calls = 4000;
  usage.timed_slow_calls = 1000;
  usage.timed_slow_ns = usage.timed_slow_cpu_ns = 1'100'000;
  usage.slow_ns = usage.timed_slow_ns + 3'000'000;
  const double clock_s = costs_.of_the_clock_s() * 4000;
  EXPECT_NEAR(profile_of_log().uses[0].amount.time.total_s(), 4e-3 - clock_s, 1e-9);
  usage.timed_slow_ns = usage.timed_slow_cpu_ns = 900'000;  // by chance
  usage.slow_ns = usage.timed_slow_ns + 3'000'000;
  EXPECT_NEAR(profile_of_log().uses[0].amount.time.total_s(), 3.9e-3 - clock_s, 1e-9);
}

// The processor time of long calls is always known, so they stand for no other calls.
TEST_F(DamagedLog, HasTheWaitsOfLongCallsBesideThoseOfShortOnes) {
  preload::Usage& usage = log_->usage(1);
  usage.slow_calls = 1'000'001;
  usage.long_calls = 1;
  usage.long_ns = 3'000'000'000;
  usage.long_cpu_ns = 1'000'000'000;
  usage.timed_slow_calls = 1000;
  usage.timed_slow_ns = usage.timed_slow_cpu_ns = 4'000'000;
  usage.slow_ns = usage.long_ns + 4'000'000'000;
  const Time time = profile_of_log().uses[0].amount.time;
  EXPECT_NEAR(time.sleep_s, 2, 1e-9);
  EXPECT_NEAR(time.system_s, 5 - 1'000'001 * costs_.of_the_clock_s(), 1e-9);
}

// For 3 of its 10 seconds the process neither worked nor waited for a processor.
TEST_F(DamagedLog, LeavesOutWaitsForAProcessor) {
  preload::Usage& usage = log_->usage(1);
  usage.slow_ns = usage.timed_slow_ns = 6'000'000'000;
  usage.timed_slow_calls = usage.slow_calls;
  usage.timed_slow_cpu_ns = 1'000'000'000;
  log_->last_ns = 10'000'000'000;
  log_->system_ns = 1'000'000'000;
  log_->user_ns = 7'000'000'000;
  log_->worked_before_ns = 5'000'000'000;
  log_->queued_ns = 4'000'000'000;
  const auto waits = [&] {
    const Amount amount = profile_of_log().uses[0].amount;
    return std::pair(amount.time.sleep_s, amount.queued_s);
  };
  EXPECT_NEAR(waits().first, 3, 1e-6);
  EXPECT_NEAR(waits().second, 2, 1e-6);
  log_->several_threads = 1;  // another thread may have worked meanwhile
  EXPECT_NEAR(waits().first, 5, 1e-6);
  EXPECT_EQ(waits().second, 0);
  log_->several_threads = 0;
  log_->user_ns = log_->system_ns = 0;  // killed
  EXPECT_NEAR(waits().first, 5, 1e-6);
}

// Of the 3 s for which the process neither worked nor waited for a processor, it had waited for 1 s
// before it mapped the file.
TEST_F(DamagedLog, HasTheWaitsForAMappedFile) {
  log_->last_ns = 10'000'000'000;
  log_->user_ns = 7'000'000'000;
  log_->major_faults = 25;
  const auto process = [&] { return profile_of_log().processes[0]; };
  EXPECT_EQ(process().major_faults, 0) << "it has mapped no cold file";
  EXPECT_EQ(process().fault_wait_s, 0);
  log_->cold_read_bytes = 4096;
  log_->cold_read_ns = 1'000'000'000;
  log_->blocked_before_ns = 1'000'000'000;
  log_->faults_before = 5;
  EXPECT_EQ(process().major_faults, 20);
  EXPECT_NEAR(process().fault_wait_s, 2, 1e-6);
  log_->usage(1).slow_calls = 1;
  log_->usage(1).long_calls = 1;
  log_->usage(1).slow_ns = log_->usage(1).long_ns = 800'000'000;
  EXPECT_NEAR(process().fault_wait_s, 2, 0.01) << "a call before the file was mapped";
  log_->usage(1).slow_ns = log_->usage(1).long_ns = 0;
  log_->cold_read_ns = 50'000'000;
  EXPECT_NEAR(process().fault_wait_s, 1, 1e-6) << "no fault took longer than that read";
  log_->several_threads = 1;
  EXPECT_EQ(process().fault_wait_s, 0);
  log_->several_threads = 0;
  log_->user_ns = 0;  // killed
  EXPECT_EQ(process().fault_wait_s, 0);
}

TEST_F(DamagedLog, CopiesForNoLongerThanTheProcessHasWorked) {
  preload::Usage& usage = log_->usage(1);
  usage.call = preload::Call::fputs;
  usage.copies = usage.timed_copies = usage.sizes[4] = 10'000'000'000;
  usage.timed_copy_ticks = 1'000'000'000'000;  // timing itself may take more than 20 of 100 ticks
  log_->last_ns = 1'000'000'000;
  usage.bytes = 8 * usage.copies;
  const auto copying_s = [&] { return profile_of_log().uses[0].amount.time.copying_s; };
  const double by_the_costs = copying_s();
  log_->worked_before_ns = 5'000'000'000;
  log_->user_ns = 6'000'000'000;
  EXPECT_GT(by_the_costs, 1);
  EXPECT_LE(copying_s(), 1);
  EXPECT_GT(copying_s(), 0.1);
  log_->user_ns = 3'600'000'000'000;
  EXPECT_EQ(copying_s(), by_the_costs);
}

TEST_F(DamagedLog, HasTheWaitsOfUntimedCallsLikeThoseOfOtherFiles) {
  log_->usage(1).slow_ns = 4'000'000'000;
  EXPECT_EQ(profile_of_log().uses[0].amount.time.sleep_s, 0);
  log_->usages = 3;
  for (const std::uint32_t other : {2u, 3u}) {
    preload::Usage& usage = log_->usage(other);
    usage = log_->usage(1);
    usage.call = other == 2 ? preload::Call::write : preload::Call::read;
    usage.timed_slow_calls = 1;
    usage.timed_slow_ns = usage.slow_ns = 1'000'000;
    usage.timed_slow_cpu_ns = other == 2 ? 750'000 : 0;
    usage.site = usage.file = other;
  }
  EXPECT_NEAR(profile_of_log().uses[0].amount.time.sleep_s, 1, 1e-6);
}

// A print that is timed on its own may seem to take far less time than each of many in a row.
TEST_F(DamagedLog, HasAtLeastTheCostOfNumbersForPrints) {
  preload::Usage& usage = log_->usage(1);
  usage.call = preload::Call::fprintf;
  usage.slow_calls = 0;
  usage.copies = usage.timed_copies = 10'000'000;
  usage.bytes = 4 * usage.copies;
  log_->last_ns = 1'000'000'000;
  const auto ticks = [&](double each) {
    usage.timed_copy_ticks =
        static_cast<std::uint64_t>((each + costs_.of_the_ticks()) * 10'000'000);
    return profile_of_log().uses[0].amount;
  };
  const double numbers_s =
      1e7 * costs_.in_a_row_s(Way::by_the_c_library, usage.call, 4, Sizes::alike);
  usage.sizes[3] = usage.copies;
  EXPECT_GT(numbers_s, 0.01);
  EXPECT_NEAR(ticks(1).time.copying_s, numbers_s, 1e-9);
  EXPECT_NEAR(ticks(1).number_prints_s, numbers_s, 1e-9);
  const double long_ticks = 1000;
  EXPECT_NEAR(ticks(long_ticks).time.copying_s, 1e7 * long_ticks * costs_.tick_s(), 1e-6);
  EXPECT_NEAR(ticks(long_ticks).number_prints_s, numbers_s, 1e-9);
}

// The processor cannot foresee sizes in a random order, so pieces in memory take longer then. The
// costs are those that this process has measured, so no chance decides.
TEST_F(DamagedLog, HasTheCostOfMixedSizes) {
  preload::Usage& usage = log_->usage(1);
  usage.call = preload::Call::fputs;
  usage.copies = usage.timed_copies = 10'000'000;
  usage.timed_copy_ticks = 10'000'000'000;
  log_->last_ns = 1'000'000'000;
  usage.bytes = 8 * usage.copies;
  usage.slow_calls = 0;
  const auto in_memory_s = [&] { return profile_of_log().uses[0].amount.copying_in_memory_s; };
  const auto expected_s = [&](Sizes sizes) {
    return 1e7 * costs_.in_a_row_s(Way::in_memory, preload::Call::fputs, 8, sizes);
  };
  usage.sizes[4] = usage.copies;
  EXPECT_DOUBLE_EQ(in_memory_s(), expected_s(Sizes::alike));
  usage.sizes[3] = usage.copies / 9;
  EXPECT_DOUBLE_EQ(in_memory_s(), expected_s(Sizes::alike)) << "nearly all have one power of two";
  usage.sizes[3] = usage.copies / 2;
  EXPECT_DOUBLE_EQ(in_memory_s(), expected_s(Sizes::mixed));
  EXPECT_NE(expected_s(Sizes::mixed), expected_s(Sizes::alike)) << "two measurements";
}

TEST_F(DamagedLog, HasLocksOnlyOfCallsThatTakeThem) {
  EXPECT_FALSE(profile_of_log().uses[0].amount.takes_locks);
  log_->several_threads = 1;
  EXPECT_TRUE(profile_of_log().uses[0].amount.takes_locks);
  log_->usage(1).unlocked = 1;
  EXPECT_FALSE(profile_of_log().uses[0].amount.takes_locks);
}

TEST_F(DamagedLog, HasFilesThatOthersMayHave) {
  EXPECT_TRUE(profile_of_log().uses[0].amount.is_shared) << "the process has not opened it";
  log_->file(1).opens = 1;
  EXPECT_FALSE(profile_of_log().uses[0].amount.is_shared);
  log_->file(1).shared = 1;
  EXPECT_TRUE(profile_of_log().uses[0].amount.is_shared);
}

TEST_F(DamagedLog, HasNoNamesBeyondItsText) {
  log_->file(1).name = preload::text_bytes;
  log_->modules = 1;
  log_->module(0) = {.begin = 0, .end = 1, .bias = 0, .name = 0xffffffff};
  EXPECT_EQ(profile_of_log().files[0].name, "(unknown)");
}

TEST_F(DamagedLog, HasTextsThatEndWhereTheLogDoes) {
  std::fill(std::begin(log_->texts), std::end(log_->texts), 'x');
  std::fill(std::begin(log_->program), std::end(log_->program), 'y');
  log_->file(1).name = preload::text_bytes - 5;
  log_->modules = 1;
  log_->module(0).name = preload::text_bytes - 1;
  const Profile profile = profile_of_log();
  EXPECT_EQ(profile.files[0].name, "xxxxx");
  EXPECT_EQ(profile.processes[0].program, std::string(sizeof log_->program, 'y'));
}

TEST_F(DamagedLog, HasFilesOfOneNameByTheirKinds) {
  Profile profile;
  for (const unsigned kind : std::initializer_list<unsigned>{S_IFREG, S_IFIFO, S_IFREG, 0}) {
    log_->file(1).kind = kind;
    testing::make_file(path_, {reinterpret_cast<const char*>(log_.get()), sizeof(preload::Log)});
    add_log(profile, path_, costs_, symbols_);
  }
  ASSERT_EQ(profile.files.size(), 2U);
  EXPECT_EQ(profile.files[0].kind, std::uint32_t{S_IFREG});
  EXPECT_EQ(profile.files[1].kind, std::uint32_t{S_IFIFO});
  ASSERT_EQ(profile.uses.size(), 2U);
  EXPECT_EQ(profile.uses[0].threads.size(), 3U);
}

// Machines, and namespaces of processes, give out the same numbers.
TEST_F(DamagedLog, IsOfAProcessOfItsOwn) {
  Profile profile = profile_of_log();
  add_log(profile, path_, costs_, symbols_);
  ASSERT_EQ(profile.uses.size(), 1U);
  EXPECT_EQ(profile.uses[0].threads, (std::set<std::pair<int, std::uint32_t>>{{1, 0}, {2, 0}}));
  EXPECT_EQ(first_process_of(profile, profile.uses[0]), &profile.processes[0]);
}

TEST_F(DamagedLog, CountsInvalidCallsAsOthers) {
  log_->usage(1).call = static_cast<preload::Call>(250);
  EXPECT_EQ(profile_of_log().uses[0].call, preload::Call::other);
}

TEST_F(DamagedLog, GivesItsReadablePartForEveryCut) {
  using preload::Log;
  EXPECT_EQ(profile_of_log(0).empty_logs, 1u);
  for (const std::size_t bytes : {std::size_t{7}, offsetof(Log, near_moments) - 1}) {
    const Profile profile = profile_of_log(bytes);
    EXPECT_TRUE(profile.processes.empty());
    EXPECT_EQ(profile.problems.size(), 1u);
  }
  for (const std::size_t bytes : {offsetof(Log, near_moments), offsetof(Log, far_usages) + 400,
                                  offsetof(Log, texts), sizeof(Log) - 1}) {
    const Profile profile = profile_of_log(bytes);
    EXPECT_EQ(profile.processes.at(0).number, 42);
    EXPECT_EQ(profile.problems.size(), 1u);
  }
}

}  // namespace
}  // namespace sluice::trace
