#include "trace/advice/advice.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

// A process of one second with one thread and one regular file of 1 MiB.
Profile one_second() {
  Profile profile;
  profile.command = {"program"};
  profile.wall_s = 1;
  profile.processes.push_back({.program = "program", .wall_s = 1, .threads = 1, .ended = true});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.sites.emplace_back();
  profile.files.push_back({.name = "file", .opens = 1, .size_bytes = 1 << 20, .kind = S_IFREG});
  return profile;
}

// Threads of one process.
std::set<std::pair<int, std::uint32_t>> threads(std::uint32_t count) {
  std::set<std::pair<int, std::uint32_t>> all;
  for (std::uint32_t i = 0; i < count; ++i) all.emplace(1, i);
  return all;
}

Use& add(Profile& profile, Call call, std::uint64_t calls, std::uint64_t bytes, const Time& time) {
  Use& use = profile.uses.emplace_back(Use{.call = call, .threads = threads(1)});
  use.amount.calls = use.amount.system_calls = calls;
  use.amount.bytes = use.amount.system_bytes = bytes;
  use.amount.time = time;
  return use;
}

constexpr Time slow{.system_s = 0.2, .sleep_s = 0.3};

using Kinds = std::vector<std::string>;

// The report shows a smaller range as a single figure.
bool is_range(const Advice& advice) { return advice.least_s() <= 0.95 * advice.saved_s; }

