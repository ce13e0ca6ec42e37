// Advice about programs that read a file again, and work on its bytes each time.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "trace/advice/advice.h"

namespace sluice::trace {
namespace {

using preload::Call;

Use& add(Profile& profile, Call call, std::uint64_t calls, std::uint64_t bytes, double work_s) {
  Use& use = profile.uses.emplace_back(Use{.call = call, .threads = {{1, 0}}});
  use.amount.calls = use.amount.system_calls = calls;
  use.amount.bytes = use.amount.system_bytes = bytes;
  use.amount.time.system_s = 1e-6 * static_cast<double>(calls);
  use.amount.work_before_s = work_s;
  return use;
}

// A process of one second reads 100 times as many bytes as its file has, in 2,000 calls, which take
// 2 ms. It works for 0.4 s between them.
Profile reading_again(const std::string& module = "/usr/bin/python3") {
  Profile profile;
  profile.command = {"program"};
  profile.wall_s = 1;
  profile.processes.push_back(
      {.number = 1, .program = "program", .wall_s = 1, .user_s = 0.6, .threads = 1, .ended = true});
  profile.moments.push_back({.moment_ns = 10'000'000});
  profile.sites.push_back({.frames = {{"function", "", module}}});
  profile.files.push_back({.name = "/f/file", .opens = 1, .size_bytes = 100'000, .kind = S_IFREG});
  add(profile, Call::read, 2'000, 10'000'000, 0.4);
  return profile;
}

bool is_told(const Profile& profile) { return !advice_by_rules(profile).empty(); }

Advice told(const Profile& profile) {
  const std::vector<Advice> all = advice_by_rules(profile);
  EXPECT_EQ(all.size(), 1U) << (all.empty() ? "" : all.back().kind.id);
  if (all.empty()) return {};
  EXPECT_EQ(all[0].kind.id, "read-again");
  return all[0];
}

TEST(ReadingAgain, CostsTheWorkOnTheBytes) {
  const Advice advice = told(reading_again());
  EXPECT_NEAR(advice.least_s(), 0.15 * 0.4, 0.003);
  EXPECT_NEAR(advice.saved_s, 0.4, 0.005);
  EXPECT_TRUE(advice.why.ends_with("the lower end a small part.")) << advice.why;
}

// Node closes files where no hook sees it.
TEST(ReadingAgain, CostsTheWorkBeforeTheNextOpening) {
  Profile profile = reading_again();
  add(profile, Call::open, 100, 0, 0.1);
  EXPECT_NEAR(told(profile).saved_s, 0.5, 0.01);
  add(profile, Call::close, 100, 0, 0);
  EXPECT_NEAR(told(profile).saved_s, 0.4, 0.01) << "the program works before its next opening";
}

// The calls go with the reading, whatever they would cost if the file was read once.
TEST(ReadingAgain, CostsTheCallsOfTheLibraryToo) {
  Profile profile = reading_again("/usr/bin/program");
  Use& lines = profile.uses[0];
  lines.call = Call::fgets;
  lines.amount.calls = 1'000'000;
  lines.amount.copies = 998'000;
  lines.amount.time.copying_s = 0.3;
  lines.amount.copying_by_run_s = 0.01;
  lines.amount.work_before_s = 0.1;
  EXPECT_EQ(advice_by_rules(profile)[0].kind.id, "tiny-stdio-reads") << "a file that stays open";
  add(profile, Call::fopen, 100, 0, 0);
  const Advice anew = told(profile);
  EXPECT_NEAR(anew.least_s(), 0.5 * 0.3, 0.01);
  EXPECT_NEAR(anew.saved_s, 0.4, 0.01);
}

// What takes longer for each byte is more than to make something of the bytes.
TEST(ReadingAgain, SurelyCostsNoMoreThanTheBytesDo) {
  const Advice compiled = told(reading_again("/usr/bin/program"));
  EXPECT_NEAR(compiled.least_s(), 0.15 * 0.1, 0.002) << "10 ns for each byte";
  EXPECT_NEAR(compiled.saved_s, 0.4, 0.005);
  Profile small = reading_again();
  small.files[0].size_bytes = 1'000;
  small.uses[0].amount.bytes = small.uses[0].amount.system_bytes = 100'000;
  EXPECT_FALSE(is_told(small)) << "the program computes";
  small.uses[0].amount.work_before_s = 0.19;
  EXPECT_FALSE(is_told(small)) << "it may compute";
  add(small, Call::open, 100, 0, 0);
  EXPECT_NEAR(told(small).saved_s, 0.19, 0.005) << "1.9 us for each byte of settings";
  small.uses[0].amount.work_before_s = 0.21;
  EXPECT_FALSE(is_told(small)) << "it computes beside its settings";
}

TEST(ReadingAgain, AFewTimesMayHaveSeveralReasons) {
  Profile profile = reading_again();
  profile.files[0].size_bytes = 1'200'000;
  EXPECT_FALSE(is_told(profile));
}

TEST(ReadingAgain, TheWholeFileAFewTimesMayBeOneHabit) {
  Profile profile = reading_again();
  profile.files[0].size_bytes = 1'200'000;
  add(profile, Call::open, 8, 0, 0);
  const Advice advice = told(profile);
  EXPECT_NEAR(advice.saved_s, 0.4 * 0.88, 0.005);
  EXPECT_LT(advice.least_s(), 0.02) << "only the reading is sure";
  EXPECT_NE(advice.why.find("several times"), std::string::npos) << advice.why;
  Profile filled = profile;
  add(filled, Call::write, 80, 9'600'000, 0);
  EXPECT_FALSE(is_told(filled)) << "other bytes each time";
  profile.uses[1].amount.calls = 10;
  EXPECT_FALSE(is_told(profile)) << "not all of it each time";
  profile.uses[1].amount.calls = 3;
  EXPECT_FALSE(is_told(profile));
  profile.uses[1].amount.calls = 8;
  profile.uses[0].amount.work_before_s = 0.1;
  EXPECT_FALSE(is_told(profile)) << "no large part of the time";
}

// An archive is opened for each of its members, and its list of them is read each time.
TEST(ReadingAgain, OfAnArchiveThatIsOpenedForEachMember) {
  Profile profile = reading_again();
  profile.files[0].size_bytes = 1'200'000;
  add(profile, Call::open, 120, 0, 0);
  add(profile, Call::lseek, 2'000, 0, 0);
  EXPECT_FALSE(is_told(profile)) << "nobody knows what it reads 8 times";
  for (const std::string name : {"/f/parts.zip", "/f/parts.TAR", "/f/parts.tar.gz", "/f/a.xlsx"}) {
    profile.files[0].name = name;
    const Advice advice = told(profile);
    EXPECT_TRUE(advice.fix.starts_with("In Python, open the archive once")) << advice.fix;
    EXPECT_NEAR(advice.least_s(), 0.15 * 0.4 * 0.88, 0.005);
    EXPECT_TRUE(advice.seen.ends_with("; the archive was opened 120 times")) << advice.seen;
  }
  profile.sites[0].frames[0].module = "/usr/bin/ruby";
  EXPECT_TRUE(told(profile).fix.starts_with("Open the archive once")) << told(profile).fix;
  add(profile, Call::write, 100, 1'200'000, 0);
  EXPECT_TRUE(is_told(profile)) << "the program has made the archive before";
  add(profile, Call::write, 1'000, 1'300'000, 0);
  EXPECT_TRUE(is_told(profile)) << "each member and a new list are added to it";
  Profile made_again = profile;
  add(made_again, Call::write, 1'000, 60'000'000, 0);
  EXPECT_FALSE(is_told(made_again)) << "it is made again";
  profile.uses.resize(1);
  EXPECT_FALSE(is_told(profile)) << "it stays open";
}

TEST(ReadingAgain, OfAnArchiveToWhichMembersAreAdded) {
  Profile profile = reading_again();
  profile.files[0].name = "/f/parts.zip";
  profile.files[0].size_bytes = 2'000'000;
  add(profile, Call::open, 200, 0, 0);
  add(profile, Call::write, 600, 9'000'000, 0);
  const Advice advice = told(profile);
  EXPECT_TRUE(advice.fix.find("or add all members to it") != std::string::npos) << advice.fix;
  EXPECT_NEAR(advice.least_s(), 0.15 * 0.4 * 0.8, 0.005);
  profile.uses[1].threads = {{1, 0}, {2, 0}, {3, 0}};
  EXPECT_FALSE(is_told(profile)) << "each process opens it a few times";
  profile.uses[1].threads = {{1, 0}};
  profile.uses[0].amount.calls = 199;
  EXPECT_FALSE(is_told(profile)) << "it is opened, and hardly read";
  profile.uses[0].amount.calls = 2'000;
  profile.files[0].size_bytes = 9'000'000;
  EXPECT_FALSE(is_told(profile)) << "each member is read once";
}

TEST(ReadingAgain, OfAnArchiveAsAWholeIsThatOfAnyFile) {
  Profile profile = reading_again("/usr/bin/program");
  profile.files[0].name = "/f/parts.tar";
  add(profile, Call::fopen, 100, 0, 0);
  EXPECT_TRUE(told(profile).fix.starts_with("Open and read the file once")) << told(profile).fix;
}

// To make the memory for a large file costs more than a second reading through a small buffer.
TEST(ReadingAgain, OfALargeFileAFewTimesCostsNoMoreThanItsMemory) {
  Profile profile = reading_again();
  Use& reads = profile.uses[0];
  reads.amount.time.system_s = 0.2;
  reads.amount.bytes = reads.amount.system_bytes = 3 * (16 << 20);
  profile.files[0].size_bytes = 16 << 20;
  EXPECT_TRUE(is_told(profile));
  profile.files[0].size_bytes = (16 << 20) + 1;
  EXPECT_FALSE(is_told(profile));
}

// A database reads its pages again, and works for its client in between.
TEST(ReadingAgain, IsNoLookingUpOfRecords) {
  Profile sought = reading_again();
  add(sought, Call::lseek, 2'000, 0, 0);
  EXPECT_FALSE(is_told(sought));
  add(sought, Call::open, 200, 0, 0);
  EXPECT_TRUE(told(sought).fix.starts_with("In Python, read the file once, before the loop"));
  Profile at_positions = reading_again();
  at_positions.uses[0].call = Call::pread;
  EXPECT_FALSE(is_told(at_positions));
  EXPECT_FALSE(is_told(reading_again("/usr/lib/libsqlite3.so.0")));
  EXPECT_FALSE(is_told(reading_again("/usr/bin/busybox")));
}

// Each of 100 messages goes through a temporary file.
TEST(ReadingAgain, IsNoReadingOfOtherBytesUnderTheSameName) {
  Profile profile = reading_again();
  add(profile, Call::write, 2'000, 10'000'000, 0);
  add(profile, Call::open, 9, 0, 0);
  EXPECT_TRUE(is_told(profile)) << "it is written in place";
  profile.uses.back().amount.calls = 198;
  EXPECT_FALSE(is_told(profile));
}

TEST(ReadingAgain, TellsAProcessThatWaitsOfChanges) {
  Profile profile = reading_again();
  profile.processes[0].wall_s = 2;
  EXPECT_FALSE(is_told(profile));
  profile.processes[0].queued_s = 0.5;
  EXPECT_TRUE(is_told(profile)) << "it waits for a processor";
  profile.processes[0].ended = false;
  EXPECT_FALSE(is_told(profile)) << "it was killed";
}

TEST(ReadingAgain, IsNeededIfOthersLockTheFile) {
  Profile profile = reading_again();
  add(profile, Call::flock, 100, 0, 0);
  EXPECT_FALSE(is_told(profile));
}

// Perl's Tie::File moves the rest of the file for a change.
TEST(ReadingAgain, CostsTheWritesOfAFileThatIsAlsoWrittenAgain) {
  Profile profile = reading_again("/usr/bin/perl");
  add(profile, Call::lseek, 2'000, 0, 0.1);
  Use& writes = add(profile, Call::write, 1'000, 900'000, 0.2);
  EXPECT_FALSE(is_told(profile)) << "records are changed in place";
  writes.amount.bytes = writes.amount.system_bytes = 5'000'000;
  const Advice advice = told(profile);
  EXPECT_NEAR(advice.saved_s, 0.7, 0.01);
  EXPECT_NE(advice.fix.find("make the changes there too"), std::string::npos) << advice.fix;
}

// A log is read once and then cut. A scratch file is filled three times, read each time, and cut.
TEST(ReadingAgain, IsNoReadingOfAFileThatIsCut) {
  Profile profile = reading_again("/usr/bin/program");
  add(profile, Call::write, 2'000, 10'000'000, 0);
  add(profile, Call::ftruncate, 1, 0, 0);
  EXPECT_TRUE(is_told(profile)) << "the call may have enlarged it";
  profile.files[0].size_bytes = 10'000'000;
  EXPECT_FALSE(is_told(profile));
  profile.uses[0].amount.bytes = profile.uses[0].amount.system_bytes = 30'000'000;
  profile.uses[1].amount.bytes = profile.uses[1].amount.system_bytes = 30'000'000;
  profile.uses[2].amount.calls = 3;
  profile.files[0].remains = true;
  profile.uses[0].amount.time.system_s = 0.3;
  const Advice advice = told(profile);
  EXPECT_EQ(advice.seen, "28.6 MiB were read of a file of 9.5 MiB, which is 3.0 times its size");
  EXPECT_EQ(advice.why.find("the same bytes"), std::string::npos) << advice.why;
}

TEST(ReadingAgain, SaysInTheTermsOfCWhatToKeep) {
  Profile profile = reading_again("/usr/bin/program");
  EXPECT_TRUE(told(profile).fix.starts_with("Keep the bytes in memory"));
  add(profile, Call::open, 200, 0, 0);
  EXPECT_TRUE(told(profile).fix.starts_with("Open and read the file once"));
  add(profile, Call::write, 1'000, 1'500'000, 0);
  EXPECT_NE(told(profile).fix.find("what survives a crash"), std::string::npos);
  EXPECT_EQ(told(profile).why.find("the same bytes"), std::string::npos) << "they may be others";
}

TEST(ReadingAgain, IsTheCauseOfOpeningsAndSeeks) {
  Profile profile = reading_again();
  add(profile, Call::open, 20'000, 0, 0);
  add(profile, Call::lseek, 20'000, 0, 0);
  EXPECT_NEAR(told(profile).least_s(), 0.15 * 0.4 + 0.04, 0.003);
}

// Tie::File looks lines up too. The work on the bytes costs more than the seeks.
TEST(ReadingAgain, LeavesOutTheSeeksThatSurelyCostLess) {
  Profile profile = reading_again("/usr/bin/perl");
  profile.uses[0].amount.time.system_s = 0.006;
  add(profile, Call::lseek, 6'000, 0, 0);
  add(profile, Call::write, 1'000, 5'000'000, 0);
  EXPECT_NEAR(told(profile).least_s(), 0.15 * 0.4, 0.01);
  profile.uses[0].amount.work_before_s = 0.001;
  EXPECT_EQ(advice_by_rules(profile).at(0).kind.id, "seek-before-read");
}

// Each of 1,000 files is opened and read three times. No file alone matters.
TEST(ReadingAgain, OfManySmallFilesHasTheirOpenings) {
  Profile profile = reading_again("/usr/bin/program");
  profile.uses.clear();
  profile.files.clear();
  for (std::size_t i = 0; i < 1'000; ++i) {
    profile.files.push_back(
        {.name = "/f/" + std::to_string(i), .opens = 3, .size_bytes = 1'000, .kind = S_IFREG});
    for (const Call call : {Call::fopen, Call::fread}) {
      Use& use = profile.uses.emplace_back(Use{.file = i, .call = call, .threads = {{1, 0}}});
      use.amount.calls = use.amount.system_calls = 3;
      use.amount.bytes = use.amount.system_bytes = call == Call::fread ? 3'000 : 0;
      use.amount.time.system_s = call == Call::fopen ? 30e-6 : 3e-6;
    }
  }
  const Advice advice = told(profile);
  EXPECT_EQ(advice.files, 1'000U);
  EXPECT_NEAR(advice.saved_s, 0.033 * 2 / 3, 2e-3);
  for (Use& use : profile.uses) {
    if (use.call == Call::fopen) use.amount.calls = 4;
  }
  EXPECT_FALSE(is_told(profile)) << "not all of it each time";
}

// A table of 4 KB that is gone through 10,000 times in 400 calls each, which stay in the buffer.
Profile rewound() {
  Profile profile = reading_again("/usr/bin/program");
  profile.files[0].size_bytes = 4'000;
  Use& reads = profile.uses[0];
  reads.call = Call::fgets;
  reads.amount.calls = reads.amount.copies = 4'000'000;
  reads.amount.system_calls = 1;
  reads.amount.bytes = 40'000'000;
  reads.amount.system_bytes = 4'000;
  reads.amount.time = {.copying_s = 0.2};
  reads.amount.work_before_s = 0;
  add(profile, Call::fseek, 10'000, 0, 0);
  return profile;
}

TEST(ReadingAgain, CountsTheBytesThatStayInAStreamsBuffer) {
  Profile profile = rewound();
  const Advice advice = advice_by_rules(profile).at(0);
  EXPECT_EQ(advice.kind.id, "read-again");
  EXPECT_EQ(advice.seen, "38.1 MiB were read of a file of 3.9 KiB, which is 10,000 times its size");
  EXPECT_NEAR(advice.least_s(), 0.1, 0.01) << "half of the copying";
  EXPECT_TRUE(advice.keeps_file) << "the reads have this cause";
  profile.uses[1].amount.calls = 4'999;
  EXPECT_LT(advice_by_rules(profile).at(0).least_s(), 0.09) << "it goes back for other reasons";
}

}  // namespace
}  // namespace sluice::trace
