// How much a piece of advice is predicted to save, beside the time of its own calls.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdint>
#include <string>
#include <vector>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

// A process of one second, whose calls are made by this code on one regular file.
Profile of_code(const std::string& module) {
  Profile profile = one_second(module);
  profile.files.push_back({.name = "/f/file", .opens = 1, .size_bytes = 1 << 20, .kind = S_IFREG});
  return profile;
}

double range_of(const Advice& advice) { return advice.saved_s - advice.least_s(); }

// 0.2 s of writes, and 0.6 s of other work of the process between them.
Advice tiny_writes_by(const std::string& module, std::uint64_t calls) {
  Profile profile = of_code(module);
  add_calls(profile, Call::write, calls, calls, 0.2).amount.work_before_s = 0.6;
  return advice_with(profile, "tiny-writes");
}

TEST(Prediction, CountsPrintsOfAFewBytesAsFarAsNumbersWouldTakeTheirTime) {
  Profile profile = of_code("/usr/bin/program");
  Use& use = add_calls(profile, Call::fprintf, 10'000'000, 80'000'000, 0);
  use.amount.copies = use.amount.calls;
  use.amount.system_calls = use.amount.system_bytes = 0;
  use.amount.time.copying_s = use.amount.number_prints_s = 0.2;
  use.amount.by_fputs_s = 0.08;
  use.amount.copying_in_memory_s = 0.05;
  EXPECT_NEAR(advice_with(profile, "tiny-prints").saved_s, 0.15, 1e-9);
  EXPECT_NEAR(range_of(advice_with(profile, "tiny-prints")), 0.03, 1e-9);
  // A whole number would take less time: the rest may make the text of a fraction.
  use.amount.number_prints_s = 0.1;
  EXPECT_NEAR(advice_with(profile, "tiny-prints").saved_s, 0.1, 1e-9) << "1.5 times the number";
  use.amount.bytes = 9 * use.amount.calls;
  EXPECT_TRUE(advice_by_rules(profile).empty());
}

TEST(Prediction, HasUpToAllOfTheWorkOfALanguageAroundItsCalls) {
  const Advice advice = tiny_writes_by("/usr/bin/python3.11", 4'000'000);
  EXPECT_NEAR(range_of(advice), 0.6, 1e-3) << "150 ns for each call";
  EXPECT_NE(advice.why.find("The work of Python itself for each call"), std::string::npos);
  EXPECT_NEAR(range_of(tiny_writes_by("/usr/bin/program", 4'000'000)), 0, 1e-3) << "it is C";
}

