// Advice about small writes and the calls that a program makes for each of them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

// 100,000 records of 64 bytes.
Profile written_records(Call call) {
  Profile profile;
  profile.command = {"program"};
  profile.wall_s = 1;
  profile.processes.push_back({.program = "program", .wall_s = 1, .threads = 1, .ended = true});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.sites.emplace_back();
  profile.files.push_back({.name = "f", .opens = 1, .size_bytes = 6'400'000, .kind = S_IFREG});
  Amount& amount = profile.uses.emplace_back(Use{.call = call, .threads = {{1, 0}}}).amount;
  amount.calls = amount.system_calls = 100'000;
  amount.bytes = amount.system_bytes = 6'400'000;
  amount.time.system_s = 0.05;
  return profile;
}

// A million values of 7 bytes, each byte by a system call.
TEST(UnbufferedStream, IsScannedByteByByte) {
  Profile profile = written_records(Call::fscanf);
  Amount& amount = profile.uses[0].amount;
  amount.system_calls = 700'000;
  amount.bytes = amount.system_bytes = 700'000;
  EXPECT_EQ(only_advice(profile).kind.id, "unbuffered-stream");
  amount.system_calls = 100'000;
  EXPECT_FALSE(has_advice(profile, "unbuffered-stream"));
}

// 1,200,000 bytes, with a seek now and then.
TEST(UnbufferedStream, MayHaveSeeks) {
  Profile profile = written_records(Call::fgetc);
  Amount& amount = profile.uses[0].amount;
  amount.calls = amount.system_calls = amount.bytes = amount.system_bytes = 1'200'000;
  EXPECT_NE(only_advice(profile).fix.find("65536"), std::string::npos);
  add_calls(profile, Call::fseek, 60, 0, 0);
  const Advice advice = advice_with(profile, "unbuffered-stream");
  EXPECT_NE(advice.fix.find("4,096 bytes and no more"), std::string::npos) << advice.fix;
  profile.uses[1].amount.calls = 600'000;
  EXPECT_FALSE(has_advice(profile, "unbuffered-stream"));
}

// The command of a database loads a table from a text.
TEST(CallRules, LeaveTheStreamsOfADatabasesCommandAlone) {
  for (const Call call : {Call::fgetc, Call::fwrite, Call::fprintf}) {
    Profile profile = written_records(call);
    Amount& amount = profile.uses[0].amount;
    amount.bytes = amount.copies = amount.calls = 6'400'000;
    amount.system_calls = 1'600;
    amount.time = {.copying_s = 0.2};
    amount.number_prints_s = 0.2;
    amount.copying_by_run_s = 0.05;
    profile.sites[0].frames = {{"function", "", "/usr/bin/program"}};
    EXPECT_FALSE(ids_of(profile).empty()) << preload::call_names[static_cast<int>(call)];
    profile.sites[0].frames = {{"process_input", "", "/usr/bin/sqlite3"}};
    EXPECT_TRUE(ids_of(profile).empty()) << preload::call_names[static_cast<int>(call)];
  }
}

