// Advice about files that are written anew as a whole, or only appended to.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

Profile with_file(std::uint64_t size_bytes, std::uint64_t opens, int flags) {
  Profile profile = one_second();
  profile.files.push_back({.name = "/f/file",
                           .opens = opens,
                           .size_bytes = size_bytes,
                           .kind = S_IFREG,
                           .flags = static_cast<std::uint32_t>(flags)});
  return profile;
}

Amount& add(Profile& profile, Call call, std::uint64_t calls, std::uint64_t bytes,
            double system_s) {
  return add_calls(profile, call, calls, bytes, system_s).amount;
}

// A file of 10 kB is written 1000 times.
Profile written_again(int flags = O_WRONLY) {
  Profile profile = with_file(10'000, 1000, flags);
  add(profile, Call::open, 1000, 0, 0.01).work_before_s = 0.5;
  add(profile, Call::write, 1000, 10'000'000, 0.02);
  add(profile, Call::close, 1000, 0, 0.01);
  return profile;
}

TEST(RenewalRules, SeeAFileThatIsWrittenAnewAsAWhole) {
  const Profile profile = written_again();
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"written-anew"});
  const Advice advice = advice_with(profile, "written-anew");
  EXPECT_NEAR(*advice.least_saved_s, 0.04 * 0.999, 1e-9) << "the calls";
  EXPECT_NEAR(advice.saved_s, (0.04 + 0.1) * 0.999, 1e-9) << "10 ns for each byte";
}

TEST(RenewalRules, CountTheRenamingsOfAFileThatIsReplaced) {
  Profile profile = written_again();
  add(profile, Call::rename, 2000, 0, 0.1).time.sleep_s = 0.3;  // of this file and of another one
  const Advice renamed = advice_with(profile, "written-anew");
  EXPECT_NEAR(*renamed.least_saved_s, (0.04 + 0.2) * 0.999, 1e-9);
  EXPECT_NE(renamed.why.find("0.200 s, is the time of `rename`"), std::string::npos) << renamed.why;
  profile.uses.back().amount.calls = 999;
  EXPECT_NEAR(*advice_with(profile, "written-anew").least_saved_s, 0.04 * 0.999, 1e-9)
      << "something else is renamed";
}