TEST(Prediction, TakesNoLanguageForSlowerThanItsFunctions) {
  EXPECT_NEAR(range_of(tiny_writes_by("/usr/bin/node", 100'000)), 100'000 * 2790e-9, 1e-3);
  EXPECT_NEAR(range_of(tiny_writes_by("/usr/bin/python3.11", 100'000)), 100'000 * 1340e-9, 1e-3);
  EXPECT_NEAR(range_of(tiny_writes_by("/usr/bin/lua5.4", 100'000)), 100'000 * 600e-9, 1e-3)
      << "its functions take less, but its programs do other work in between";
  EXPECT_NEAR(range_of(tiny_writes_by("/usr/bin/guile", 100'000)), 100'000 * 2790e-9, 1e-3)
      << "nobody measured it, so it may be as slow as any other";
  const Advice advice = tiny_writes_by("/usr/bin/node", 100'000);
  EXPECT_NE(advice.why.find("up to 2.8 us for each call"), std::string::npos);
}

TEST(Prediction, HasTheSeeksOfALanguageAsFarAsTheyTakeLong) {
  Profile profile = of_code("/usr/bin/python3.11");
  add_calls(profile, Call::lseek, 100'000, 0, 0.02).amount.work_before_s = 0.9;
  add_calls(profile, Call::read, 100'000, 100'000'000, 0.001);
  profile.files[0].size_bytes = std::uint64_t{1} << 40;  // too large to be kept in memory
  EXPECT_NEAR(range_of(advice_with(profile, "seek-before-read")), 100'000 * 3720e-9, 1e-3);
}

// Python's module wave seeks four times for each of its writes.
TEST(Prediction, HasTheSeeksThatALanguageMakesForItsWrites) {
  Profile profile = of_code("/usr/bin/python3.11");
  add_calls(profile, Call::write, 100'000, 200'000, 0.1);
  const double before_s = range_of(advice_with(profile, "tiny-writes"));
  Use& seeks = add_calls(profile, Call::lseek, 150'000, 0, 0.05);
  EXPECT_NEAR(range_of(advice_with(profile, "tiny-writes")), before_s + 0.05, 1e-9);
  seeks.amount.work_before_s = 0.3;
  EXPECT_NEAR(range_of(advice_with(profile, "tiny-writes")), before_s + 0.05 + 0.134, 1e-9);
  profile.files.push_back(profile.files[0]);
  seeks.file = 1;
  EXPECT_NEAR(range_of(advice_with(profile, "tiny-writes")), before_s, 1e-9);
}

TEST(Prediction, HasUpToAllOfTheWorkOfAShellThatReadsLines) {
  Profile profile = of_code("/usr/bin/bash");
  profile.sites.push_back(profile.sites[0]);
  add_calls(profile, Call::lseek, 100'000, 0, 0.1).amount.work_before_s = 0.5;
  add_calls(profile, Call::lseek, 100'000, 0, 0.1).site = 1;
  add_calls(profile, Call::read, 100'000, 100'000'000, 0.1).amount.work_before_s = 0.2;
  const Advice advice = advice_with(profile, "seek-before-read");
  EXPECT_NEAR(range_of(advice), 0.28, 1e-9) << "awk surely saves six tenths of the work";
  EXPECT_NE(advice.why.find("The shell itself works"), std::string::npos) << advice.why;
}

TEST(Prediction, HasTheWorkOfACplusplusStreamForEachSeek) {
  Profile profile = of_code("/usr/bin/program");
  profile.processes[0].user_s = 0.2;
  add_calls(profile, Call::lseek, 100'000, 0, 0.1);
  add_calls(profile, Call::read, 100'000, 100'000'000, 0.1);
  const Advice plain = advice_with(profile, "seek-before-read");
  profile.sites[0].by_iostream = true;
  const Advice of_stream = advice_with(profile, "seek-before-read");
  EXPECT_NEAR(of_stream.saved_s, plain.saved_s + 100'000 * 150e-9, 1e-6);
  EXPECT_NEAR(of_stream.least_s(), plain.least_s(), 1e-6);
}

// 100,000 prints of 40 bytes, each a system call, of which the text takes 0.04 s to make.
TEST(Prediction, KnowsThatAPrintWithABufferStillMakesItsText) {
  Profile profile = of_code("/usr/bin/program");
  Use& use = add_calls(profile, Call::fprintf, 100'000, 4'000'000, 0.2);
  const double before_s = advice_with(profile, "unbuffered-stream").saved_s;
  use.amount.through_stream_s = 0.04;
  EXPECT_NEAR(advice_with(profile, "unbuffered-stream").saved_s, before_s - 0.04, 1e-9);
  use.amount.most_texts_s = 0.1;
  EXPECT_NEAR(range_of(advice_with(profile, "unbuffered-stream")), 0.06, 3e-2);
  const auto least_s = [&] { return *advice_with(profile, "unbuffered-stream").least_saved_s; };
  EXPECT_LT(least_s(), before_s - 0.1);
  use.amount.most_texts_s = 0.3;
  EXPECT_NEAR(least_s(), 0.01, 1e-9) << "100 ns for each system call";
  profile.write_s = 500e-9;
  EXPECT_NEAR(least_s(), 0.035, 1e-9) << "0.7 of a write";
}

// 400,000 lines, written by system calls of 64 bytes.
Profile with_a_buffer_of_64_bytes() {
  Profile profile = of_code("/usr/bin/program");
  Use& use = add_calls(profile, Call::fputs, 400'000, 10'240'000, 0.2);
  use.amount.system_calls = 160'000;
  use.amount.copies = 240'000;
  return profile;
}

TEST(Prediction, HasTheSystemCallsOfAStreamWithASmallBuffer) {
  Profile profile = with_a_buffer_of_64_bytes();
  const Advice advice = advice_with(profile, "unbuffered-stream");
  EXPECT_NE(advice.seen.find("160,000 system calls of 64.0 bytes"), std::string::npos)
      << advice.seen;
  EXPECT_GT(advice.saved_s, 0.19);
  EXPECT_LT(advice.saved_s, 0.2);
}

TEST(Prediction, KnowsThatAPrintThroughASmallBufferStillMakesItsText) {
  Profile profile = with_a_buffer_of_64_bytes();
  profile.uses[0].call = Call::fprintf;
  const double before_s = advice_with(profile, "unbuffered-stream").saved_s;
  profile.uses[0].amount.through_stream_s = 0.05;
  EXPECT_NEAR(advice_with(profile, "unbuffered-stream").saved_s, before_s - 0.05, 1e-9);
}

// The kernel makes each new page of a file, whatever the sizes of the writes are.
TEST(Prediction, IsARangeForWritesOfHundredsOfBytes) {
  Profile profile = of_code("/usr/bin/program");
  add_calls(profile, Call::write, 100'000, 51'200'000, 0.1);
  const Advice advice = advice_with(profile, "tiny-writes");
  EXPECT_NEAR(advice.saved_s, 0.1 * 2457.6 / (2457.6 + 512), 1e-3);
  EXPECT_NEAR(*advice.least_saved_s, 0.1 * 819.2 / (819.2 + 512), 1e-3);
  profile.uses[0].call = Call::read;
  profile.files[0].size_bytes = 51'200'000;
  EXPECT_NEAR(range_of(advice_with(profile, "tiny-reads")), 0, 1e-9);
}

// Two threads under a lock of the program's own.
TEST(Prediction, MayHaveTheWaitsOfThreadsForEachOther) {
  Profile profile = of_code("/usr/bin/program");
  Use& use = add_calls(profile, Call::write, 100'000, 100'000, 0.1);
  use.amount.work_before_s = 0.4;
  EXPECT_NEAR(range_of(advice_with(profile, "tiny-writes")), 0, 1e-2) << "one thread";
  use.threads = {{1, 0}, {2, 0}};
  EXPECT_NEAR(range_of(advice_with(profile, "tiny-writes")), 0, 1e-2) << "two processes";
  use.threads = {{1, 0}, {1, 1}};
  const Advice advice = advice_with(profile, "tiny-writes");
  EXPECT_NEAR(range_of(advice), 0.2, 1e-2);
  EXPECT_NE(advice.why.find("Several threads make these calls"), std::string::npos) << advice.why;
}

TEST(Prediction, LeavesSmallSystemCallsThatOpeningsOrSeeksCause) {
  Profile opened = with_a_buffer_of_64_bytes();
  opened.files[0].opens = 20'000;
  EXPECT_TRUE(advice_by_rules(opened).empty());
  Profile sought = with_a_buffer_of_64_bytes();
  add_calls(sought, Call::fseek, 160'000, 0, 0);
  EXPECT_TRUE(advice_by_rules(sought).empty());
}

// A program that reads a file of 1,000 bytes 10,000 times.
TEST(Prediction, HasTheOpeningsOfAFileThatIsReadWholeEachTime) {
  Profile profile = of_code("/usr/bin/program");
  profile.files[0].size_bytes = 1'000;
  add_calls(profile, Call::open, 10'000, 0, 0.1);
  add_calls(profile, Call::close, 10'000, 0, 0.05);
  Use& use = add_calls(profile, Call::read, 20'000, 10'000'000, 0.2);
  use.amount.sizes[0] = 10'000;
  EXPECT_NEAR(advice_with(profile, "read-again").saved_s, 0.35 * 0.9999, 1e-6);
  use.amount.work_before_s = 0.5;
  constexpr double copies_s = 0.0338;  // of 500 bytes each
  EXPECT_NEAR(range_of(advice_with(profile, "read-again")), (0.5 + copies_s) * 0.9999, 1e-3);
  EXPECT_NEAR(*advice_with(profile, "read-again").least_saved_s, (0.35 - copies_s) * 0.9999, 1e-3);
  use.amount.work_before_s = 0;
  for (const Advice& advice : advice_by_rules(profile)) EXPECT_NE(advice.kind.id, "reopened");
  add_calls(profile, Call::write, 1, 1'000, 0);
  for (const Advice& advice : advice_by_rules(profile)) EXPECT_NE(advice.kind.id, "reopened");
  add_calls(profile, Call::write, 10'000, 100'000, 0);
  EXPECT_NEAR(advice_with(profile, "reopened").saved_s, 0.15 * 0.9999, 1e-6);
}

// The file is opened and read whole 10,000 times, a part of it at each of ten places.
TEST(Prediction, KnowsAFileThatIsReadAgainAtManyPlaces) {
  Profile profile = of_code("/usr/bin/program");
  profile.files[0].size_bytes = 1'000;
  profile.sites.resize(11, profile.sites[0]);
  add_calls(profile, Call::open, 10'000, 0, 0.1);
  for (std::size_t place = 1; place <= 10; ++place) {
    add_calls(profile, Call::read, 2'000, 1'000'000, 0.02).site = place;
  }
  const Advice advice = advice_with(profile, "read-again");
  EXPECT_NEAR(advice.saved_s, 0.3 * 0.9999, 1e-6);
  EXPECT_EQ(advice.places, 10U);
  EXPECT_NE(advice.seen.find("which is 10,000 times its size"), std::string::npos) << advice.seen;
}

// A language seeks when it has opened a file: to learn the position, and not to read elsewhere.
TEST(Prediction, DoesNotTakeTheSeeksOfOpeningsForSearching) {
  Profile profile = of_code("/usr/bin/perl");
  profile.files[0].size_bytes = 1'000;
  add_calls(profile, Call::open, 10'000, 0, 0.1);
  add_calls(profile, Call::lseek, 10'000, 0, 0.02);
  add_calls(profile, Call::read, 20'000, 10'000'000, 0.2).amount.sizes[0] = 10'000;
  EXPECT_EQ(advice_by_rules(profile)[0].kind.id, "read-again");
  for (const Advice& advice : advice_by_rules(profile))
    EXPECT_NE(advice.kind.id, "seek-before-read");
}

TEST(Prediction, HasTheQuestionsForThePositionOfAWrittenFile) {
  Profile profile = of_code("/usr/bin/program");
  add_calls(profile, Call::lseek, 100'000, 0, 0.05);
  add_calls(profile, Call::write, 1'000, 65'536'000, 0.05);
  EXPECT_NEAR(advice_with(profile, "asked-positions").saved_s, 0.05, 1e-9);
  profile.uses[0].amount.far_calls = 50'000;
  EXPECT_FALSE(has_advice(profile, "asked-positions")) << "these seeks lead elsewhere";
  profile.uses[0].amount.far_calls = 49'999;
  EXPECT_TRUE(has_advice(profile, "asked-positions"));
  profile.files[0].opens = 25'000;  // each opening may ask
  for (const Advice& advice : advice_by_rules(profile))
    EXPECT_NE(advice.kind.id, "asked-positions");
  profile.files[0].opens = 1;
  profile.uses[1].amount.system_calls = 100'000;  // the program moves for each write
  for (const Advice& advice : advice_by_rules(profile))
    EXPECT_NE(advice.kind.id, "asked-positions");
}

// Python's `tell` asks the kernel for each line. A seek that leads elsewhere is followed by a read.
TEST(Prediction, HasTheQuestionsForThePositionOfAFileThatIsRead) {
  Profile profile = of_code("/usr/bin/python3");
  add_calls(profile, Call::lseek, 100'000, 0, 0.05).amount.work_before_s = 0.2;
  add_calls(profile, Call::read, 1'000, 8'192'000, 0.01);
  const Advice advice = only_advice(profile);
  EXPECT_EQ(advice.kind.id, "asked-positions");
  EXPECT_EQ(advice.seen, "100,000 questions for the position, 1,000 reads of the same file");
  EXPECT_NE(advice.fix.find("`tell()`"), std::string::npos) << advice.fix;
  EXPECT_NEAR(advice.least_s(), 0.05, 1e-9);
  EXPECT_NEAR(advice.saved_s, 0.25, 1e-9) << "with the work of tell";
  profile.uses[1].amount.calls = profile.uses[1].amount.system_calls = 12'501;
  EXPECT_TRUE(has_advice(profile, "seek-before-read"));
  EXPECT_FALSE(has_advice(profile, "asked-positions"));
}

// A text is decoded again for each question.
TEST(Prediction, HasTheWorkOfPythonForEachQuestionForThePosition) {
  Profile profile = of_code("/usr/bin/python3.11");
  add_calls(profile, Call::lseek, 100'000, 0, 0.02).amount.work_before_s = 5;
  add_calls(profile, Call::read, 100, 800'000, 0.001);
  const Advice advice = advice_with(profile, "asked-positions");
  EXPECT_NEAR(advice.by_runtime_s, 100'000 * 20e-6, 1e-9);
  EXPECT_NE(advice.why.find("up to 20 us for each `tell`"), std::string::npos) << advice.why;
}

// Ten threads read the file once each: none of them could keep the bytes of another process.
TEST(Prediction, ExpectsNoProcessToKeepBytesForAnother) {
  Profile profile = of_code("/usr/bin/program");
  for (int process = 1; process <= 10; ++process) {
    add_calls(profile, Call::read, 1'000, 1 << 20, 0.05).threads = {{process, 0}};
  }
  for (const Advice& advice : advice_by_rules(profile)) EXPECT_NE(advice.kind.id, "read-again");
}

// Records of a file are read, changed and written back.
TEST(Prediction, HasTheWritesOfAFileThatIsToBeKeptInMemory) {
  Profile profile = of_code("/usr/bin/program");
  add_calls(profile, Call::fseek, 200'000, 0, 0.1);
  add_calls(profile, Call::fread, 100'000, 2'400'000, 0.1);
  add_calls(profile, Call::write, 100'000, 100'000, 0.1);
  EXPECT_LT(advice_with(profile, "seek-before-read").saved_s, 0.21);
  profile.files[0].flags = O_RDWR;
  const std::vector<Advice> all = advice_by_rules(profile);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].saved_s, 0.3, 2e-3);
  EXPECT_EQ(all[0].uses.size(), 2U) << "the seeks and the writes";
  EXPECT_NE(all[0].fix.find("Make the changes there too"), std::string::npos) << all[0].fix;
  profile.uses[2].amount.system_bytes = 0;  // seeks write what a stream has gathered
  EXPECT_NE(advice_by_rules(profile)[0].fix.find("Make the changes there"), std::string::npos);
}

// Reading again: 0.02 to 0.52 s. The writes: 0.3 s.
TEST(Prediction, RanksTheAdviceByTheMiddleOfItsRange) {
  Profile profile = of_code("/usr/bin/program");
  profile.files.push_back(profile.files[0]);
  profile.files[1].name = "/f/other";
  add_calls(profile, Call::read, 10'000, 100'000'000, 0.02).amount.work_before_s = 0.5;
  add_calls(profile, Call::write, 100'000, 100'000, 0.3).file = 1;
  EXPECT_EQ(advice_by_rules(profile)[0].kind.id, "tiny-writes");
}

TEST(Prediction, IsNotMadeOfTheWorkOfALanguageAlone) {
  Profile profile = of_code("/usr/bin/gawk");
  add_calls(profile, Call::write, 100'000, 1'000'000, 0.005).amount.work_before_s = 0.6;
  EXPECT_TRUE(advice_by_rules(profile).empty());
}

TEST(Prediction, PromisesNoWorkOfTheLanguageByRun) {
  const Advice advice = tiny_writes_by("/usr/bin/perl", 1'000'000);
  ASSERT_EQ(advice.by, "run --coalesce");
  EXPECT_NEAR(advice.run_saves_s.value(), *advice.least_saved_s, 1e-3);
}

TEST(Prediction, CountsTheFlushesAndFlagsOfEachOpening) {
  Profile profile = of_code("/usr/bin/program");
  add_calls(profile, Call::open, 1'000, 0, 0.1);
  add_calls(profile, Call::fflush, 1'000, 2'457'600, 0.2);  // 2,457.6 bytes: half of the time
  add_calls(profile, Call::fcntl, 5'000, 0, 0.05);
  EXPECT_NEAR(advice_with(profile, "reopened").saved_s, 0.25 * 0.999, 1e-6);
  profile.uses[1].amount.system_calls = 3'000;
  EXPECT_NEAR(advice_with(profile, "reopened").saved_s, 0.1 * 0.999, 1e-6)
      << "the program flushes more often than it opens the file";
}

TEST(Prediction, LeavesTheWritesOfAShellsCommands) {
  Profile profile = of_code("/usr/bin/bash");
  add_calls(profile, Call::open, 1'000, 0, 0.1);
  add_calls(profile, Call::fflush, 1'000, 10'000, 0.2);
  add_calls(profile, Call::dup, 2'000, 0, 0.05);
  EXPECT_NEAR(advice_with(profile, "reopened").saved_s, 0.15 * 0.999, 1e-6);
}

// 0.3 s of copying and 0.16 s of system calls, of 4,096 bytes each.
Advice tiny_stdio_writes(bool alike, bool by_iostream) {
  Profile profile = of_code("/usr/bin/program");
  profile.sites[0].by_iostream = by_iostream;
  Use& use = add_calls(profile, Call::fwrite, 4'096'000, 16 * 4'096'000, 0.16);
  use.amount.system_calls = 16'000;
  use.amount.copies = 4'080'000;
  use.amount.sizes[5] = alike ? 4'096'000 : 2'048'000;
  use.amount.sizes[4] = alike ? 0 : 2'048'000;
  use.amount.time.copying_s = 0.3;
  use.amount.copying_by_run_s = 0.1;
  use.amount.copying_in_memory_s = 0.1;
  return advice_with(profile, "tiny-stdio-writes");
}

TEST(Prediction, HasTheSystemCallsThatAnArrayOfRecordsLeavesOut) {
  constexpr double calls_s = 0.16 * 0.6 / 1.6;
  EXPECT_NEAR(tiny_stdio_writes(true, false).saved_s, 0.3 + calls_s, 1e-9);
  constexpr double least_calls_s = 0.16 * 0.2 / 1.2;  // the kernel still makes the pages
  EXPECT_NEAR(*tiny_stdio_writes(true, false).least_saved_s, 0.7 * 0.2 + least_calls_s, 1e-9);
  EXPECT_NEAR(tiny_stdio_writes(false, false).saved_s, 0.3, 1e-9);
}

// 0.3 s of copying a byte at a time, and 0.16 s of system calls, of 4,096 bytes each.
Profile of_bytes_one_by_one(bool by_iostream) {
  Profile profile = of_code("/usr/bin/program");
  profile.sites[0].by_iostream = by_iostream;
  profile.files[0].size_bytes = 65'536'000;
  Use& use = add_calls(profile, Call::fgetc, 65'536'000, 65'536'000, 0.16);
  use.amount.system_calls = 16'000;
  use.amount.copies = 65'520'000;
  use.amount.sizes[1] = 65'536'000;
  use.amount.time.copying_s = 0.3;
  use.amount.copying_in_memory_s = 0.1;
  return profile;
}

TEST(Prediction, MayHaveTheSystemCallsThatBlocksOfBytesLeaveOut) {
  constexpr double calls_s = 0.16 * 2 / 3;
  const std::vector<Advice> all = advice_by_rules(of_bytes_one_by_one(false));
  ASSERT_EQ(all.size(), 1U) << "a larger buffer is a part of the cure";
  EXPECT_EQ(all[0].kind.id, "char-at-a-time");
  EXPECT_NEAR(all[0].saved_s, 0.3 + calls_s, 1e-9);
  EXPECT_NEAR(*all[0].least_saved_s, 0.7 * 0.2, 1e-9) << "getline needs as many system calls";
  EXPECT_EQ(advice_by_rules(of_bytes_one_by_one(true)).size(), 2U);
}

TEST(Prediction, KnowsThatAStreamWithABufferStillCopies) {
  EXPECT_NEAR(tiny_stdio_writes(true, true).saved_s, 0.2, 1e-9);
}

// 10,000 writes of 10 KiB in 0.1 s.
TEST(Prediction, HasRangesForLargerPieces) {
  Profile profile = of_code("/usr/bin/program");
  profile.files[0].size_bytes = 102'400'000;
  add_calls(profile, Call::write, 10'000, 102'400'000, 0.1);
  const double calls_share = 2457.6 / (2457.6 + 10240);
  const Advice in_memory = advice_with(profile, "small-buffer");
  EXPECT_NEAR(in_memory.saved_s, 0.1 * calls_share, 1e-9);
  EXPECT_NEAR(*in_memory.least_saved_s, 0.1 * 819.2 / (819.2 + 10240), 1e-9);
  profile.files[0].device = makedev(253, 1);
  const Advice on_disk = advice_with(profile, "small-buffer");
  EXPECT_NEAR(on_disk.saved_s, 0.1 * 16384 / (16384 + 10240), 1e-9);
  EXPECT_NEAR(*on_disk.least_saved_s, 0.1 * calls_share, 1e-9);
  profile.uses[0].call = Call::read;
  EXPECT_NEAR(advice_with(profile, "small-buffer").saved_s, 0.1 * 8192 / (8192 + 10240), 1e-9);
}

// 100 MB of words, which operator>> takes out of the buffer of a std::ifstream.
TEST(Prediction, HasARangeForWordsOfAStream) {
  Profile profile = of_code("/usr/bin/program");
  profile.files[0].size_bytes = 100'000'000;
  Use& use = add_calls(profile, Call::read, 12'500, 100'000'000, 0.01);
  use.amount.work_before_s = 0.5;
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "who knows what the work is";
  profile.sites[0].by_iostream = profile.sites[0].by_extraction = true;
  const Advice advice = advice_with(profile, "formatted-reads");
  EXPECT_NEAR(advice.saved_s, 0.45, 1e-9) << "nine tenths of the work";
  EXPECT_NEAR(*advice.least_saved_s, 0.2, 1e-9);
  use.amount.work_before_s = 8;
  EXPECT_NEAR(advice_with(profile, "formatted-reads").saved_s, 5, 1e-9);
  use.amount.work_before_s = 0.1;
  EXPECT_NEAR(range_of(advice_with(profile, "formatted-reads")), 0, 1e-9);
  use.amount.work_before_s = 8;
  profile.extraction_costs[0].beside_memory = {.least_s = 3e-9, .most_s = 4e-9};
  EXPECT_NEAR(advice_with(profile, "formatted-reads").saved_s, 0.4, 1e-9) << "it was measured";
  EXPECT_NEAR(*advice_with(profile, "formatted-reads").least_saved_s, 0.3, 1e-9);
}

// 10,000 flushes of a stream, and so many syncs of its file.
Profile flushed_and_synced(std::uint64_t syncs) {
  Profile profile = of_code("/usr/bin/program");
  add_calls(profile, Call::fflush, 10'000, 500'000, 0.2);
  add_calls(profile, Call::fsync, syncs, 0, 0.3);
  return profile;
}

TEST(Prediction, KeepsTheFlushesThatSyncsNeed) {
  const std::vector<Advice> all = advice_by_rules(flushed_and_synced(10'000));
  ASSERT_EQ(all.size(), 1U) << "without the flush, a sync has nothing to write";
  EXPECT_EQ(all[0].kind.id, "sync-after-each");
  EXPECT_NEAR(all[0].saved_s, 0.5, 0.01);
  EXPECT_NE(all[0].fix.find("flush only before a sync"), std::string::npos) << all[0].fix;
  EXPECT_NEAR(advice_with(flushed_and_synced(1'000), "sync-after-each").saved_s, 0.3, 0.01);
  EXPECT_NEAR(advice_with(flushed_and_synced(1'000), "flush-after-each").saved_s, 0.2, 0.01);
}

// A program that reads lines, and goes back to earlier ones now and then.
Profile lines_with_seeks(double seeks_s) {
  Profile profile = of_code("/usr/bin/program");
  profile.files[0].size_bytes = 20'000'000;
  Use& lines = add_calls(profile, Call::fgets, 1'500'000, 38'000'000, 0.01);
  lines.amount.system_calls = 9'500;
  add_calls(profile, Call::fseek, 180'000, 0, seeks_s);
  return profile;
}

TEST(Prediction, SeesSeeksThatTakeMuchTimeForFewReads) {
  const Advice advice = advice_with(lines_with_seeks(0.1), "seek-before-read");
  EXPECT_NEAR(advice.saved_s, 0.1 + 0.01 - 0.02, 1e-6);
  for (const Advice& other : advice_by_rules(lines_with_seeks(0.002))) {
    EXPECT_NE(other.kind.id, "seek-before-read");
  }
}

// 30,000 files, each created, written, read again and removed.
Profile temporary_files(const std::string& module, std::uint64_t read_bytes) {
  Profile profile = of_code(module);
  profile.files[0].is_many = true;
  profile.files[0].size_bytes = 0;
  add_calls(profile, Call::open, 60'000, 0, 0.1).amount.work_before_s = 0.05;
  add_calls(profile, Call::write, 30'000, 6'000'000, 0.04).amount.work_before_s = 0.03;
  add_calls(profile, Call::read, 60'000, read_bytes, 0.02).amount.work_before_s = 0.02;
  profile.files.push_back({.name = "one that has an entry", .kind = S_IFREG});
  add_calls(profile, Call::open, 2, 0, 0).file = profile.files.size() - 1;
  add_calls(profile, Call::write, 1, 200, 0).file = profile.files.size() - 1;
  add_calls(profile, Call::read, 2, 200, 0).file = profile.files.size() - 1;
  return profile;
}

TEST(Prediction, HasAllOfTemporaryFilesThatAProgramReadsItself) {
  const Advice advice =
      advice_with(temporary_files("/usr/bin/program", 6'000'000), "temporary-files");
  EXPECT_NEAR(*advice.least_saved_s, 0.16, 1e-9);
  EXPECT_NEAR(range_of(advice), 0.05, 1e-9) << "to remove a file is work before the next opening";
  const Advice in_perl =
      advice_with(temporary_files("/usr/bin/perl", 6'000'000), "temporary-files");
  EXPECT_NEAR(range_of(in_perl), 0.1, 1e-9);
  for (const Advice& other : advice_by_rules(temporary_files("/usr/bin/perl", 60'000'000))) {
    EXPECT_NE(other.kind.id, "temporary-files") << "it reads other files";
  }
}

TEST(Prediction, MayHaveTheWorkOfACplusplusStreamForEachOpening) {
  Profile profile = of_code("/usr/bin/program");
  add_calls(profile, Call::fopen, 100'000, 0, 0.1).amount.work_before_s = 0.5;
  add_calls(profile, Call::write, 100'000, 100'000, 0.1).amount.work_before_s = 0.08;
  EXPECT_NEAR(range_of(advice_with(profile, "reopened")), 0, 1e-9);
  profile.sites[0].by_iostream = true;
  EXPECT_NEAR(range_of(advice_with(profile, "reopened")), 0.08, 1e-3);
}

TEST(Prediction, HasARangeForLinesThatScanfReads) {
  Profile profile = of_code("/usr/bin/program");
  Amount& amount = add_calls(profile, Call::fscanf, 100'000, 1'000'000, 0).amount;
  amount.copies = amount.calls;
  amount.time.copying_s = 0.5;
  const Advice advice = advice_with(profile, "scanned-lines");
  EXPECT_NEAR(*advice.least_saved_s, 0.13, 1e-9);
  EXPECT_NEAR(advice.saved_s, 0.255, 1e-9);
  amount.bytes = 100'000'000;
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "the text is long";
  amount.bytes = 1'000'000;
  amount.copies = 9'999;
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "few lines";
}

// 100,000 messages through standard error to a terminal, or to a program that answers some of them.
Profile messages_to_a_terminal(std::uint64_t answers) {
  Profile profile = of_code("/usr/bin/program");
  profile.files[0].kind = S_IFCHR;
  profile.files.push_back(profile.files[0]);
  profile.files[1].kind = S_IFSOCK;
  Use& use = add_calls(profile, Call::fprintf, 100'000, 2'000'000, 0.1);
  use.amount.time.copying_s = 0.02;
  use.amount.most_texts_s = 0.03;
  add_calls(profile, Call::read, answers, 10 * answers, 0).file = 1;
  return profile;
}

TEST(Prediction, HasMessagesThatEachAreASystemCall) {
  const Advice advice = advice_with(messages_to_a_terminal(0), "unbuffered-messages");
  EXPECT_NEAR(*advice.least_saved_s, 0.07, 0.002) << "their texts are made";
  EXPECT_NEAR(advice.saved_s, 0.12, 1e-9) << "they are left out";
  EXPECT_TRUE(advice_by_rules(messages_to_a_terminal(100'000)).empty()) << "it waits for answers";
  Profile few = messages_to_a_terminal(0);
  few.uses[0].amount.calls = few.uses[0].amount.system_calls = 9'000;
  EXPECT_TRUE(advice_by_rules(few).empty()) << "a person may want to see them";
  Profile buffered = messages_to_a_terminal(0);
  buffered.uses[0].amount.system_calls = 20'000;
  EXPECT_TRUE(advice_by_rules(buffered).empty()) << "there is a buffer";
  Profile large = messages_to_a_terminal(0);
  large.uses[0].amount.system_bytes = 100'000'000;
  EXPECT_TRUE(advice_by_rules(large).empty()) << "a page of text each";
}

TEST(Prediction, HasTheWholeCostOfSmallMappings) {
  Profile profile = of_code("/usr/bin/program");
  add_calls(profile, Call::mmap, 1'000, 4'096'000, 0.1);
  const Advice advice = advice_with(profile, "mapped-pieces");
  EXPECT_NEAR(*advice.least_saved_s, 0.28, 1e-3);
  EXPECT_NEAR(advice.saved_s, 0.54, 1e-3);
  profile.uses[0].amount.bytes = 1'000 * 65'537;
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "the pieces are not small";
  profile.uses[0].amount.bytes = 4'096'000;
  profile.files[0].size_bytes = 8'191;
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "the file is no larger than a piece";
  profile.files[0].size_bytes = 8'192;
  profile.uses[0].amount.calls = 99;
  EXPECT_TRUE(advice_by_rules(profile).empty()) << "few mappings";
}

// A program maps a file of 1 MiB anew for each record that it adds.
TEST(Prediction, HasTheCostOfAMappingThatGrows) {
  Profile profile = of_code("/usr/bin/program");
  add_calls(profile, Call::mmap, 1'000, 500'000'000, 0.1);
  EXPECT_FALSE(has_advice(profile, "mapped-anew"));
  add_calls(profile, Call::ftruncate, 1'000, 0, 0.05);
  const Advice advice = advice_with(profile, "mapped-anew");
  EXPECT_NEAR(*advice.least_saved_s, 0.15, 1e-3);
  EXPECT_NEAR(advice.saved_s, 0.15 + 4.4 * 0.1, 1e-3) << "and the work at its first use";
  profile.uses[1].amount.calls = 499;
  EXPECT_FALSE(has_advice(profile, "mapped-anew")) << "it is mapped for other reasons";
}

}  // namespace
}  // namespace sluice::trace