TEST(Advice, IsRankedByTheSaving) {
  Profile profile = one_second();
  add(profile, Call::fsync, 100, 0, {.sleep_s = 0.1});
  add(profile, Call::write, 100'000, 1'000'000, slow);
  EXPECT_EQ(ids_of(profile), (Kinds{"tiny-writes", "sync-after-each"}));
}

TEST(Advice, CountsTheWorkOfOneCallSiteOnManyFilesAsOne) {
  Profile profile = one_second();
  profile.sites.emplace_back();
  for (int i = 0; i < 50; ++i) {
    profile.files.push_back(profile.files[0]);
    add(profile, Call::write, 1'000, 10'000, {.system_s = i == 7 ? 0.003 : 0.002}).file =
        profile.files.size() - 1;
  }
  Use& elsewhere = add(profile, Call::write, 1'000, 10'000, {.system_s = 0.002});
  elsewhere.site = 1;
  const std::vector<Advice> advice = advice_by_rules(profile);
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_EQ(advice[0].files, 50U);
  EXPECT_EQ(advice[0].use, 7U);
  EXPECT_EQ(advice[0].seen.find("in 50 files; in the first, which costs most: 1,000 calls"), 0U);
  EXPECT_NEAR(advice[0].saved_s, 0.101, 0.001);
  // Other threads worked too, beside the thread that did all of these calls.
  profile.processes[0].system_s = 4;
  EXPECT_NEAR(advice_by_rules(profile)[0].saved_s, 0.101, 0.001);
}

TEST(Advice, DividesTheSavingAmongThreadsThatWorkAtOnce) {
  Profile profile = one_second();
  profile.processes[0].threads = 4;
  profile.processes[0].system_s = 2;
  Use& use = add(profile, Call::write, 100'000, 1'000'000, {.system_s = 1.6});
  use.threads = threads(4);
  EXPECT_NEAR(advice_by_rules(profile)[0].saved_s, 0.8, 0.01);
  use.threads = threads(1);
  EXPECT_NEAR(advice_by_rules(profile)[0].saved_s, 1.6, 0.01);
}

TEST(Advice, GivesARangeForThreadsThatMayOrMayNotWorkAtOnce) {
  Profile profile = one_second();
  profile.processes[0].system_s = 2;
  Use& use = add(profile, Call::write, 100'000, 1'000'000, {.system_s = 1.6});
  use.threads = threads(4);
  EXPECT_NEAR(advice_by_rules(profile)[0].saved_s, 0.8, 0.01);
  EXPECT_NEAR(advice_by_rules(profile)[0].least_saved_s.value(), 0.4, 0.01);
  use.threads = threads(1);
  EXPECT_FALSE(is_range(advice_by_rules(profile)[0]));
}

TEST(Advice, DoubtsWaitingOnABusyMachine) {
  Profile profile = one_second();
  add(profile, Call::write, 100'000, 1'000'000, {.system_s = 0.1, .sleep_s = 0.3});
  EXPECT_FALSE(is_range(advice_by_rules(profile)[0]));
  profile.disturbance = {.others = 0.05, .host = 0.04};
  EXPECT_FALSE(is_range(advice_by_rules(profile)[0]));
  profile.disturbance.host = 0.06;
  EXPECT_NEAR(advice_by_rules(profile)[0].least_saved_s.value(), 0.1, 0.001);
  EXPECT_NEAR(advice_by_rules(profile)[0].saved_s, 0.4, 0.01);
}

TEST(Advice, DoubtsTheTimeThatMayHaveBeenAWaitForAProcessor) {
  Profile profile = one_second();
  profile.processes[0].number = 1;
  profile.processes[0].system_s = 0.125;
  add(profile, Call::write, 100'000, 1'000'000, {.system_s = 0.1, .sleep_s = 0.3});
  const double all = advice_by_rules(profile)[0].saved_s;
  profile.disturbance = {.others = 0.5, .host = 0};
  const auto least_s = [&] {
    const Advice advice = advice_by_rules(profile)[0];
    EXPECT_EQ(advice.saved_s, all) << "it may be that the calls waited for the file";
    return advice.least_saved_s.value();
  };
  profile.processes[0].queued_s = 0.375;
  EXPECT_NEAR(least_s(), 0.1, 1e-6);
  // It hardly waited for processors, so the calls waited for the file.
  profile.processes[0].queued_s = 0.01;
  EXPECT_NEAR(least_s(), 0.39, 1e-6);
  // The profile has left out a part of this.
  profile.uses[0].amount.queued_s = 0.004;
  EXPECT_NEAR(least_s(), 0.394, 1e-6);
  profile.uses[0].amount.queued_s = 0;
  // The other threads' waits are not known.
  profile.processes[0].several_threads = true;
  EXPECT_NEAR(least_s(), 0.1, 1e-6);
  // Nobody knows how long the host let this process wait.
  profile.processes[0].several_threads = false;
  profile.disturbance = {.others = 0, .host = 0.5};
  EXPECT_NEAR(least_s(), 0.1, 1e-6);
}

TEST(Advice, DoubtsNoOtherCallsThanThoseThatMayHaveWaited) {
  Profile profile = one_second();
  add(profile, Call::lseek, 1000, 0, {.system_s = 0.05, .sleep_s = 0.01});
  add(profile, Call::read, 1000, 100'000'000, {.system_s = 0.4});
  const double all = advice_by_rules(profile)[0].saved_s;
  EXPECT_GT(all, 0.4) << "the file is to be kept in memory, which saves the reads too";
  profile.disturbance = {.others = 0, .host = 0.5};
  // A wait for a disk stays, and a wait for a processor was none of the call's.
  EXPECT_NEAR(advice_by_rules(profile)[0].least_saved_s.value(), all - 2 * 0.01, 1e-9);
}

TEST(Advice, PromisesNoMoreThanTheWholeIfThreadsWaitForAProcessor) {
  Profile profile = one_second();
  profile.processes[0].threads = 40;
  profile.processes[0].system_s = 0.4;
  Use& use = add(profile, Call::write, 800'000, 8'000'000, {.system_s = 20, .sleep_s = 1});
  use.threads = threads(40);
  EXPECT_LE(advice_by_rules(profile)[0].saved_s, profile.wall_s);
}

TEST(Advice, IsSilentAboutTinySavings) {
  Profile profile = one_second();
  profile.wall_s = 0.1;
  add(profile, Call::write, 10'000, 100'000, {.system_s = 0.009});
  EXPECT_EQ(ids_of(profile), Kinds{});
  profile.uses[0].amount.time.system_s = 0.011;
  EXPECT_EQ(ids_of(profile), Kinds{"tiny-writes"});
  profile.wall_s = 2;
  EXPECT_EQ(ids_of(profile), Kinds{});
}

TEST(Advice, GivesSynchronousWritesOneReason) {
  Profile profile = one_second();
  profile.files[0].flags = O_DSYNC;
  add(profile, Call::write, 1'000, 30'000, slow);
  EXPECT_EQ(ids_of(profile), Kinds{"synchronous-writes"});
  EXPECT_NEAR(advice_by_rules(profile)[0].saved_s, 0.5, 1e-4) << "the kernel works for each too";
}

TEST(Advice, DoesNotCallLargeWritesRecords) {
  Profile profile = one_second();
  add(profile, Call::write, 20, 21 << 20, slow);
  add(profile, Call::fsync, 20, 0, slow);
  EXPECT_EQ(ids_of(profile), Kinds{});
  profile.files[0].flags = O_SYNC;
  profile.uses.pop_back();
  EXPECT_EQ(ids_of(profile), Kinds{});
}

TEST(Advice, DoesNotAskProcessesToShareAnOpenFile) {
  Profile profile = one_second();
  Use& use = add(profile, Call::open, 1'000, 0, slow);
  EXPECT_EQ(ids_of(profile), Kinds{"reopened"});
  use.threads = threads(500);
  EXPECT_EQ(ids_of(profile), Kinds{});
}

TEST(Advice, DoesNotTakeManyFilesForOne) {
  Profile profile = one_second();
  profile.files[0].is_many = true;
  add(profile, Call::open, 1'000, 0, slow);
  add(profile, Call::fsync, 1'000, 0, slow);
  EXPECT_EQ(ids_of(profile), Kinds{"synced-files"});
}

// A shell's `>> file` for each command.
TEST(Advice, CountsTheCopiesOfDescriptorsThatARedirectionMakes) {
  const auto saved_s = [](std::uint64_t copies, int process) {
    Profile profile = one_second();
    profile.files.resize(2);
    add(profile, Call::open, 1'000, 0, {.system_s = 0.1});
    for (const Call call : {Call::dup, Call::fcntl, Call::close}) {
      Use& use = add(profile, call, copies, 0, {.system_s = 0.05});
      use.file = 1;
      use.threads = {{process, 0}};
    }
    return advice_by_rules(profile).at(0).saved_s;
  };
  EXPECT_NEAR(saved_s(2'000, 1), 0.25 * 0.999, 1e-9);
  EXPECT_NEAR(saved_s(999, 1), 0.1 * 0.999, 1e-9) << "not each opening makes copies";
  EXPECT_NEAR(saved_s(2'000, 7), 0.1 * 0.999, 1e-9) << "another process makes the copies";
}

TEST(Advice, DoesNotCountTheEndOfAFileAsASmallRead) {
  Profile profile = one_second();
  Use& use = add(profile, Call::read, 101, 100 * 4096, slow);
  use.amount.sizes[0] = 1;
  EXPECT_EQ(ids_of(profile), Kinds{"small-buffer"});
}

TEST(Advice, DoesNotCallLargeBuffersSmall) {
  Profile profile = one_second();
  add(profile, Call::fread, 10'000, 10'000 * 16385, slow);
  profile.files[0].size_bytes = 10'000 * 16385;
  EXPECT_EQ(ids_of(profile), Kinds{});
  profile.uses[0].amount.system_bytes = 10'000 * 16384;
  EXPECT_EQ(ids_of(profile), Kinds{"small-buffer"});
}

TEST(Advice, CountsRepeatedReadingByWholeFiles) {
  Profile profile = one_second();
  Use& use = add(profile, Call::read, 24, 3 << 19, slow);
  EXPECT_EQ(ids_of(profile), Kinds{});
  use.amount.system_bytes = use.amount.bytes = 4 << 20;
  EXPECT_EQ(ids_of(profile), Kinds{"read-again"});
  EXPECT_DOUBLE_EQ(advice_by_rules(profile)[0].saved_s, 0.5 * 3 / 4);
}

// Adds 4 KiB for each system call, and a million calls that only copy.
Use& add_small_writes(Profile& profile) {
  Use& use = add(profile, Call::fwrite, 2'000'000, 20'000'000, slow);
  use.amount.system_calls = 5'000;
  use.amount.copies = 1'995'000;
  use.amount.time.copying_s = 0.2;
  use.amount.copying_by_run_s = 0.01;
  return use;
}

// A mended program copies its pieces in memory, or uses them where they are.
TEST(Advice, IsARangeWhereTheMendedProgramMayStillCopy) {
  const auto range = [](Call call) {
    Profile profile = one_second();
    Use& use = add_small_writes(profile);
    use.call = call;
    use.amount.copying_in_memory_s = 0.02;
    use.amount.system_calls = 0;
    profile.files[0].size_bytes = use.amount.bytes;  // the file is read once
    const Advice advice = advice_by_rules(profile)[0];
    return std::pair(advice.least_saved_s.value(), advice.saved_s);
  };
  for (const Call call :
       {Call::fwrite, Call::fputc, Call::fread, Call::fgetc, Call::fputs, Call::getline}) {
    EXPECT_NEAR(range(call).first, 0.7 * 0.18, 1e-9);
    EXPECT_NEAR(range(call).second, call == Call::fputs || call == Call::getline ? 0.18 : 0.2,
                1e-9);
  }
}

// fclose would write what the only flush of each open file has written.
TEST(Advice, SaysNothingAboutOneFlushOfEachOpenedFile) {
  Profile profile = one_second();
  Use& use = add(profile, Call::fflush, 3'000, 0, slow);
  use.amount.system_calls = 3'000;
  use.amount.system_bytes = 150'000;
  profile.files[0].opens = 3'000;
  EXPECT_EQ(ids_of(profile), Kinds{});
  profile.files[0].opens = 300;
  EXPECT_EQ(ids_of(profile), Kinds{"flush-after-each"});
}

// A stream with a buffer of 4 KiB also makes a system call for each piece of 4 KiB.
TEST(Advice, DoesNotTakeCallsAsLargeAsABufferForUnbuffered) {
  Profile profile = one_second();
  Use& use = add(profile, Call::fread, 10'000, 40'000'000, slow);
  use.amount.system_calls = 10'000;
  use.amount.system_bytes = 40'000'000;
  profile.files[0].size_bytes = 40'000'000;
  EXPECT_EQ(ids_of(profile), Kinds{"small-buffer"});
}

// A program that reads large pieces goes past the buffer of stdio, so one change cures both.
TEST(Advice, CuresTinyReadsAndTheirSmallBufferTogether) {
  for (const Call call : {Call::fread, Call::fgets, Call::getline}) {
    Profile profile = one_second();
    Use& use = add(profile, call, 2'000'000, 20'000'000, slow);
    use.amount.system_calls = 5'000;
    use.amount.system_bytes = 20'480'000;
    use.amount.copies = 1'995'000;
    use.amount.copying_by_run_s = 0.01;
    use.amount.time = {.copying_s = 0.2, .system_s = 0.1};
    profile.files[0].size_bytes = 20'000'000;  // the file is read once
    EXPECT_EQ(ids_of(profile), Kinds{"tiny-stdio-reads"});
    const Advice together = advice_by_rules(profile)[0];
    use.amount.system_calls = 0;
    const Advice alone = advice_by_rules(profile)[0];
    EXPECT_NEAR(together.saved_s - alone.saved_s, 0.1 * 2 / 3, 1e-9);
    EXPECT_NEAR(*together.least_saved_s - *alone.least_saved_s, 0.1 * 0.6 / 1.6, 1e-9);
    EXPECT_NE(together.why.find("The kernel is called for each 4 KiB"), std::string::npos);
    EXPECT_EQ(alone.why.find("The kernel is called"), std::string::npos);
  }
}

TEST(Advice, DoesNotOfferRunIfItSavesNextToNothing) {
  Profile profile = one_second();
  add_small_writes(profile).amount.copying_by_run_s = 0.181;
  const Advice advice = advice_by_rules(profile)[0];
  EXPECT_EQ(advice.kind, kinds::tiny_stdio_writes);
  EXPECT_EQ(advice.by, "");
  EXPECT_EQ(advice.fix.find("sluice run"), std::string::npos);
  profile.uses[0].amount.copying_by_run_s = 0.179;
  EXPECT_EQ(advice_by_rules(profile)[0].by, "run");
}

std::vector<std::string> ways(const Profile& profile) {
  std::vector<std::string> ways;
  for (const Advice& advice : advice_by_rules(profile))
    ways.push_back(std::string(advice.kind.id) + ": " + advice.by);
  return ways;
}

TEST(Advice, OffersTheSavingOfRunForTheNumberOfThreads) {
  Profile profile = one_second();
  Use& use = add_small_writes(profile);
  EXPECT_EQ(ways(profile), (Kinds{"tiny-stdio-writes: run", "small-buffer: "}));
  use.amount.takes_locks = true;
  EXPECT_EQ(ways(profile), (Kinds{"tiny-stdio-writes: run --unlocked", "small-buffer: "}));
  use.threads = threads(2);
  profile.processes.push_back(profile.processes[0]);  // the shell that started the program
  profile.moments.push_back(profile.moments[0]);
  EXPECT_EQ(ways(profile), Kinds{"tiny-stdio-writes: "}) << "an array replaces the buffer too";
}

// The use of fwrite has the calls of fwrite_unlocked too, which take no lock.
TEST(Advice, ClaimsNoLockForCallsThatTakeNone) {
  Profile profile = one_second();
  Use& use = add_small_writes(profile);
  EXPECT_EQ(advice_by_rules(profile)[0].why.find("lock"), std::string::npos);
  use.amount.takes_locks = true;
  EXPECT_NE(advice_by_rules(profile)[0].why.find("take the stream's lock"), std::string::npos);
}

TEST(Advice, OffersOnlyWaysThatRunHas) {
  Profile profile = one_second();
  Use& use = add(profile, Call::write, 100'000, 1'000'000, slow);
  EXPECT_EQ(ways(profile), Kinds{"tiny-writes: run --coalesce"});
  for (const auto refuses :
       {&Amount::standard, &Amount::other_code, &Amount::takes_locks, &Amount::is_shared}) {
    use.amount.*refuses = true;
    EXPECT_EQ(ways(profile), Kinds{"tiny-writes: "});
    use.amount.*refuses = false;
  }
  profile.files[0].flags = O_WRONLY | O_APPEND;
  EXPECT_EQ(ways(profile), Kinds{"tiny-writes: "});
  profile.files[0].flags = O_RDWR;
  EXPECT_EQ(ways(profile), Kinds{"tiny-writes: "});
}

// Each call that may look at a file writes out the bytes that are held, so nothing is coalesced.
TEST(Advice, OffersNoCoalescingOfWritesThatOtherCallsKeepApart) {
  for (const Call call : {Call::read, Call::pread, Call::lseek, Call::fflush, Call::fprintf}) {
    Profile profile = one_second();
    profile.files.push_back({.name = "other", .opens = 1, .size_bytes = 0, .kind = S_IFREG});
    add(profile, Call::write, 100'000, 1'000'000, slow);
    Use& other = add(profile, call, 50'000, 0, {});
    other.file = 1;
    EXPECT_EQ(ways(profile), Kinds{"tiny-writes: "});
    EXPECT_TRUE(advice_by_rules(profile)[0].fix.starts_with("Gather small pieces"));
    other.amount.calls = 40'000;
    EXPECT_EQ(ways(profile), Kinds{"tiny-writes: run --coalesce"});
    other.amount.calls = 100'000;
    other.threads = {{2, 0}};  // another process
    EXPECT_EQ(ways(profile), Kinds{"tiny-writes: run --coalesce"});
    other.threads = {{2, 0}, {1, 0}};  // half of the calls are another process's
    EXPECT_EQ(ways(profile), Kinds{"tiny-writes: "});
  }
}

TEST(Advice, OffersCoalescingOfWritesBetweenReadsFromABuffer) {
  Profile profile = one_second();
  profile.files.push_back({.name = "other", .opens = 1, .size_bytes = 0, .kind = S_IFREG});
  add(profile, Call::write, 100'000, 1'000'000, slow);
  Use& reads = add(profile, Call::fgets, 100'000, 1'000'000, {});
  reads.file = 1;
  EXPECT_EQ(ways(profile), Kinds{"tiny-writes: "});
  reads.amount.copies = 99'000;
  EXPECT_EQ(ways(profile), Kinds{"tiny-writes: run --coalesce"});
  add(profile, Call::mmap, 100'000, 0, {});
  EXPECT_EQ(ways(profile), Kinds{"tiny-writes: run --coalesce"});
}

TEST(Advice, OffersNoLargerBufferByRun) {
  Profile profile = one_second();
  Use& use = add(profile, Call::fputs, 200'000, 20'000'000, slow);
  use.amount.system_calls = 5'000;
  EXPECT_EQ(ways(profile), Kinds{"small-buffer: "});
}

TEST(Advice, CountsSeeksThatNeedNoRead) {
  Profile profile = one_second();
  add(profile, Call::fseek, 1'000, 0, {.system_s = 0.4});
  add(profile, Call::fread, 1'000, 8'000, {.system_s = 0.1}).amount.system_calls = 250;
  const std::vector<Advice> advice = advice_by_rules(profile);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].kind.id, "seek-before-read");
  EXPECT_DOUBLE_EQ(advice[0].saved_s, 0.5 - 1e-9 * (1 << 20)) << "all but reading it once";
  EXPECT_DOUBLE_EQ(advice[0].run_saves_s.value(), 0.4 * 0.75 * 0.75);
  EXPECT_EQ(ways(profile), Kinds{"seek-before-read: run"});
  profile.uses[0].amount.takes_locks = true;
  EXPECT_EQ(ways(profile), Kinds{"seek-before-read: "});
}

// glibc reads right after a seek. So the second system call belongs to the seek too.
TEST(Advice, OffersPreadInsteadOfRunIfSeeksLeaveTheBuffer) {
  Profile profile = one_second();
  add(profile, Call::fseek, 1'000, 0, {.system_s = 0.4}).amount.system_calls = 2'000;
  add(profile, Call::fread, 1'000, 8'000, {.system_s = 0.1}).amount.system_calls = 0;
  EXPECT_EQ(ways(profile), Kinds{"seek-before-read: "});
  EXPECT_TRUE(advice_by_rules(profile)[0].fix.starts_with("Read the whole file"));
  profile.files[0].size_bytes = std::uint64_t{1} << 30;  // too large to be kept in memory
  const Advice advice = advice_by_rules(profile)[0];
  EXPECT_DOUBLE_EQ(advice.saved_s, 0.4 * 0.5);
  EXPECT_TRUE(advice.fix.starts_with("Use pread"));
}

TEST(Advice, SaysNothingElseAboutReadingAFileThatIsToBeKeptInMemory) {
  Profile profile = one_second();
  add(profile, Call::fseek, 1'000, 0, {.system_s = 0.4});
  Use& reads = add(profile, Call::fread, 1'000, 8'000, {.system_s = 0.1});
  reads.amount.system_bytes = 4 << 20;  // four times the file
  EXPECT_EQ(ids_of(profile), Kinds{"seek-before-read"});
  profile.files.push_back({.name = "other", .opens = 1, .size_bytes = 1 << 20, .kind = S_IFREG});
  profile.uses[1].file = 1;
  EXPECT_EQ(ids_of(profile), (Kinds{"unbuffered-stream", "read-again"}));
}

TEST(Advice, CountsTheWorkOfManyPlacesOnOneFileAsOne) {
  Profile profile = one_second();
  for (std::size_t i = 0; i < 19; ++i) {
    profile.sites.emplace_back();
    add(profile, i % 2 == 0 ? Call::write : Call::writev, 1'000, 10'000, {.system_s = 0.004}).site =
        i + 1;
  }
  const std::vector<Advice> advice = advice_by_rules(profile);
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_EQ(advice[0].places, 19U);
  EXPECT_EQ(advice[0].files, 1U);
  EXPECT_EQ(advice[0].seen.find("at 19 places; at the first, which costs most: 1,000 calls"), 0U);
  EXPECT_NEAR(advice[0].saved_s, 19 * 0.004, 0.001);
}

// A place that writes two files makes these files, and their other places, one cause.
TEST(Advice, FollowsACauseFromFileToFile) {
  Profile profile = one_second();
  profile.files.push_back(profile.files[0]);
  profile.files.push_back(profile.files[0]);
  for (const auto& [site, file] : {std::pair(0, 0), {1, 0}, {1, 1}, {2, 2}}) {
    profile.sites.emplace_back();
    Use& use = add(profile, Call::write, 10'000, 100'000, {.system_s = 0.02});
    use.site = static_cast<std::size_t>(site);
    use.file = static_cast<std::size_t>(file);
  }
  const std::vector<Advice> advice = advice_by_rules(profile);
  ASSERT_EQ(advice.size(), 2U);
  EXPECT_EQ((std::pair(advice[0].places, advice[0].files)), (std::pair(2UL, 2UL)));
  EXPECT_EQ(advice[0].seen.find("at 2 places and in 2 files; at the first, which costs most: "),
            0U);
  EXPECT_EQ((std::pair(advice[1].places, advice[1].files)), (std::pair(1UL, 1UL)));
}

TEST(Advice, OffersNoLargerBufferForAStreamThatSeeks) {
  Profile profile = one_second();
  Use& use = add(profile, Call::fread, 2'000'000, 20'000'000, slow);
  use.amount.system_calls = 5'000;
  profile.files[0].size_bytes = 20'000'000;
  add(profile, Call::fseek, 300, 0, {});
  EXPECT_EQ(ids_of(profile), Kinds{"small-buffer"});
  profile.uses[1].amount.calls = 400;
  EXPECT_EQ(ids_of(profile), Kinds{});
}

TEST(Advice, OffersNoLargerReadsOfFilesThatAreReadOnce) {
  Profile profile = one_second();
  profile.files[0].opens = 10'000;
  Use& use = add(profile, Call::read, 20'000, 10'000 * 256, slow);
  use.amount.sizes[0] = 10'000;  // they found the end
  profile.files[0].size_bytes = use.amount.bytes;
  EXPECT_EQ(ids_of(profile), Kinds{});
  profile.files[0].opens = 1;
  EXPECT_EQ(ids_of(profile), Kinds{"tiny-reads"});
}

}  // namespace
}  // namespace sluice::trace