// Each new file has a name of its own, and takes the place of the old one.
TEST(RenewalRules, SeeAFileThatIsReplacedUnderOtherNames) {
  Profile profile = one_second();
  profile.files.push_back({.name = "state"});
  Amount& renamings = add(profile, Call::rename, 300, 0, 0.01);
  renamings.time.sleep_s = 0.3;
  renamings.repeated = 299;
  for (std::size_t i = 1; i <= 300; ++i) {
    profile.files.push_back({.name = std::to_string(i), .kind = S_IFREG, .is_gone = true});
    for (const Call call : {Call::write, Call::fsync, Call::close}) {
      Use& use = add_calls(profile, call, 1, call == Call::write ? 1'000 : 0, 1e-4);
      use.file = i;
    }
  }
  const Advice advice = advice_with(profile, "written-anew");
  EXPECT_EQ(advice.seen, "300 files were written, 293 KiB in all, and took the place of one file");
  EXPECT_NEAR(advice.least_s(), (0.31 + 0.09) * 299 / 300, 1e-6);
  Profile others = profile;
  others.uses[0].amount.repeated = 260;
  EXPECT_FALSE(has_advice(others, "written-anew")) << "40 files, each replaced 7 times";
  others = profile;
  others.files[1].opens = 10;
  EXPECT_FALSE(has_advice(others, "written-anew")) << "the file has the advice";
  others = profile;
  for (std::size_t i = 1; i <= 31; ++i) others.files[i].is_gone = false;
  EXPECT_FALSE(has_advice(others, "written-anew")) << "other files are renamed";
  others = profile;
  for (std::size_t i = 1; i <= 31; ++i) {
    add_calls(others, Call::read, 1, 1'000, 0).file = i;
  }
  EXPECT_FALSE(has_advice(others, "written-anew")) << "they are read before";
}

TEST(RenewalRules, CountNoMoreForTextsThanTheProgramWorks) {
  Profile profile = written_again();
  profile.uses[0].amount.work_before_s = 0.05;
  EXPECT_NEAR(advice_with(profile, "written-anew").saved_s, (0.04 + 0.05) * 0.999, 1e-9);
}

TEST(RenewalRules, SayThatCutsWaitForTheDisk) {
  Profile profile = written_again();
  profile.files[0].remains = true;
  EXPECT_EQ(advice_with(profile, "written-anew").fix.find("ftruncate"), std::string::npos);
  profile.uses[0].amount.time.sleep_s = 0.1;
  const Advice waiting = advice_with(profile, "written-anew");
  EXPECT_NE(waiting.why.find("The next cut waits for this"), std::string::npos) << waiting.why;
  EXPECT_NE(waiting.fix.find("If each change must be in the file, write the new contents over"),
            std::string::npos);
  profile.files[0].remains = false;
  EXPECT_EQ(advice_with(profile, "written-anew").fix.find("ftruncate"), std::string::npos);
}

// A counter is read, cut to nothing and written.
Profile cut_again() {
  Profile profile = with_file(10, 1000, O_RDWR);
  profile.files[0].remains = true;
  add(profile, Call::open, 1000, 0, 0.01);
  add(profile, Call::read, 1000, 10'000, 0.01);
  add(profile, Call::ftruncate, 1000, 0, 0.02).time.sleep_s = 0.5;
  add(profile, Call::write, 1000, 10'000, 0.01);
  add(profile, Call::close, 1000, 0, 0.01);
  return profile;
}

TEST(RenewalRules, CountTheCutsOfAState) {
  const Profile profile = cut_again();
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"kept-state"});
  const Advice advice = advice_with(profile, "kept-state");
  EXPECT_NEAR(advice.least_s(), 0.56, 1e-9);
  EXPECT_NE(advice.fix.find("in C by pwrite and ftruncate"), std::string::npos);
  Profile synced = profile;
  add(synced, Call::fsync, 1000, 0, 0.001);
  EXPECT_EQ(advice_with(synced, "kept-state").fix.find("ftruncate"), std::string::npos)
      << "the contents are not to be mixed";
}

// A buffer saves most of the writes, and nothing else changes.
TEST(RenewalRules, LeaveManyWritesForEachRenewalToABuffer) {
  Profile state = cut_again();
  Amount& writes = state.uses[3].amount;
  writes.calls = writes.system_calls = 50'000;
  writes.time.system_s = 0.05;
  EXPECT_TRUE(has_advice(state, "tiny-writes")) << "it is cut";
  EXPECT_TRUE(has_advice(state, "kept-state"));
  state.uses.erase(state.uses.begin() + 2);
  EXPECT_TRUE(has_advice(state, "tiny-writes")) << "it is read by its writer";
  state.uses[2].amount.calls = state.uses[2].amount.system_calls = 1'000;
  state.uses[0].amount.calls = 1;
  state.uses[0].amount.time.system_s = 0;
  state.files[0].opens = 1;
  EXPECT_TRUE(has_advice(state, "tiny-writes")) << "it stays open";
}

TEST(RenewalRules, LeaveTheOneWriteOfEachRenewal) {
  Profile state = cut_again();
  state.uses[3].amount.time.system_s = 0.1;
  state.uses[0].amount.calls = state.uses[4].amount.calls = 1;
  state.files[0].opens = 1;
  EXPECT_FALSE(has_advice(state, "tiny-writes"));
}

TEST(RenewalRules, ReadManyRecordsOfAFileThatIsCut) {
  Profile profile = cut_again();
  add(profile, Call::flock, 1000, 0, 0);
  add(profile, Call::lseek, 100'000, 0, 0.1);
  profile.uses[1].amount.calls = profile.uses[1].amount.system_calls = 100'000;
  EXPECT_TRUE(has_advice(profile, "seek-before-read"));
}

TEST(RenewalRules, SeeALockedFileThatIsCutEachTime) {
  Profile profile = cut_again();
  profile.uses[3].amount.time.system_s = 0.1;
  add(profile, Call::flock, 1000, 0, 0);
  add(profile, Call::lseek, 1000, 0, 0.01);
  const Advice advice = advice_with(profile, "cut-each-time");
  EXPECT_EQ(advice.seen,
            "cut 1,000 times, and 9.8 KiB written in all; the file has 10 bytes in the end");
  EXPECT_NEAR(advice.least_s(), 0.5, 1e-9);
  EXPECT_NEAR(advice.saved_s, 0.52, 1e-9);
  for (const char* other : {"tiny-writes", "seek-before-read", "kept-state"}) {
    EXPECT_FALSE(has_advice(profile, other)) << other;
  }
  for (const auto& [name, is_told, change] :
       std::initializer_list<std::tuple<const char*, bool, void (*)(Profile&)>>{
           {"the file grows", false, [](Profile& of) { of.files[0].size_bytes = 26; }},
           {"writes go to the end", false, [](Profile& of) { of.files[0].flags |= O_APPEND; }},
           {"nothing waits", false, [](Profile& of) { of.uses[2].amount.time.sleep_s = 0.01; }},
           {"it stays open", false, [](Profile& of) { of.uses[4].amount.calls = 1; }},
           {"nothing changes", true, [](Profile&) {}}}) {
    Profile changed = profile;
    change(changed);
    EXPECT_EQ(has_advice(changed, "cut-each-time"), is_told) << name;
  }
}

// 4 ms of calls alone would be too little to name.
TEST(RenewalRules, NameAFileWhoseTextsTakeLongerThanItsCalls) {
  Profile profile = written_again();
  for (Use& use : profile.uses) use.amount.time.system_s /= 10;
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"written-anew"});
  profile.uses[0].amount.work_before_s = 0.01;
  EXPECT_TRUE(ids_of(profile).empty());
}

TEST(RenewalRules, CountMoreForTheTextsOfLanguagesThatAreNotCompiled) {
  Profile profile = written_again();
  profile.uses[0].amount.work_before_s = 2;
  for (const auto& [program, byte_ns] :
       {std::pair{"/usr/bin/python3.11", 80}, {"/usr/bin/node", 10}, {"/usr/bin/a", 10}}) {
    profile.sites[0].frames[0].module = program;
    EXPECT_NEAR(advice_with(profile, "written-anew").saved_s, (0.04 + 0.01 * byte_ns) * 0.999, 1e-9)
        << program;
  }
}

TEST(RenewalRules, CountTheTextsThatStdioMakes) {
  Profile profile = written_again();
  profile.uses[0].amount.work_before_s = 0;
  add(profile, Call::fprintf, 100'000, 10'000'000, 0).time.copying_s = 0.05;
  profile.uses.back().amount.system_bytes = profile.uses.back().amount.system_calls = 0;
  EXPECT_NEAR(advice_with(profile, "written-anew").saved_s, (0.04 + 0.05) * 0.999, 1e-9);
}

TEST(RenewalRules, DoNotTakeAppendedRecordsForTheWholeFile) {
  EXPECT_EQ(ids_of(written_again(O_WRONLY | O_APPEND)), std::vector<std::string>{"reopened"});
  Profile large = written_again();
  large.files[0].size_bytes = 1'000'000;
  EXPECT_EQ(ids_of(large), std::vector<std::string>{"reopened"});
}

TEST(RenewalRules, DoNotTakeAFileThatIsReadToo) {
  Profile profile = written_again();
  add(profile, Call::read, 100, 1000, 0.001);
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"reopened"});
}

