// Advice about programs that use a file in another order than from its start to its end.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "trace/advice/situation.h"
#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

Profile with_file(std::uint64_t size_bytes, std::uint64_t opens) {
  Profile profile = one_second();
  profile.files.push_back(
      {.name = "/f/file", .opens = opens, .size_bytes = size_bytes, .kind = S_IFREG});
  return profile;
}

Amount& add(Profile& profile, Call call, std::uint64_t calls, std::uint64_t bytes,
            double system_s) {
  return add_calls(profile, call, calls, bytes, system_s).amount;
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
  EXPECT_FALSE(has_advice(state(true), "temporary-files"));
}

// Keeping the state saves its reads too.
TEST(WholeFileRules, DoNotAskToKeepAStateTwice) {
  for (const bool remains : {true, false}) {
    Profile profile = state(remains);
    profile.uses[2].amount.time.system_s = 0.3;
    EXPECT_FALSE(has_advice(profile, "read-again"));
    Profile unwritten = profile;
    unwritten.uses.erase(unwritten.uses.begin() + 1);
    EXPECT_TRUE(has_advice(unwritten, "read-again"));
  }
}

// A monitor reads the state of another program again and again.
TEST(WholeFileRules, LetAnotherProcessReadAState) {
  Profile profile = with_file(100, 10'100);
  profile.files[0].remains = true;
  add(profile, Call::open, 5'000, 0, 0.02);
  add(profile, Call::write, 5'000, 500'000, 0.02);
  add(profile, Call::read, 50, 5'000, 0.0001);
  add_process(profile);
  profile.sites.push_back({.frames = {{"monitor", "", "/usr/local/bin/monitor"}}});
  for (const Call call : {Call::open, Call::read, Call::close}) {
    Use& use = add_calls(profile, call, 5'000, call == Call::read ? 500'000 : 0, 0.1);
    use.site = 1;
    use.threads = {{2, 0}};
  }
  EXPECT_TRUE(has_advice(profile, "kept-state"));
  EXPECT_TRUE(has_advice(profile, "read-again"));
}

TEST(WholeFileRules, DoNotClaimThatAFileIsRemoved) {
  const Advice advice = advice_with(state(false), "temporary-files");
  EXPECT_EQ(advice.why.find("remove"), std::string::npos);
}

TEST(WholeFileRules, LeaveALockedFileToOtherProcesses) {
  for (const bool remains : {true, false}) {
    Profile profile = state(remains);
    add(profile, Call::flock, 20'000, 0, 0.02);
    EXPECT_FALSE(has_advice(profile, "kept-state"));
    EXPECT_FALSE(has_advice(profile, "temporary-files"));
    EXPECT_EQ(ids_of(profile), std::vector<std::string>{"locked-for-each"});
    profile.files[0].size_bytes = 4096;
    EXPECT_TRUE(has_advice(profile, "reopened")) << "as large as a database";
  }
}

// Thousands of files, each with a seek and a read.
TEST(WholeFileRules, KeepNoManyFilesInMemory) {
  Profile profile = with_file(0, 10'000);
  add(profile, Call::fseek, 50'000, 0, 0.1);
  add(profile, Call::fread, 50'000, 5'000'000, 0.1);
  EXPECT_TRUE(has_advice(profile, "seek-before-read"));
  profile.files[0].is_many = true;
  EXPECT_FALSE(has_advice(profile, "seek-before-read"));
}

// Fortran's direct access: its buffer is filled anew after each seek.
TEST(WholeFileRules, SayWhatEachReadAfterASeekTakes) {
  Profile profile = with_file(800'000, 1);
  add(profile, Call::lseek, 100'000, 0, 0.01);
  add(profile, Call::read, 100'000, 100'000ULL * 112 * 1024, 0.5);
  EXPECT_EQ(advice_with(profile, "seek-before-read").why,
            "For each seek, 112 KiB are read from the kernel. The reads take 0.500 s, and the "
            "seeks themselves 0.010 s.");
}

TEST(WholeFileRules, SayForHowMuchEachReadAfterASeekIs) {
  Profile profile = with_file(800'000, 1);
  add(profile, Call::fseek, 10'000, 0, 0.01);
  Amount& reads = add(profile, Call::fread, 10'000, 10'000ULL * 4096, 0.02);
  reads.bytes = 80'000;
  EXPECT_EQ(advice_with(profile, "seek-before-read").why,
            "For each seek, 4 KiB are read from the kernel, of which the program uses 8 bytes. "
            "The reads take 0.020 s, and the seeks themselves 0.010 s.");
  reads.time.system_s = 0.005;
  EXPECT_TRUE(advice_with(profile, "seek-before-read").why.starts_with("Each seek is a system"));
  reads.system_calls = 5'000;
  EXPECT_TRUE(advice_with(profile, "seek-before-read").why.starts_with("glibc asks the kernel"));
}

// A program of Lua reads byte by byte, and most of it from the buffer.
TEST(WholeFileRules, SayThatReadsTakeLongerThanTheSeeksBetweenThem) {
  Profile profile = with_file(3'400'000, 1);
  add(profile, Call::fseek, 160'000, 0, 0.025).system_calls = 160'000;
  Amount& reads = add(profile, Call::fread, 3'500'000, 3'500'000, 0.002);
  reads.system_calls = 872;
  reads.time.copying_s = 0.082;
  const std::string why = advice_with(profile, "seek-before-read").why;
  EXPECT_TRUE(why.ends_with(" The reads take 0.084 s, and the seeks themselves 0.025 s.")) << why;
  EXPECT_TRUE(why.starts_with("glibc asks the kernel")) << why;
}

TEST(WholeFileRules, OfferNoBlocksForReadsAtFarPlaces) {
  Profile profile = with_file(1'000'000, 1);
  add(profile, Call::pread, 250'000, 1'000'000, 0.3).far_calls = 125'000;
  EXPECT_TRUE(advice_with(profile, "scattered-reads").fix.starts_with("Read the whole file"));
  profile.files[0].size_bytes = 1'000'000'000;
  EXPECT_TRUE(advice_with(profile, "scattered-reads").fix.starts_with("Map the file"));
  profile.uses[0].amount.far_calls = 124'999;
  EXPECT_TRUE(advice_with(profile, "tiny-reads").fix.starts_with("Read 64 KiB"));
  profile.uses[0].call = Call::read;
  Amount& seeks = add(profile, Call::lseek, 250'000, 0, 0);
  EXPECT_TRUE(advice_with(profile, "tiny-reads").fix.starts_with("Read 64 KiB"));
  seeks.far_calls = 125'000;
  EXPECT_TRUE(has_advice(profile, "scattered-reads"));
}

TEST(WholeFileRules, OfferNoBufferForWritesAtFarPlaces) {
  Profile profile = with_file(200'000'000, 1);
  add(profile, Call::pwrite, 120'000, 960'000, 0.2);
  EXPECT_TRUE(has_advice(profile, "tiny-writes"));
  profile.uses[0].amount.far_calls = 60'000;
  EXPECT_FALSE(has_advice(profile, "tiny-writes"));
}

TEST(WholeFileRules, FindSmallCopiesFromFileToFile) {
  for (const Call call : {Call::sendfile, Call::copy_file_range}) {
    Profile profile = with_file(6'400'000, 1);
    add(profile, call, 100'000, 6'400'000, 0.1);
    EXPECT_NEAR(advice_with(profile, "tiny-copies").saved_s, 0.0974, 1e-3);
    Profile large = with_file(640'000'000, 1);
    add(large, call, 100'000, 640'000'000, 0.1);
    EXPECT_FALSE(has_advice(large, "tiny-copies"));
  }
}

TEST(WholeFileRules, TellAStreamWithoutABufferFromAFlush) {
  Profile profile = with_file(270'000, 1);
  profile.sites[0].by_iostream = true;
  Amount& writes = add(profile, Call::writev, 100'000, 270'000, 0.1);
  writes.paired_calls = 100'000;
  writes.last_piece_bytes = 270'000;
  EXPECT_NE(advice_with(profile, "stream-without-buffer").fix.find("pubsetbuf(nullptr, 0)"),
            std::string::npos);
  profile.uses[0].amount.last_piece_bytes = 1'000;
  EXPECT_TRUE(has_advice(profile, "tiny-writes"));
}

// The pieces go past the buffer of the stream, and a larger one changes nothing.
TEST(WholeFileRules, GatherLargePiecesBeforeAStreamGetsThem) {
  using Case = std::pair<std::uint64_t, const char*>;
  for (const auto& [bytes, kind] : {Case{1'500, "tiny-writes"}, Case{4'096, "small-buffer"}}) {
    Profile profile = with_file(100'000 * bytes, 1);
    profile.sites[0].by_iostream = true;
    Amount& writes = add(profile, Call::writev, 100'000, 100'000 * bytes, 0.1);
    writes.paired_calls = 100'000;
    writes.last_piece_bytes = 100'000 * bytes;
    const Advice advice = advice_with(profile, kind);
    EXPECT_NE(advice.why.find("a piece of 1 KiB or more"), std::string::npos) << advice.why;
    EXPECT_NE(advice.fix.find("Append the pieces"), std::string::npos) << advice.fix;
    profile.uses[0].amount.last_piece_bytes = 100'000 * 1'000;
    EXPECT_EQ(advice_with(profile, kind).fix.find("Append the pieces"), std::string::npos);
  }
}

TEST(WholeFileRules, LeaveFilesWithNextToNoSavingOutOfTheCount) {
  Profile profile = with_file(1'000'000, 1);
  profile.files.push_back(profile.files[0]);
  add(profile, Call::read, 250'000, 1'000'000, 0.1);
  add(profile, Call::read, 200, 800, 0.0001);
  profile.uses[1].file = 1;
  EXPECT_EQ(advice_with(profile, "tiny-reads").files, 1U);
  profile.uses[1].amount.time.system_s = 0.01;
  EXPECT_EQ(advice_with(profile, "tiny-reads").files, 2U);
}

TEST(WholeFileRules, PromiseNoMoreThanTheTimeWithoutTheTrace) {
  Profile profile = with_file(1'000'000, 1);
  add(profile, Call::read, 2'000'000, 8'000'000, 0.9);
  const auto most_s = [&] {
    double most = 0;
    for (const Advice& advice : advice_for(profile)) most = std::max(most, advice.saved_s);
    return most;
  };
  EXPECT_NEAR(most_s(), 1 - 0.2, 1e-9);
  profile.start_cost = {.plain_s = 0.1, .begun_s = 0.2};  // of each process
  EXPECT_NEAR(most_s(), 1 - 0.2 - 0.1, 1e-9);
}

// On a busy machine the program lasts longer than it works and waits for its files.
TEST(WholeFileRules, PromiseNoMoreThanTheTimeOnAnIdleMachine) {
  Profile profile = with_file(1'000'000, 1);
  profile.wall_s = 5;
  add(profile, Call::read, 200'000, 800'000, 0.9);
  profile.uses[0].amount.time.sleep_s = 0.2;
  const auto most_s = [&] {
    double most = 0;
    for (const Advice& advice : advice_for(profile)) most = std::max(most, advice.saved_s);
    return most;
  };
  EXPECT_GT(most_s(), 1.3) << "the process was killed, and left no times";
  profile.processes[0].ended = true;
  profile.processes[0].user_s = 0.1;
  profile.processes[0].system_s = 1;
  EXPECT_LE(most_s(), 1.3);
  EXPECT_GT(most_s(), 1.2);
}

TEST(WholeFileRules, CountSyncsOfLargeRecordsAsFarAsTheBytesDoNotTakeTheTime) {
  Profile profile = with_file(100'000'000, 1);
  add(profile, Call::write, 100, 52'428'800, 0);
  add(profile, Call::fsync, 100, 0, 0).time.sleep_s = 0.2;
  EXPECT_NEAR(advice_with(profile, "sync-after-each").saved_s, 0.1, 0.002) << "half a MiB each";
  profile.uses[0].amount.system_bytes *= 2;
  EXPECT_FALSE(has_advice(profile, "sync-after-each"));
}

TEST(WholeFileRules, LeaveSingleSeeksAlone) {
  Profile profile = with_file(1'000'000, 1);
  add(profile, Call::lseek, 9, 0, 0.1);
  add(profile, Call::read, 9, 900'000, 0.1);
  EXPECT_FALSE(has_advice(profile, "seek-before-read"));
  profile.uses[0].amount.calls = 10;
  EXPECT_TRUE(has_advice(profile, "seek-before-read"));
}

TEST(WholeFileRules, KeepValuesThatAreReadBack) {
  Profile profile = with_file(0, 2);
  profile.sites[0].by_iostream = true;
  add(profile, Call::write, 400, 3'500'000, 0.02).work_before_s = 0.1;
  add(profile, Call::read, 430, 3'500'000, 0.01).work_before_s = 0.2;
  add(profile, Call::unlink, 1, 0, 0);
  Advice advice = advice_with(profile, "read-back");
  EXPECT_NEAR(*advice.least_saved_s, 0.03, 1e-9);
  EXPECT_NEAR(advice.saved_s, 0.33, 1e-9) << "the text of the values";
  profile.sites[0].by_iostream = false;
  EXPECT_NEAR(advice_with(profile, "read-back").saved_s, 0.03, 1e-9);
  profile.uses[1].amount.system_bytes = 3'000'000;
  EXPECT_FALSE(has_advice(profile, "read-back")) << "a part is never read";
  profile.uses[1].amount.system_bytes = 3'500'000;
  profile.files[0].remains = true;
  EXPECT_FALSE(has_advice(profile, "read-back")) << "it may be the result";
}

// A compiler writes what the assembler reads. A program may read a file to check it, and then give
// it its name.
TEST(WholeFileRules, KeepNoValuesForAnotherProcessAndNoResults) {
  Profile profile = with_file(0, 2);
  add(profile, Call::write, 400, 3'500'000, 0.02);
  add(profile, Call::read, 430, 3'500'000, 0.01);
  EXPECT_FALSE(has_advice(profile, "read-back")) << "a script may rename it";
  add(profile, Call::unlink, 1, 0, 0);
  profile.uses[1].threads = {{2, 0}};
  profile.uses[2].threads = {{1, 0}, {2, 0}};
  EXPECT_FALSE(has_advice(profile, "read-back")) << "another process reads it";
  profile.uses[1].threads = {{1, 5}};
  EXPECT_TRUE(has_advice(profile, "read-back")) << "another thread reads it";
  profile.uses.pop_back();
  profile.files[0].name = "/tmp/#123 (deleted)";
  EXPECT_TRUE(has_advice(profile, "read-back"));
}

// A program takes 32 bytes of each block of a file of 200 MB.
TEST(WholeFileRules, ReadNoLargeFileForAFewOfItsBytes) {
  Profile profile = with_file(200'000'000, 1);
  add(profile, Call::fseek, 50'000, 0, 0.06);
  add(profile, Call::fread, 50'000, 1'600'000, 0.06).system_calls = 25'000;
  EXPECT_TRUE(advice_with(profile, "seek-before-read").fix.starts_with("Use pread"));
  profile.uses[1].amount.system_calls = 50'000;
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"seek-before-read"}) << "no larger buffer";
  profile.uses[1].amount.system_bytes = 50'000 * 4096ULL;
  const double copies_s = 0.06 * (1 - share_of_calls(4096));
  EXPECT_NEAR(advice_with(profile, "seek-before-read").saved_s, 0.06 + copies_s * (1 - 32.0 / 4096),
              1e-4);
  profile.uses[1].amount.system_calls = 25'000;
  profile.files[0].size_bytes = 100'000'000;
  EXPECT_TRUE(advice_with(profile, "seek-before-read").fix.starts_with("Read the whole file"));
}

// The program takes a number from a file, under its lock.
TEST(WholeFileRules, TakeManyNumbersUnderOneLock) {
  Profile profile = with_file(100, 10'000);
  add(profile, Call::open, 10'000, 0, 0.1);
  add(profile, Call::flock, 20'000, 0, 0.05).time.sleep_s = 0.3;
  add(profile, Call::pread, 10'000, 1'000'000, 0.05);
  add(profile, Call::pwrite, 10'000, 100'000, 0.06);
  ASSERT_EQ(ids_of(profile), std::vector<std::string>{"locked-for-each"});
  const Advice advice = advice_with(profile, "locked-for-each");
  EXPECT_NEAR(advice.saved_s, 0.26 * 0.99, 1e-4) << "without the waits for others";
  EXPECT_NE(advice.fix.find("a block of 100 numbers"), std::string::npos) << advice.fix;
  EXPECT_NE(advice.fix.find("survives a crash"), std::string::npos) << advice.fix;
  EXPECT_EQ(advice.seen,
            "20,000 locks and unlocks; 97.7 KiB were written over the 100 bytes of the file");
  const auto has_block = [](const Profile& changed) {
    const std::vector<Advice> all = advice_by_rules(changed);
    return std::ranges::any_of(
        all, [](const Advice& each) { return each.fix.find("a block") != std::string::npos; });
  };
  EXPECT_TRUE(has_block(profile));
  for (const Call call : {Call::pread, Call::open, Call::ftruncate}) {
    Profile more = profile;
    add(more, call, 10'001, 0, 0.01);
    EXPECT_FALSE(has_block(more)) << "not under the lock, or see cut_each_time";
  }
  profile.uses[2].call = Call::read;
  add(profile, Call::lseek, 20'000, 0, 0.1);
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"locked-for-each"}) << "the seeks too";
}

// Two processes change parts of one file, under its lock.
TEST(WholeFileRules, KeepNoFileInMemoryThatOthersChange) {
  Profile profile = with_file(4096, 1);
  add(profile, Call::flock, 20'000, 0, 0.05);
  add(profile, Call::pread, 10'000, 1'000'000, 0.05);
  add(profile, Call::pwrite, 10'000, 100'000, 0.05);
  EXPECT_TRUE(has_advice(profile, "read-again"));
  for (Use& use : profile.uses) use.threads.emplace(2, 0);
  add_process(profile);
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"locked-for-each"});
  profile.moments[1].start_ns = 2'000'000'000;
  EXPECT_TRUE(has_advice(profile, "read-again")) << "one after the other";
  profile.moments[1].start_ns = 0;
  profile.uses[0].amount.calls = 2;
  EXPECT_TRUE(has_advice(profile, "read-again")) << "locked once by each";
}

// A program asks each line for its position. The C library does not know it.
TEST(WholeFileRules, SeeQuestionsForThePositionOfAStream) {
  Profile profile = with_file(10'000'000, 1);
  add(profile, Call::ftell, 100'000, 0, 0.1);
  add(profile, Call::fgets, 100'000, 10'000'000, 0.01).system_calls = 2'500;
  const Advice advice = advice_with(profile, "asked-positions");
  EXPECT_TRUE(advice.fix.starts_with("Call fseek(stream, 0, SEEK_CUR)")) << advice.fix;
  EXPECT_NEAR(advice.saved_s, 0.1, 1e-9);
  profile.files[0].flags = O_APPEND;
  EXPECT_TRUE(advice_with(profile, "asked-positions").fix.starts_with("Count the bytes"));
  profile.uses[0].amount.system_calls = 100;
  EXPECT_FALSE(has_advice(profile, "asked-positions")) << "the C library knows the position";
  profile.uses[0].amount.copies = 99'900;
  profile.uses[0].amount.time.copying_s = 0.06;
  const Advice known = advice_with(profile, "asked-positions");
  EXPECT_NEAR(known.saved_s, 0.06, 1e-9);
  EXPECT_NEAR(known.least_s(), 0.03, 1e-9);
  EXPECT_TRUE(known.why.starts_with("Each question takes the lock")) << known.why;
  add(profile, Call::fseek, 50'001, 0, 0);
  EXPECT_FALSE(has_advice(profile, "asked-positions")) << "it asks where its seeks have led";
}

// A piece at a random place of a large file.
TEST(WholeFileRules, MapNoLargeFileForAFewOfItsPages) {
  Profile profile = with_file(300'000'000, 1);
  Amount& reads = add(profile, Call::pread, 60'000, 60'000 * 64, 0.04);
  reads.far_calls = 60'000;
  EXPECT_TRUE(only_advice(profile).fix.starts_with("If most of the pieces lie in the same pages"));
  EXPECT_EQ(only_advice(profile).least_s(), 0);
  profile.sites[0].frames[0].module = "/usr/bin/python3.11";
  EXPECT_TRUE(advice_by_rules(profile).empty());
  profile.files[0].size_bytes = 2'000'000;
  EXPECT_EQ(only_advice(profile).kind.id, "tiny-reads");
  profile.sites[0].frames[0].module = "/usr/bin/program";
  const double before_s = only_advice(profile).least_s();
  EXPECT_EQ(only_advice(profile).kind.id, "scattered-reads");
  profile.uses[0].amount.time = {.system_s = 0.02, .sleep_s = 0.02};
  EXPECT_LT(only_advice(profile).least_s(), 0.6 * before_s) << "the disk is waited for in any case";
}

// Each seek fills a buffer of 8 KiB anew, for a few bytes of a large file.
TEST(WholeFileRules, ReadPiecesOfALargeFileInTheTermsOfTheLanguage) {
  Profile profile = with_file(300'000'000, 1);
  add(profile, Call::lseek, 60'000, 0, 0.02);
  add(profile, Call::read, 60'000, 60'000 * 8192ULL, 0.08).work_before_s = 1;
  EXPECT_NEAR(advice_with(profile, "seek-before-read").saved_s, 0.02, 1e-9);
  profile.sites[0].by_iostream = true;
  EXPECT_NE(advice_with(profile, "seek-before-read").fix.find("pubsetbuf"), std::string::npos);
  EXPECT_NEAR(advice_with(profile, "seek-before-read").least_s(), 0.02, 1e-9);
  EXPECT_GT(advice_with(profile, "seek-before-read").saved_s, 0.05) << "and the buffers";
  profile.uses[1].amount.system_bytes *= 8;
  EXPECT_NEAR(advice_with(profile, "seek-before-read").saved_s, 0.02, 1e-9) << "no buffer";
  profile.uses[1].amount.system_bytes /= 8;
  profile.sites[0].by_iostream = false;
  profile.sites[0].frames[0].module = "/usr/bin/python3.11";
  EXPECT_NE(advice_with(profile, "seek-before-read").fix.find("`os.pread("), std::string::npos);
  EXPECT_EQ(advice_with(profile, "seek-before-read").fix.find("file.read()"), std::string::npos);
  profile.sites[0].frames[0].module = "/usr/bin/perl";
  EXPECT_NE(advice_with(profile, "seek-before-read").fix.find("sysread"), std::string::npos);
  EXPECT_EQ(advice_with(profile, "seek-before-read").least_s(), 0) << "it still seeks";
  profile.sites[0].frames[0].module = "/usr/bin/lua5.4";
  EXPECT_FALSE(has_advice(profile, "seek-before-read")) << "it has no pread";
  profile.files[0].size_bytes = 1'000'000;
  EXPECT_TRUE(has_advice(profile, "seek-before-read"));
  profile.uses[0].amount.time.sleep_s = profile.uses[1].amount.time.sleep_s = 0.1;
  const Advice cold = advice_with(profile, "seek-before-read");
  EXPECT_LT(cold.least_s(), 0.1) << "a disk is waited for in any case";
  EXPECT_GT(cold.saved_s, 0.29);
}

// Python's open and read each ask for the position.
TEST(WholeFileRules, LeaveTheSeeksOfALanguageAlone) {
  Profile profile = with_file(2'000'000, 300);
  profile.sites[0].frames[0].module = "/usr/bin/python3.11";
  add(profile, Call::open, 300, 0, 0.01);
  add(profile, Call::lseek, 600, 0, 0.05);
  add(profile, Call::read, 600, 600 * 8192, 0.1);
  EXPECT_FALSE(has_advice(profile, "seek-before-read"));
  profile.uses[1].amount.calls = profile.uses[1].amount.system_calls = 601;
  EXPECT_TRUE(has_advice(profile, "seek-before-read"));
}

// Near seeks that stay in the buffer of a large file.
TEST(WholeFileRules, DoNotReadByPreadWhatAStreamHas) {
  Profile profile = with_file(300'000'000, 1);
  add(profile, Call::fseek, 1'000'000, 0, 0.3);
  add(profile, Call::fread, 1'000'000, 4'000'000, 0.05).system_calls = 1'000;
  const Advice advice = advice_with(profile, "seek-before-read");
  EXPECT_TRUE(advice.fix.starts_with("Keep the last bytes that the program has read"))
      << advice.fix;
  EXPECT_EQ(advice.by, "run");
}

// The bytes that a program changes in memory are lost if it crashes.
TEST(WholeFileRules, WarnOfACrashIfAFileIsChangedInMemory) {
  for (const char* const module : {"/usr/bin/program", "/usr/bin/python3.11"}) {
    Profile profile = with_file(100'000, 1);
    profile.sites[0].frames[0].module = module;
    profile.files[0].flags = O_RDWR;
    add(profile, Call::lseek, 20'000, 0, 0.1);
    add(profile, Call::read, 20'000, 20'000 * 4096ULL, 0.2).work_before_s = 0.1;
    add(profile, Call::write, 1'000, 8'000, 0);
    const Advice advice = advice_with(profile, "seek-before-read");
    EXPECT_TRUE(advice.keeps_file);
    EXPECT_NE(advice.fix.find("crash"), std::string::npos) << advice.fix;
    profile.uses.pop_back();
    const Advice reading = advice_with(profile, "seek-before-read");
    EXPECT_EQ(reading.fix.find("crash"), std::string::npos) << reading.fix;
  }
}

// A program seeks before it reads a record, and again before it writes it back. Only the second
// seek stays in the buffer.
TEST(WholeFileRules, KeepAFileInMemoryForAllItsSeeks) {
  Profile profile = with_file(1'000'000, 1);
  profile.files[0].flags = O_RDWR;
  add(profile, Call::fseek, 100'000, 0, 0.2);
  add(profile, Call::fseek, 100'000, 0, 0.1);
  profile.uses[0].amount.system_calls = 400'000;
  profile.uses[1].site = 1;
  profile.sites.push_back(profile.sites[0]);
  profile.sites[0].frames[0].source = "bank.c:15";
  profile.sites[1].frames[0].source = "bank.c:17";
  Amount& reads = add(profile, Call::fread, 100'000, 6'400'000, 0.1);
  reads.system_bytes = 100'000 * 4096ULL;
  reads.system_calls = 1'500;
  add(profile, Call::fwrite, 100'000, 6'400'000, 0.1);
  ASSERT_EQ(ids_of(profile), std::vector<std::string>{"seek-before-read"});
  EXPECT_EQ(advice_with(profile, "seek-before-read").places, 2U);
  profile.sites[1].frames[0].module = "/usr/bin/python3.11";
  EXPECT_EQ(ids_of(profile).size(), 2U) << "each has its own words";
}

TEST(WholeFileRules, DoNotReadMoreForAPieceAtAPosition) {
  Profile profile = with_file(100'000'000, 1);
  Amount& reads = add(profile, Call::pread, 20'000, 81'920'000, 0.3);
  EXPECT_TRUE(has_advice(profile, "small-buffer"));
  profile.uses[0].call = Call::pwrite;
  EXPECT_TRUE(has_advice(profile, "small-buffer"));
  for (const Call call : {Call::pread, Call::pwrite}) {
    profile.uses[0].call = call;
    reads.far_calls = 10'000;
    EXPECT_FALSE(has_advice(profile, "small-buffer"));
  }
}

TEST(WholeFileRules, LeaveTheCopiesToAProgramThatReadsAFileAgain) {
  Profile profile = with_file(8'192'000, 1);
  add(profile, Call::pread, 20'000, 81'920'000, 0.3);
  const Advice advice = advice_with(profile, "read-again");
  EXPECT_NEAR(advice.saved_s, 0.27, 1e-9);
  EXPECT_NEAR(*advice.least_saved_s, 0.10, 0.01) << "most of a call of 4 KiB is a copy";
}

// Larger reads, and reads of what is kept, save the same calls.
TEST(WholeFileRules, TellOneWayToFewerReads) {
  const auto told_of = [](std::uint64_t size_bytes) {
    Profile profile = with_file(size_bytes, 1);
    add(profile, Call::pread, 1'000'000, 16'000'000, 0.3);
    std::set<std::string> ids;
    for (const Advice& advice : advice_by_rules(profile)) ids.emplace(advice.kind.id);
    return ids;
  };
  EXPECT_EQ(told_of(4'000'000), std::set<std::string>{"tiny-reads"});
  EXPECT_EQ(told_of(1'000), std::set<std::string>{"read-again"}) << "and works on the bytes again";
}

// Perl's Tie::File seeks and reads for each line. Its calls take 5 ms, and its code 0.1 s.
TEST(WholeFileRules, FindReadsWhoseWorkIsMostOfTheTime) {
  Profile profile = with_file(80'000, 1);
  profile.sites[0].frames[0].module = "/usr/bin/perl";
  profile.processes[0].user_s = 0.9;
  add(profile, Call::lseek, 4'000, 0, 0.002).work_before_s = 0.4;
  add(profile, Call::read, 4'000, 30'000'000, 0.003);
  EXPECT_TRUE(ids_of(profile).empty()) << "the program may work for each record";
  profile.files.push_back({.name = "/usr/share/perl/5.36.0/Tie/File.pm", .kind = S_IFREG});
  add(profile, Call::read, 7, 57'344, 0);
  profile.uses.back().file = 1;
  EXPECT_TRUE(ids_of(profile).empty()) << "a file that is only read is none of Tie::File";
  profile.files[0].flags = O_RDWR;
  const Advice advice = advice_with(profile, "seek-before-read");
  EXPECT_TRUE(advice.fix.find("Tie::File") != std::string::npos) << advice.fix;
  EXPECT_TRUE(advice.seen.ends_with("which read 375 times its size")) << advice.seen;
  EXPECT_LT(advice.least_s(), 0.01);
  EXPECT_GT(advice.saved_s, 0.4) << "all of this work";
  Amount& reads = profile.uses[1].amount;
  reads.bytes = reads.system_bytes = 7'000'000;
  EXPECT_TRUE(ids_of(profile).empty()) << "it may look each record up once";
  reads.bytes = reads.system_bytes = 30'000'000;
  profile.uses[0].amount.work_before_s = 0.15;
  EXPECT_TRUE(ids_of(profile).empty()) << "no large part of the time";
  profile.uses[0].amount.work_before_s = 0.4;
  add(profile, Call::flock, 2, 0, 0);
  EXPECT_TRUE(ids_of(profile).empty()) << "others may change it";
}

// C++ asks for the position of each line, or of the end of a file that grows.
TEST(WholeFileRules, FindQuestionsForThePositionsOfLines) {
  Profile profile = with_file(4'000'000, 1);
  profile.sites[0].by_iostream = true;
  add(profile, Call::lseek, 100'000, 0, 0.1);
  Amount& reads = add(profile, Call::read, 25, 200'000, 0.01);
  EXPECT_TRUE(has_advice(profile, "asked-positions"));
  reads.bytes = 199'999;
  EXPECT_FALSE(has_advice(profile, "asked-positions")) << "no line has one byte";
}

TEST(WholeFileRules, LeaveFlushesOutWithABuffer) {
  Profile profile = with_file(60'000, 1);
  add(profile, Call::fputc, 60'000, 60'000, 0.1);
  const auto says = [&] {
    return advice_with(profile, "unbuffered-stream").fix.find("Leave the fflush") !=
           std::string::npos;
  };
  EXPECT_FALSE(says());
  add(profile, Call::fflush, 60'000, 0, 0.01).system_calls = 0;
  EXPECT_TRUE(says());
}

TEST(WholeFileRules, NameDirectAccess) {
  Profile profile = with_file(30'000'000, 1);
  add(profile, Call::read, 7'300, 30'000'000, 0.3);
  EXPECT_EQ(advice_with(profile, "small-buffer").why.find("O_DIRECT"), std::string::npos);
  profile.files[0].flags = O_DIRECT;
  EXPECT_NE(advice_with(profile, "small-buffer").why.find("O_DIRECT"), std::string::npos);
  profile.uses[0].amount.time.sleep_s = 2;
  EXPECT_GT(advice_with(profile, "small-buffer").saved_s, 2) << "each piece waits for the disk";
  profile.uses[0].amount.bytes /= 2;
  EXPECT_NE(advice_with(profile, "tiny-reads").fix.find("multiples"), std::string::npos);
}

}  // namespace
}  // namespace sluice::trace