// To gather the lines takes time too.
TEST(CallRules, WriteLargerPiecesInALanguageIfMuchIsSaved) {
  Profile profile = one_second("/usr/bin/perl");
  profile.files.push_back({.name = "/f/out", .size_bytes = 16'384'000, .kind = S_IFREG});
  add_calls(profile, Call::write, 2'000, 16'384'000, 0.15);
  profile.processes[0].user_s = 0.8;
  profile.processes[0].ended = true;
  EXPECT_TRUE(has_advice(profile, "small-buffer"));
  EXPECT_TRUE(advice_for(profile).empty());
  profile.uses[0].amount.time.system_s = 0.9;
  EXPECT_EQ(advice_for(profile).size(), 1U);
  profile.sites[0].frames[0].module = "/home/user/program";
  profile.uses[0].amount.time.system_s = 0.15;
  EXPECT_EQ(advice_for(profile).size(), 1U) << "a larger buffer is one line of C";
}

// A database writes each page once, or several times, and reads back what it has sorted in a file.
TEST(CallRules, LeaveToADatabaseWhatItMovesOnce) {
  Profile profile = one_second("/usr/lib/libsqlite3.so.0");
  profile.files.push_back({.name = "/f/base", .size_bytes = 4'096'000, .kind = S_IFREG});
  add_calls(profile, Call::pwrite, 1'400, 4096 * 1'400, 0.5);
  EXPECT_TRUE(ids_of(profile).empty());
  profile.files[0].size_bytes /= 2;
  EXPECT_EQ(only_advice(profile).kind.id, "small-buffer");
  profile.files[0].name = "/var/tmp/etilqs_2848fd189441fcb1";
  EXPECT_TRUE(ids_of(profile).empty()) << "more memory for a sort takes longer";
  profile.files[0].name = "/f/base";
  profile.files[0] = {.name = "/f/etilqs (deleted)", .size_bytes = 4'096'000, .kind = S_IFREG};
  profile.uses[0].amount.system_bytes = profile.uses[0].amount.bytes = 4'096'000;
  profile.uses[0].amount.system_calls = profile.uses[0].amount.calls = 1'000;
  add_calls(profile, Call::pread, 1'000, 4'096'000, 0.5);
  EXPECT_TRUE(ids_of(profile).empty());
  profile.sites[0].frames[0].module = "/usr/bin/program";
  EXPECT_TRUE(has_advice(profile, "read-back"));
}

// gzgets() with the usual buffer. The program worked for a second between the reads.
TEST(CallRules, CountTheWorkOfZlibForSmallReadsOfACompressedFile) {
  Profile profile = one_second("/usr/lib/libz.so.1");
  profile.files.push_back({.name = "/f/log.gz", .size_bytes = 40'960'000, .kind = S_IFREG});
  Use& reads = add_calls(profile, Call::read, 5'000, 40'960'000, 0.01);
  reads.amount.work_before_s = 1;
  Advice advice = only_advice(profile);
  EXPECT_EQ(advice.kind.id, "small-buffer");
  EXPECT_TRUE(advice.fix.find("`gzbuffer(file, 1 << 18)`") != std::string::npos) << advice.fix;
  EXPECT_NEAR(advice.least_s(), 0.04, 0.01);
  EXPECT_NEAR(advice.saved_s, 0.1, 0.01);
  EXPECT_NEAR(advice.by_runtime_s, 0.06, 1e-9);
  reads.amount.work_before_s = 0.2;
  EXPECT_NEAR(only_advice(profile).saved_s, 0.05, 0.01) << "a quarter of the work";
  profile.uses[0].call = Call::write;
  EXPECT_TRUE(ids_of(profile).empty()) << "a compression gains nothing";
  profile.uses[0].call = Call::read;
  profile.uses[0].amount.system_bytes = profile.uses[0].amount.bytes = 5'000 * 16'384;
  EXPECT_TRUE(ids_of(profile).empty()) << "the file is not compressed";
  profile.uses[0].amount.system_bytes = profile.uses[0].amount.bytes = 40'960'000;
  profile.sites[0].frames[0].module = "/usr/bin/program";
  EXPECT_TRUE(ids_of(profile).empty());
}

TEST(CallRules, TakeManyRandomBytesAtATime) {
  Profile profile = written_records(Call::read);
  profile.files[0] = {.name = "/dev/urandom", .opens = 1, .kind = S_IFCHR};
  profile.sites[0].frames = {{"function", "", "/usr/bin/program"}};
  profile.uses[0].amount.bytes = profile.uses[0].amount.system_bytes = 400'000;
  EXPECT_NE(only_advice(profile).fix.find("random bytes at a time"), std::string::npos);
  profile.sites[0].by_iostream = profile.sites[0].by_istream = true;
  EXPECT_NE(only_advice(profile).fix.find("random bytes at a time"), std::string::npos);
  profile.files[0].name = "/dev/input";
  EXPECT_TRUE(ids_of(profile).empty());
}

TEST(UnbufferedStream, OfMessagesLosesThemInACrashIfItHasABuffer) {
  Profile profile = written_records(Call::fprintf);
  const auto names_standard_error = [&] {
    return advice_with(profile, "unbuffered-stream").why.find("If it is standard error") !=
           std::string::npos;
  };
  EXPECT_FALSE(names_standard_error());
  profile.uses[0].amount.standard = true;
  EXPECT_TRUE(names_standard_error());
  profile.sites[0].frames = {{"function", "", "/usr/bin/bash"}};
  EXPECT_FALSE(names_standard_error()) << "a shell has no such stream";
  profile.sites[0].frames.clear();
  profile.uses[0].amount.system_calls = 50'000;
  EXPECT_FALSE(names_standard_error()) << "it has a buffer";
}

Profile with_enlargements(Profile profile, Call call, std::uint64_t calls) {
  Amount& amount = profile.uses.emplace_back(Use{.call = call, .threads = {{1, 0}}}).amount;
  amount.calls = amount.system_calls = calls;
  amount.time.system_s = 0.25;
  return profile;
}

// Two processes append lines to one log.
TEST(CallRules, KeepTheLinesOfSeveralProcessesWhole) {
  constexpr const char* whole = "so that it stays whole";
  Profile profile = written_records(Call::write);
  EXPECT_EQ(advice_with(profile, "tiny-writes").fix.find(whole), std::string::npos);
  profile.uses[0].threads = {{1, 0}, {1, 1}};
  EXPECT_EQ(advice_with(profile, "tiny-writes").fix.find(whole), std::string::npos);
  profile.uses[0].threads = {{1, 0}, {2, 0}};
  add_process(profile);
  EXPECT_NE(advice_with(profile, "tiny-writes").fix.find(whole), std::string::npos);
  profile.moments[1].start_ns = 1'000'000'000;
  EXPECT_EQ(advice_with(profile, "tiny-writes").fix.find(whole), std::string::npos)
      << "one after the other";
  profile.moments[1].start_ns = 0;
  profile.sites[0].by_iostream = true;
  profile.uses[0].call = Call::writev;
  profile.uses[0].amount.paired_calls = profile.uses[0].amount.calls;
  profile.uses[0].amount.last_piece_bytes = profile.uses[0].amount.bytes;
  EXPECT_NE(advice_with(profile, "stream-without-buffer").fix.find(whole), std::string::npos);
}

// A stream cannot gather what a seek stands before.
TEST(CallRules, ChangeAFileInMemoryAndNotByOneSeekForEachPiece) {
  Profile profile = written_records(Call::write);
  profile.sites[0].by_iostream = true;
  add_calls(profile, Call::lseek, 74'999, 0, 0);
  add_calls(profile, Call::open, 2, 0, 0);  // it has made the file before
  EXPECT_EQ(advice_with(profile, "tiny-writes").fix.find("in memory, in an array"),
            std::string::npos);
  profile.uses[1].amount.calls = 75'000;
  EXPECT_TRUE(advice_with(profile, "tiny-writes").fix.starts_with("Leave the seeks between"));
  EXPECT_NE(advice_with(profile, "tiny-writes").fix.find("places in the file"), std::string::npos);
  profile.files[0].size_bytes = 4'000'000;
  EXPECT_TRUE(advice_with(profile, "tiny-writes").fix.starts_with("Make the changes in memory"));
  profile.files[0].flags = O_APPEND;
  EXPECT_FALSE(advice_with(profile, "tiny-writes").fix.starts_with("Make the changes in memory"));
}

TEST(CallRules, ScanNoLinesForSingleBytes) {
  Profile profile = written_records(Call::fscanf);
  Amount& amount = profile.uses[0].amount;
  amount.copies = amount.calls;
  amount.time.copying_s = 0.5;
  EXPECT_TRUE(advice_with(profile, "scanned-lines").fix.starts_with("Read each line by fgets"));
  amount.bytes = amount.calls;
  EXPECT_TRUE(advice_with(profile, "scanned-lines").fix.starts_with("Take each byte by getc"));
}

TEST(CallRules, CountTheEnlargementsOfAFileWithItsSmallWrites) {
  for (const Call write : {Call::pwrite, Call::fflush, Call::fputs}) {
    for (const Call enlarge : {Call::ftruncate, Call::fallocate}) {
      const Advice before = only_advice(written_records(write));
      const Advice advice = only_advice(with_enlargements(written_records(write), enlarge, 99'000));
      EXPECT_EQ(advice.kind.id, before.kind.id);
      EXPECT_NEAR(advice.saved_s, before.saved_s + 0.25, 1e-9) << advice.kind.id;
      EXPECT_NEAR(advice.least_s(), before.least_s() + 0.25 * 819.2 / (819.2 + 64), 1e-9);
      EXPECT_NE(advice.seen.find("99,000 calls of ftruncate or fallocate"), std::string::npos);
      EXPECT_NE(advice.why.find("leave ftruncate"), std::string::npos);
    }
  }
}

TEST(CallRules, DoNotPromiseThatRunGathersPrints) {
  Profile profile = written_records(Call::write);
  EXPECT_EQ(only_advice(profile).by, "run --coalesce");
  profile.uses[0].amount.printed = true;
  const Advice advice = only_advice(profile);
  EXPECT_EQ(advice.by, "");
  EXPECT_TRUE(advice.seen.starts_with("100,000 calls of dprintf")) << advice.seen;
}

TEST(CallRules, DoNotCountEnlargementsByLargeSteps) {
  const Advice before = only_advice(written_records(Call::pwrite));
  const Advice advice =
      only_advice(with_enlargements(written_records(Call::pwrite), Call::ftruncate, 49'000));
  EXPECT_NEAR(advice.saved_s, before.saved_s, 1e-9);
  EXPECT_EQ(advice.why, before.why);
}

// Node's thread 1 writes records for thread 0, and wakes it each time.
Profile awaited_in_node() {
  Profile profile = written_records(Call::write);
  profile.processes[0].user_s = 0.2;
  profile.processes[0].system_s = 0.5;
  profile.processes[0].time.system_s = 0.2;
  profile.sites[0].frames = {{"uv__fs_write", "", "/usr/bin/node"}};
  profile.files.push_back({.name = "anon_inode:[eventfd]"});
  profile.uses[0].threads = {{1, 1}};
  for (const auto& [call, thread] : {std::pair{Call::write, 1U}, {Call::read, 0U}}) {
    Use& wake = profile.uses.emplace_back(Use{.file = 1, .call = call, .threads = {{1, thread}}});
    wake.amount.calls = wake.amount.system_calls = 100'000;
    wake.amount.bytes = wake.amount.system_bytes = 800'000;
    wake.amount.time.system_s = 0.07;
  }
  return profile;
}

TEST(CallRules, CountTheThreadsThatMakeWritesForOthers) {
  Profile profile = awaited_in_node();
  const Advice advice = only_advice(profile);
  EXPECT_EQ(advice.kind.id, "tiny-writes");
  EXPECT_NE(advice.fix.find("waits for each write"), std::string::npos) << advice.fix;
  profile.uses[0].call = Call::writev;
  EXPECT_EQ(only_advice(profile).fix.find("waits for each write"), std::string::npos)
      << "the stream has gathered pieces meanwhile";
  profile.uses[0].call = Call::write;
  profile.uses[0].threads = profile.uses[1].threads = {{1, 0}};  // it reads what it has written
  const Advice before = only_advice(profile);
  EXPECT_NE(before.fix.find("`fs.createWriteStream(path)`"), std::string::npos) << before.fix;
  EXPECT_NEAR(advice.least_s(), before.least_s() + 0.14, 1e-9) << "the wakes";
  EXPECT_NEAR(advice.saved_s, before.saved_s + 0.14 + 0.3, 1e-9) << "and the kernel's other work";
  Profile compressed = awaited_in_node();
  compressed.files[compressed.uses[0].file].name = "/f/log.gz";
  compressed.uses[0].amount.work_before_s = 0.001;
  EXPECT_NEAR(only_advice(compressed).by_runtime_s, advice.by_runtime_s + 0.001, 1e-9);
}

// 100,000 turns of the loop of events take 10 to 40 us each, and no more than there is.
TEST(CallRules, CountTheTurnsOfALoopThatWaitsForEachCall) {
  for (const auto& [work_s, least_s, most_s] :
       {std::tuple{0.0, 0.0, 0.0}, {2.0, 1.0, 2.0}, {9.0, 1.0, 4.0}}) {
    Profile profile = awaited_in_node();
    profile.processes[0].user_s = 10;
    profile.wall_s = 20;
    const Advice before = only_advice(profile);
    profile.uses[0].amount.work_before_s = work_s;
    const Advice advice = only_advice(profile);
    EXPECT_NEAR(advice.least_s(), before.least_s() + least_s, 1e-9);
    EXPECT_NEAR(advice.saved_s, before.saved_s + most_s, 1e-9);
  }
}

// A language's module flushes after each record.
TEST(CallRules, CountTheCompressionOfEachPiece) {
  Profile profile = written_records(Call::write);
  profile.sites[0].frames = {{"", "", "/usr/bin/python3.11"}};
  profile.uses[0].amount.time.system_s = 0.002;
  profile.uses[0].amount.work_before_s = 0.5;
  profile.processes[0].user_s = 0.6;
  EXPECT_FALSE(has_advice(profile, "tiny-writes"));
  profile.files[0].name = "/f/log.gz";
  const Advice advice = advice_with(profile, "tiny-writes");
  EXPECT_NEAR(advice.saved_s, 0.5, 0.01);
  EXPECT_LT(advice.least_s(), 0.01);
  EXPECT_NE(advice.why.find("The compression for each flush"), std::string::npos);
}

// fs.promises.appendFile opens the file for each record.
TEST(CallRules, CountTheThreadsThatMakeOpeningsForOthers) {
  Profile profile = awaited_in_node();
  profile.uses[0].call = Call::open;
  profile.uses[0].amount.bytes = profile.uses[0].amount.system_bytes = 0;
  profile.uses[0].amount.work_before_s = 0.001;
  const Advice advice = only_advice(profile);
  EXPECT_NE(advice.fix.find("open the file once"), std::string::npos) << advice.fix;
  profile.uses[0].threads = profile.uses[1].threads = {{1, 0}};
  const Advice before = only_advice(profile);
  EXPECT_NEAR(advice.least_s(), before.least_s() + 0.14 + 0.001, 1e-9) << "the wakes and turns";
  EXPECT_NEAR(advice.saved_s, before.saved_s + 0.14 + 0.3, 1e-9);
}

TEST(CallRules, FindTurnsNoticeableWhoseCallsAreNot) {
  Profile profile = awaited_in_node();
  for (Use& use : profile.uses) use.amount.time.system_s = 1e-3;
  profile.uses[0].amount.work_before_s = 0.5;
  profile.processes[0].user_s = 0.9;
  EXPECT_NEAR(only_advice(profile).least_s(), 0.5, 0.01);
}

TEST(CallRules, SeeReadsThatOthersMake) {
  Profile profile = awaited_in_node();
  profile.uses[0].call = Call::read;
  EXPECT_NE(only_advice(profile).fix.find("leave `highWaterMark`"), std::string::npos);
}

TEST(CallRules, DoNotTakeSeldomWakesForCallsThatOthersMake) {
  Profile profile = awaited_in_node();
  profile.uses[1].amount.calls = 80'000;
  EXPECT_EQ(only_advice(profile).fix.find("waits for each write"), std::string::npos);
}

}  // namespace
}  // namespace sluice::trace