// A file of 1 kB stays open, and is cut and written again 1000 times.
Profile renewed_in_place(Call write, std::uint64_t size_bytes = 1000) {
  Profile profile = with_file(size_bytes, 1, O_RDWR);
  add(profile, Call::lseek, 1000, 0, 0.01);
  add(profile, Call::ftruncate, 1000, 0, 0.02).work_before_s = 0.1;
  add(profile, write, 1000, 1'000'000, 0.03);
  return profile;
}

TEST(RenewalRules, SeeAFileThatStaysOpenAndIsWrittenAnew) {
  for (const Call write : {Call::write, Call::fflush, Call::fputs}) {
    const Profile profile = renewed_in_place(write);
    EXPECT_EQ(ids_of(profile), std::vector<std::string>{"written-anew"});
    const Advice advice = advice_with(profile, "written-anew");
    EXPECT_NE(advice.seen.find("written 1,000 times as a whole"), std::string::npos);
    EXPECT_NEAR(*advice.least_saved_s, 0.06 * 0.999, 1e-9) << "the calls";
    EXPECT_NEAR(advice.saved_s, (0.06 + 0.01) * 0.999, 1e-9) << "10 ns for each byte";
  }
}

TEST(RenewalRules, SeeAFileThatIsOverwrittenByOneCallEachTime) {
  Profile profile = renewed_in_place(Call::pwrite);
  profile.uses.erase(profile.uses.begin(), profile.uses.begin() + 2);
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"written-anew"});
  profile.uses[0].call = Call::write;
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"tiny-writes"}) << "nothing goes back";
}

