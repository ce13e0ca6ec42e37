// Advice about files that a program opens again and again, or only once each.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

Profile with_file(std::uint64_t opens, std::uint32_t kind = S_IFREG) {
  Profile profile = one_second();
  profile.files.push_back({.name = "file", .opens = opens, .kind = kind});
  return profile;
}

Amount& add(Profile& profile, Call call, std::uint64_t calls, std::uint64_t bytes) {
  Amount& amount = profile.uses.emplace_back(Use{.call = call, .threads = {{1, 0}}}).amount;
  amount.calls = amount.system_calls = calls;
  amount.bytes = amount.system_bytes = bytes;
  amount.time.system_s = 0.1;
  return amount;
}

Profile opened_and_closed(std::uint32_t kind = S_IFREG) {
  Profile profile = with_file(20'000, kind);
  add(profile, Call::open, 20'000, 0);
  add(profile, Call::close, 20'000, 0);
  return profile;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(OpeningRules, SayThatALockFileMustNotStayOpen) {
  const Advice advice = only_advice(opened_and_closed());
  EXPECT_EQ(advice.kind.id, "unused-openings");
  EXPECT_EQ(advice.seen, "opened 20,000 times, and the trace saw no read or write");
  EXPECT_TRUE(has(advice.fix, "flock")) << advice.fix;
  EXPECT_FALSE(has(advice.fix + advice.why, "Writer")) << advice.fix;
  EXPECT_NEAR(advice.saved_s, 0.2, 1e-4);
}

// gzopen, one line and gzclose, again and again.
TEST(OpeningRules, CountTheWorkOfACompressionForEachOpening) {
  Profile profile = opened_and_closed();
  add(profile, Call::write, 20'000, 600'000);
  profile.files[0].size_bytes = 600'000;
  for (Use& use : profile.uses) {
    use.amount.time.system_s = 1e-3;
    use.amount.work_before_s = 0.1;
  }
  profile.processes[0].user_s = 0.9;
  EXPECT_FALSE(has_advice(profile, "reopened")) << "a program without a compression";
  profile.sites[0].frames = {{"gzopen", "", "/lib/libz.so.1"}, {"main", "", "/bin/program"}};
  const Advice advice = advice_with(profile, "reopened");
  EXPECT_NEAR(advice.saved_s, 0.3, 0.01);
  EXPECT_NEAR(*advice.least_saved_s, 3e-3, 1e-4);
  profile.uses.back().amount.bytes = profile.uses.back().amount.system_bytes = 0;
  EXPECT_FALSE(has_advice(profile, "reopened")) << "nothing is compressed";
}

// A small table that several programs share is locked, read and written for each change.
TEST(OpeningRules, LeaveTheCallsUnderALock) {
  Profile profile = opened_and_closed();
  profile.files[0].size_bytes = 5000;
  add(profile, Call::read, 20'000, 100'000);
  add(profile, Call::write, 20'000, 100'000);
  add(profile, Call::lseek, 40'000, 0);
  add(profile, Call::flock, 40'000, 0);
  EXPECT_NEAR(advice_with(profile, "reopened").saved_s, 0.2, 1e-4) << "open and close";
}

// Records go to 26 files in turn.
TEST(OpeningRules, CountTheOpeningsOfOnePlace) {
  const auto turns = [](std::uint64_t times) {
    Profile profile = one_second();
    for (std::size_t file = 0; file < 26; ++file) {
      profile.files.push_back({.name = std::to_string(file),
                               .opens = times,
                               .kind = S_IFREG,
                               .flags = O_APPEND | O_WRONLY});
      for (const Call call : {Call::open, Call::write, Call::close}) {
        Use& use = add_calls(profile, call, times, call == Call::write ? 20 * times : 0, 0.01);
        use.file = file;
      }
    }
    return profile;
  };
  const Advice advice = only_advice(turns(20));
  EXPECT_EQ(advice.kind.id, "reopened");
  EXPECT_EQ(advice.files, 26U);
  EXPECT_FALSE(has_advice(turns(4), "reopened")) << "each has its reason";
  Profile read = turns(20);
  std::erase_if(read.uses, [](const Use& use) { return use.call == Call::write; });
  EXPECT_FALSE(has_advice(read, "reopened"));
}

// The file has the number of the process in it, and is gone at the end.
TEST(OpeningRules, KnowALockFileThatHasAFewBytes) {
  Profile profile = opened_and_closed();
  add(profile, Call::write, 20'000, 120'000);
  EXPECT_FALSE(has_advice(profile, "unused-openings"));
  add(profile, Call::unlink, 20'000, 0);
  const Advice advice = advice_with(profile, "unused-openings");
  EXPECT_TRUE(has(advice.seen, "with a few bytes in it, and removed each time")) << advice.seen;
  EXPECT_NEAR(advice.least_s(), 0.2 + 0.2, 1e-3) << "with the writes and the removals";
  EXPECT_FALSE(has_advice(profile, "written-anew"));
  profile.files[0].size_bytes = 6;
  EXPECT_FALSE(has_advice(profile, "unused-openings")) << "it remains";
}

// A program moves thousands of files by copying them within the kernel and removing them.
TEST(OpeningRules, TakeManyFilesForNoLock) {
  Profile profile = opened_and_closed();
  add(profile, Call::unlink, 10'000, 0);
  add(profile, Call::unlink, 10'000, 0);
  EXPECT_TRUE(has_advice(profile, "unused-openings"));
  profile.files[0].is_many = true;
  for (const std::uint32_t kind : {0U, std::uint32_t{S_IFREG}}) {
    profile.files[0].kind = kind;
    EXPECT_TRUE(advice_by_rules(profile).empty()) << "each may be opened once";
  }
}

TEST(OpeningRules, KnowThatAFileIsUsedWhichTheKernelCopies) {
  for (const Call call : {Call::sendfile, Call::copy_file_range}) {
    Profile profile = opened_and_closed();
    add(profile, call, 20'000, 400'000'000);
    EXPECT_FALSE(has_advice(profile, "unused-openings"));
    EXPECT_TRUE(has_advice(profile, "reopened"));
  }
}

TEST(OpeningRules, SpeakOfNoWritingToAFileThatIsOnlyRead) {
  for (const auto& [kind, part] :
       {std::pair{S_IFREG, "pread(fd, ..., 0)"}, std::pair{S_IFCHR, "getrandom"}}) {
    Profile profile = opened_and_closed(static_cast<std::uint32_t>(kind));
    add(profile, Call::read, 20'000, 80'000);
    const Advice advice = only_advice(profile);
    EXPECT_EQ(advice.kind.id, "reopened");
    EXPECT_TRUE(has(advice.fix, part)) << advice.fix;
    EXPECT_FALSE(has(advice.fix + advice.why, "rit")) << advice.why << advice.fix;
  }
}

TEST(OpeningRules, KeepTheMapping) {
  Profile profile = opened_and_closed();
  add(profile, Call::mmap, 18'000, 1'800'000'000).time.system_s = 0.02;
  Advice advice = advice_with(profile, "reopened");
  EXPECT_TRUE(has(advice.fix, "keep the mapping")) << advice.fix;
  EXPECT_NEAR(advice.least_s(), 0.2 + 0.02, 1e-3);
  EXPECT_NEAR(advice.saved_s, 0.2 + 5.4 * 0.02, 1e-3);
  profile.uses.back().amount.calls = 17'999;
  EXPECT_FALSE(has(advice_with(profile, "reopened").fix, "mapping"));
}

TEST(OpeningRules, AreNoticedInAShortRun) {
  const auto is_told = [](double wall_s, double calls_s) {
    Profile profile = opened_and_closed();
    profile.wall_s = profile.processes[0].wall_s = wall_s;
    profile.files[0].size_bytes = 80'000;
    add(profile, Call::write, 20'000, 80'000).time.system_s = 0;
    for (std::size_t i = 0; i < 2; ++i) profile.uses[i].amount.time.system_s = calls_s / 2;
    return has_advice(profile, "reopened");
  };
  EXPECT_TRUE(is_told(0.07, 0.0071)) << "a tenth of it";
  EXPECT_FALSE(is_told(0.07, 0.0069));
  EXPECT_FALSE(is_told(0.02, 0.0049)) << "nobody notices 5 ms";
  EXPECT_FALSE(is_told(0.2, 0.0099));
  EXPECT_TRUE(is_told(0.2, 0.0101));
}

// fgets of a stream whose buffer has 1,024 bytes.
TEST(OpeningRules, ReadAFileOfTheKernelByOneCall) {
  Profile profile = opened_and_closed();
  const double openings_s = only_advice(opened_and_closed()).saved_s;
  Amount& reads = add(profile, Call::fgets, 1'000'000, 20'000'000);
  reads.system_calls = 80'000;
  reads.time = {.copying_s = 0.02, .system_s = 0.08};
  EXPECT_NEAR(advice_with(profile, "reopened").saved_s, openings_s + 0.02 + 0.06, 1e-3);
  EXPECT_NEAR(advice_with(profile, "reopened").least_s(), openings_s, 1e-3);
  reads.system_calls = 20'000;
  EXPECT_NEAR(advice_with(profile, "reopened").saved_s, openings_s, 1e-3) << "one read each";
}

TEST(OpeningRules, NameTheWriterOfAFileThatIsWritten) {
  Profile profile = opened_and_closed();
  add(profile, Call::write, 20'000, 80'000);
  profile.files[0].size_bytes = 80'000;
  EXPECT_TRUE(has(only_advice(profile).fix, "sluice::Writer"));
}

// fdopen(dup(descriptor), "a"), a print and fclose, for each record.
Profile streams_of_copies() {
  Profile profile = with_file(1);
  add(profile, Call::dup, 20'000, 0);
  add(profile, Call::fprintf, 20'000, 0).system_calls = 0;
  add(profile, Call::fclose, 20'000, 100'000);
  return profile;
}

TEST(OpeningRules, SeeAStreamThatIsMadeForEachRecord) {
  const Advice advice = only_advice(streams_of_copies());
  EXPECT_EQ(advice.kind.id, "reopened");
  EXPECT_EQ(advice.seen, "20,000 streams made of copies of its descriptor, and closed");
  EXPECT_NEAR(advice.saved_s, 0.2, 1e-3) << "dup and fclose";
  EXPECT_NEAR(*advice.least_saved_s, 0.15, 1e-3) << "half of fclose";
}

TEST(OpeningRules, TakeNoRedirectionForAStream) {
  Profile of_shell = streams_of_copies();
  of_shell.uses[2].call = Call::close;
  EXPECT_TRUE(advice_by_rules(of_shell).empty());
}

// rsync opens thousands of files, and writes some of them and reads others.
TEST(OpeningRules, DoNotTakeThousandsOfFilesForTemporaryOnes) {
  Profile profile = with_file(0);
  profile.files.front().is_many = true;
  profile.files.front().opens = 40'000;
  add(profile, Call::open, 40'000, 0);
  add(profile, Call::write, 9'999, 1'000'000);
  add(profile, Call::read, 20'000, 1'000'000);
  add(profile, Call::close, 40'000, 0);
  profile.files.push_back({.name = "of its own", .opens = 2, .kind = S_IFREG});
  for (const Call call : {Call::open, Call::write, Call::read}) {
    add(profile, call, 2, call == Call::open ? 0 : 50);
    profile.uses.back().file = 1;
  }
  const auto is_temporary = [&] {
    return std::ranges::any_of(advice_by_rules(profile), [](const Advice& advice) {
      return advice.kind.id == "temporary-files";
    });
  };
  EXPECT_FALSE(is_temporary());
  profile.uses[1].amount.calls = profile.uses[1].amount.system_calls = 10'000;
  EXPECT_TRUE(is_temporary());
  profile.files.back().remains = true;
  EXPECT_FALSE(is_temporary()) << "they are results";
  profile.files.back().remains = false;
  profile.uses.back().amount.system_bytes = 1;
  EXPECT_FALSE(is_temporary()) << "the others are copies";
}

// mkstemp opens a file where no hook sees it.
TEST(OpeningRules, GatherNothingInFilesThatGetOnePieceEach) {
  Profile profile = with_file(0);
  profile.files.front().is_many = true;
  add(profile, Call::write, 20'000, 100'000);
  add(profile, Call::close, 20'000, 0);
  for (int i = 0; i < 100; ++i) {
    profile.files.push_back({.name = std::to_string(i), .kind = S_IFREG});
    add(profile, Call::write, 1, 5);
    profile.uses.back().file = profile.files.size() - 1;
  }
  EXPECT_TRUE(advice_by_rules(profile).empty());
  profile.uses.front().amount.calls = profile.uses.front().amount.system_calls = 200'000;
  EXPECT_EQ(only_advice(profile).kind.id, "tiny-writes") << "ten pieces each";
}

// tmpfile() opens a file where no hook sees it: a text is written, read back, and closed.
TEST(OpeningRules, KnowTemporaryFilesThatNoHookSeesOpened) {
  Profile profile = with_file(0);
  profile.files.front().size_bytes = 5;
  add(profile, Call::fwrite, 5'000, 25'000).system_calls = 0;
  add(profile, Call::fseek, 5'000, 25'000);
  add(profile, Call::fgets, 5'000, 25'000);
  add(profile, Call::fclose, 5'000, 0).work_before_s = 0.2;
  const Advice advice = only_advice(profile);
  EXPECT_EQ(advice.kind.id, "temporary-files");
  EXPECT_EQ(advice.seen, "5,000 temporary files; 24.4 KiB were written and read again");
  EXPECT_NEAR(*advice.least_saved_s, 0.4, 1e-3) << "the calls";
  EXPECT_NEAR(advice.saved_s, 0.6, 1e-3) << "and the making of the files";
}

// A shell writes a file, and another program reads it, many times.
TEST(OpeningRules, DoNotTakeTheReaderOfAFileForItsWriter) {
  Profile profile = with_file(0);
  profile.files.front().size_bytes = 5;
  add(profile, Call::open, 10'000, 0);
  add(profile, Call::write, 5'000, 25'000);
  add(profile, Call::read, 5'000, 25'000);
  add(profile, Call::close, 10'000, 0);
  EXPECT_TRUE(has_advice(profile, "temporary-files"));
  profile.files.front().size_bytes = 2'500;
  EXPECT_TRUE(has_advice(profile, "temporary-files")) << "its first contents were larger";
  profile.uses[2].threads = {{2, 0}};
  EXPECT_FALSE(has_advice(profile, "temporary-files"));
}

// An entry of a file has its openings, also if the table of calls has no room for it.
TEST(OpeningRules, KnowTheOpeningsOfFilesForWhichALogHasNoRoom) {
  Profile profile = with_file(0);
  profile.files.front().is_many = true;
  add(profile, Call::fread, 10'000, 25'000);
  add(profile, Call::fwrite, 5'000, 25'000).system_calls = 0;
  add(profile, Call::fclose, 10'000, 0);
  EXPECT_TRUE(has_advice(profile, "temporary-files"));
  add(profile, Call::fopen, 10'000, 0);
  EXPECT_FALSE(has_advice(profile, "temporary-files")) << "copies";
}

// A loop over a hundred files opens each of them 60 times.
TEST(OpeningRules, KnowFilesThatWereWrittenOnceAndAreReadManyTimes) {
  Profile profile = with_file(61);
  profile.files.resize(100, profile.files[0]);
  for (std::size_t i = 0; i < 100; ++i) {
    for (const Call call : {Call::open, Call::write, Call::close}) {
      add(profile, call, 61, call == Call::write ? 6'100 : 0);
      profile.uses.back().file = i;
    }
  }
  EXPECT_FALSE(advice_by_rules(profile).empty());
  for (Use& use : profile.uses) {
    if (use.call == Call::write) use.amount.calls = 1;
  }
  EXPECT_TRUE(advice_by_rules(profile).empty()) << ids_of(profile)[0];
}

// A stream reads 4 KiB from a device for 4 bytes.
TEST(OpeningRules, CountTheBuffersThatAStreamFillsForNothing) {
  Profile profile = opened_and_closed(S_IFCHR);
  Amount& reads = add(profile, Call::fread, 20'000, 20'000ULL * 4096);
  reads.time.system_s = 0.5;
  const double opened_s = advice_with(profile, "reopened").saved_s;
  reads.bytes = 20'000 * 4;
  const Advice advice = advice_with(profile, "reopened");
  EXPECT_NEAR(advice.saved_s - opened_s, 0.5, 0.001);
  EXPECT_TRUE(has(advice.why, "reads a whole buffer each time")) << advice.why;
  profile.files[0].kind = S_IFREG;
  EXPECT_FALSE(has(advice_with(profile, "reopened").why, "whole buffer"));
}

// A database works for each of its openings too, and does not open its files for fewer changes.
TEST(OpeningRules, CountTheWorkOfADatabaseForEachOpening) {
  Profile profile = opened_and_closed();
  profile.sites[0].frames[0].module = "/usr/lib/librrd.so.8";
  profile.files[0].flags = O_APPEND | O_WRONLY;
  add(profile, Call::write, 20'000, 200'000);
  Advice advice = advice_with(profile, "reopened");
  EXPECT_TRUE(has(advice.why, "comes on top, and is not counted")) << advice.why;
  const double before_s = advice.saved_s;
  profile.uses[1].amount.work_before_s = 0.3;
  advice = advice_with(profile, "reopened");
  EXPECT_NEAR(advice.saved_s, before_s + 0.3, 1e-9);
  EXPECT_NEAR(advice.least_s(), before_s, 1e-9);
  EXPECT_TRUE(has(advice.why, "The work of RRDtool itself")) << advice.why;
  EXPECT_FALSE(has(advice.why, "is not counted")) << advice.why;
}

TEST(OpeningRules, KeepTheConnectionToADatabase) {
  Profile profile = opened_and_closed();
  profile.sites[0].frames[0].module = "/usr/lib/libsqlite3.so.0";
  add(profile, Call::pread, 20'000, 200'000);
  const auto fix = [&] { return advice_with(profile, "reopened").fix; };
  profile.files[0].name = "/f/accounts.db";
  EXPECT_TRUE(has(fix(), "Keep one connection")) << fix();
  profile.files[0].kind = S_IFDIR;
  EXPECT_TRUE(has(fix(), "into one transaction")) << "the folder is synced";
  profile.files[0].kind = S_IFREG;
  profile.files[0].name = "/f/accounts.db-journal";
  EXPECT_TRUE(has(fix(), "into one transaction")) << fix();
}

}  // namespace
}  // namespace sluice::trace