TEST(RenewalRules, DoNotTakeOtherWritesForTheWholeFile) {
  EXPECT_EQ(ids_of(renewed_in_place(Call::pwrite, 10'000)), std::vector<std::string>{"tiny-writes"})
      << "a part of the file";
  EXPECT_EQ(ids_of(renewed_in_place(Call::pwrite, 300)), std::vector<std::string>{"tiny-writes"})
      << "it was cut at the end";
  Profile few = renewed_in_place(Call::pwrite);
  for (Use& use : few.uses) use.amount.calls = use.amount.system_calls = 99;
  few.files[0].size_bytes = 10'000;
  EXPECT_TRUE(ids_of(few).empty());
  Profile with_reads = renewed_in_place(Call::pwrite);
  add(with_reads, Call::pread, 101, 101'000, 0.001);
  const std::vector<std::string> ids = ids_of(with_reads);
  EXPECT_EQ(std::count(ids.begin(), ids.end(), "written-anew"), 0) << "others may write it too";
  with_reads.uses.back().amount.calls = 1;
  EXPECT_EQ(ids_of(with_reads).front(), "written-anew") << "it was read at the beginning";
}

// A file of 1 MB, by 10,000 records of 100 bytes, each behind a seek.
Profile sought(std::uint64_t size_bytes = 1'000'000, int flags = O_WRONLY) {
  Profile profile = with_file(size_bytes, 1, flags);
  add(profile, Call::fseek, 10'000, 1'000'000, 0.1).bytes = 0;
  Amount& prints = add(profile, Call::fprintf, 10'000, 1'000'000, 0);
  prints.copies = prints.calls;
  prints.system_calls = prints.system_bytes = 0;
  return profile;
}

TEST(RenewalRules, SeeASeekToTheEndBeforeEachRecord) {
  const Advice advice = advice_with(sought(), "seek-before-write");
  EXPECT_NEAR(advice.saved_s, 0.05 + 0.05 * 2457.6 / 2557.6, 1e-9);
  EXPECT_NEAR(*advice.least_saved_s, 0.05 + 0.05 * 819.2 / 919.2, 1e-9);
  EXPECT_TRUE(advice.fix.starts_with("If the seeks go to the end, open")) << "or anywhere else";
  const Profile at_end = sought(50'000'000, O_WRONLY | O_APPEND);
  EXPECT_TRUE(advice_with(at_end, "seek-before-write").fix.starts_with("Open the file to append"));
  Profile asks = sought();
  add(asks, Call::ftell, 9'000, 0, 0);
  EXPECT_TRUE(advice_with(asks, "seek-before-write").fix.starts_with("Open the file to append"));
  Profile may_read = sought();
  Amount& seeks = may_read.uses[0].amount;
  seeks.system_bytes += 4096 * seeks.calls;
  seeks.system_calls = 3 * seeks.calls;
  const Advice with_reads = advice_with(may_read, "seek-before-write");
  EXPECT_EQ(with_reads.seen, advice.seen) << "what the seeks read is not in the buffer";
  EXPECT_GT(with_reads.least_s(), advice.least_s()) << "a smaller part of their time writes";
}

TEST(RenewalRules, DoNotTakeChangesInPlaceForAppending) {
  EXPECT_TRUE(ids_of(sought(10'000)).empty()) << "each byte was written 100 times";
  EXPECT_TRUE(ids_of(sought(50'000'000)).empty()) << "it was there before";
}

// 20,000 records of 24 bytes, each followed by the header's 8 bytes.
Profile with_header(Call write, Call seek) {
  Profile profile = with_file(480'000, 1, O_WRONLY);
  Amount& writes = add(profile, write, 40'000, 640'000, 0.1);
  Amount& seeks = add(profile, seek, 40'000, 640'000, 0.2);
  seeks.bytes = 0;
  seeks.far_calls = seeks.calls;
  (seek == Call::lseek ? seeks : writes).system_bytes = 0;
  return profile;
}

TEST(RenewalRules, SeeAHeaderThatIsWrittenAfterEachRecord) {
  const Advice seeks = advice_with(with_header(Call::fwrite, Call::fseek), "rewritten-part");
  EXPECT_NE(seeks.seen.find("156.2 KiB of the 625 KiB that the program has written"),
            std::string::npos)
      << seeks.seen;
  EXPECT_GT(*seeks.least_saved_s, 0.19);
  const Profile direct = with_header(Call::write, Call::lseek);
  EXPECT_EQ(ids_of(direct), std::vector<std::string>{"rewritten-part"}) << "one cause, one cure";
  EXPECT_EQ(advice_with(direct, "rewritten-part").uses.size(), 2U);
  EXPECT_GT(*advice_with(direct, "rewritten-part").least_saved_s, 0.28);
}

TEST(RenewalRules, DoNotTakeOtherFilesForSuchWithAHeader) {
  const auto is_seen = [](const Profile& profile) {
    const std::vector<std::string> ids = ids_of(profile);
    return std::ranges::find(ids, "rewritten-part") != ids.end();
  };
  Profile grown = with_header(Call::fwrite, Call::fseek);
  ASSERT_TRUE(is_seen(grown));
  grown.files[0].size_bytes = 640'000;
  EXPECT_FALSE(is_seen(grown)) << "each byte was written once";
  Profile old = with_header(Call::fwrite, Call::fseek);
  old.files[0].first_bytes = 480'000;
  EXPECT_FALSE(is_seen(old)) << "it does not grow";
  Profile opened = with_header(Call::fwrite, Call::fseek);
  add(opened, Call::fopen, 2, 0, 0);
  EXPECT_FALSE(is_seen(opened)) << "it may have been cut when it was opened";
  Profile cut = with_header(Call::fwrite, Call::fseek);
  add(cut, Call::ftruncate, 1, 0, 0);
  EXPECT_FALSE(is_seen(cut));
  Profile read = with_header(Call::fwrite, Call::fseek);
  add(read, Call::fread, 40'000, 640'000, 0.1);
  EXPECT_FALSE(is_seen(read)) << "it may write what it has read";
  Profile few = with_header(Call::fwrite, Call::fseek);
  few.uses[1].amount.calls = few.uses[1].amount.system_calls = 3'999;
  EXPECT_FALSE(is_seen(few)) << "most writes follow each other";
  EXPECT_FALSE(is_seen(with_header(Call::pwrite, Call::pread))) << "records that have places";
  Profile pages = with_header(Call::fwrite, Call::fseek);
  pages.files[0].size_bytes = 100'000'000;
  pages.uses[0].amount.bytes = 160'000'000;
  EXPECT_FALSE(is_seen(pages)) << "no header has 1,500 bytes for each seek";
}

TEST(RenewalRules, TakeQuestionsForThePositionAsASignOfAppending) {
  Profile profile = sought(50'000'000);
  add(profile, Call::ftell, 10'000, 0, 0);
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"seek-before-write"});
}

TEST(RenewalRules, DoNotTakeSeeksWithoutRecordsOrWithLargeOnes) {
  Profile none = sought();
  none.uses[0].amount.system_bytes = 0;
  none.files[0].size_bytes = 0;
  EXPECT_TRUE(ids_of(none).empty());
  Profile large = sought(100'000'000);
  large.uses[0].amount.system_bytes = 100'000'000;
  EXPECT_TRUE(ids_of(large).empty());
}

TEST(RenewalRules, LeaveSeeksBetweenReadsToOtherAdvice) {
  Profile profile = sought();
  add(profile, Call::fread, 10'000, 1'000'000, 0.01);
  const std::vector<std::string> ids = ids_of(profile);
  EXPECT_EQ(std::count(ids.begin(), ids.end(), "seek-before-write"), 0);
}

}  // namespace
}  // namespace sluice::trace
