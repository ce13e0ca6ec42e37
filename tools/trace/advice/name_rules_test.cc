// Advice about names that are looked up again and again, and about locks for each record.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

// A process of one second, whose calls are made by this code.
Profile of_code(const std::string& module) {
  Profile profile = one_second(module);
  profile.files.push_back({.name = "/f/file", .opens = 1, .kind = S_IFREG});
  profile.files.push_back({.name = "/f/other", .opens = 1, .kind = S_IFREG});
  return profile;
}

const char* const of_c = "/usr/bin/program";

Amount& add(Profile& profile, Call call, std::uint64_t calls, double system_s) {
  Use& use = profile.uses.emplace_back(Use{.call = call, .threads = {{1, 0}}});
  use.amount.calls = use.amount.system_calls = calls;
  use.amount.time.system_s = system_s;
  return use.amount;
}

// 0.2 s of look-ups.
Amount& add_look_ups(Profile& profile, Call call, std::uint64_t calls, std::uint64_t repeated) {
  Amount& amount = add(profile, call, calls, 0.2);
  amount.repeated = repeated;
  return amount;
}

// Writes of 20 bytes each.
Amount& add_writes(Profile& profile, std::uint64_t calls, double system_s) {
  Amount& amount = add(profile, Call::write, calls, system_s);
  amount.bytes = amount.system_bytes = calls * 20;
  return amount;
}

std::vector<Advice> advice_of(const Profile& profile, const std::string& id) {
  std::vector<Advice> all = advice_by_rules(profile);
  std::erase_if(all, [&](const Advice& advice) { return advice.kind.id != id; });
  return all;
}

bool is_advised(Call call, std::uint64_t calls, std::uint64_t repeated) {
  Profile profile = of_code(of_c);
  add_look_ups(profile, call, calls, repeated);
  return !advice_of(profile, "looked-up-again").empty();
}

// The places in a language's own code tell nothing, and one dictionary keeps the answers.
TEST(LookUps, OfOneProcessInALanguageAreOneAdvice) {
  const auto three = [](const std::string& module, int last_process, bool has_functions = false,
                        std::uint64_t names = 100) {
    Profile profile = of_code(module);
    profile.processes.push_back(profile.processes[0]);
    profile.moments.push_back(profile.moments[0]);
    for (std::size_t i = 0; i < 3; ++i) {
      profile.sites.push_back(profile.sites[0]);
      if (has_functions) profile.sites.back().frames[0].function += std::to_string(i);
      profile.files.push_back({.name = "/f/" + std::to_string(i), .kind = S_IFREG});
      add_look_ups(profile, i == 0 ? Call::access : Call::stat, 10'000, 10'000 - names);
      profile.uses.back().site = i + 1;
      profile.uses.back().file = i + 2;
    }
    profile.uses.back().threads = {{last_process, 0}};
    return advice_of(profile, "looked-up-again").size();
  };
  EXPECT_EQ(three("/usr/bin/python3", 1), 1U);
  EXPECT_EQ(three("/usr/bin/python3", 2), 2U) << "of two processes";
  EXPECT_EQ(three(of_c, 1), 1U) << "lines of one function";
  EXPECT_EQ(three(of_c, 1, true), 3U) << "functions of the program";
  EXPECT_EQ(three(of_c, 1, false, 99), 3U) << "perhaps other names";
  EXPECT_EQ(three("/usr/bin/python3", 1, false, 1), 1U) << "functions of the language";
  EXPECT_EQ(three("/usr/bin/python3", 1, true), 1U) << "functions of the language";
}

TEST(LookUps, OfFewNamesAreToBeKept) {
  for (const Call call : {Call::stat, Call::access, Call::failed_open}) {
    EXPECT_TRUE(is_advised(call, 100'000, 99'999));
    EXPECT_TRUE(is_advised(call, 100'000, 80'000)) << "each name five times";
  }
}

// A program that looks now and then whether something has changed ends no sooner.
TEST(LookUps, ByAProgramThatSleepsBetweenThemSaveNothing) {
  Profile profile = of_code(of_c);
  add_look_ups(profile, Call::stat, 100'000, 99'999);
  Process& process = profile.processes[0];
  process.number = 7;
  process.ended = true;
  process.user_s = process.wall_s;
  EXPECT_FALSE(advice_of(profile, "looked-up-again").empty());
  process.user_s = 0;
  process.time.sleep_s = 0.4 * process.wall_s;
  process.voluntary_switches = 24'999;
  EXPECT_FALSE(advice_of(profile, "looked-up-again").empty()) << "it has slept once for a while";
  process.voluntary_switches = 25'000;
  EXPECT_TRUE(advice_of(profile, "looked-up-again").empty());
  process.ended = false;
  EXPECT_FALSE(advice_of(profile, "looked-up-again").empty()) << "nobody knows its work";
  process.ended = true;
  Process child;
  child.number = 8;
  child.parent = 7;
  profile.processes.push_back(child);
  profile.moments.push_back(profile.moments[0]);
  EXPECT_FALSE(advice_of(profile, "looked-up-again").empty()) << "it waits for its child";
}

TEST(LookUps, OfAnOpenFileAreToBeKept) {
  Profile profile = of_code(of_c);
  add(profile, Call::fstat, 100'000, 0.2);
  const std::vector<Advice> advice = advice_of(profile, "asked-again");
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_NEAR(advice[0].saved_s, 0.2 * (1 - 1e-5), 1e-9);
  EXPECT_FALSE(advice[0].least_saved_s) << "the program knows the answers";
  profile.uses[0].amount.calls = 99;
  EXPECT_TRUE(advice_of(profile, "asked-again").empty());
}

TEST(LookUps, OfAnOpenFileMakeObjectsInALanguage) {
  Profile profile = of_code("/usr/bin/python3.11");
  add(profile, Call::fstat, 100'000, 0.1).work_before_s = 0.5;
  const std::vector<Advice> advice = advice_of(profile, "asked-again");
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_NEAR(advice[0].by_runtime_s, 100'000 * 1500e-9, 1e-9);
}

TEST(Removals, ByADatabaseArePartOfTheAdviceAboutItsTransactions) {
  Profile profile = of_code("/usr/lib/libsqlite3.so.0");
  add(profile, Call::fdatasync, 300, 0.02);
  const Advice before = advice_of(profile, "sync-after-each").at(0);
  add(profile, Call::unlink, 300, 0.01).time.sleep_s = 0.4;
  profile.files.push_back({.name = "(names that were changed)"});
  profile.uses.back().file = 2;
  const std::vector<Advice> all = advice_by_rules(profile);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].saved_s, before.saved_s + 0.41 * (1 - 1 / 300.), 1e-9);
  EXPECT_NE(all[0].fix.find("one transaction"), std::string::npos);
  EXPECT_EQ(all[0].use, 0U) << "the names of the files that are removed are not known";
  EXPECT_EQ(all[0].files, 1U);
  profile.sites[0].frames[0].module = of_c;
  EXPECT_TRUE(advice_of(profile, "removed-again").empty());
}

TEST(LookUps, OfOneNameInARowAreOneQuestion) {
  Profile profile = of_code(of_c);
  add_look_ups(profile, Call::stat, 50'000, 0).in_a_row = 25'000;
  const std::vector<Advice> advice = advice_of(profile, "asked-in-a-row");
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_NEAR(advice[0].saved_s, 0.1, 1e-9);
  EXPECT_NE(advice[0].seen.find("25,000 of them about the same name"), std::string::npos);
  profile.uses[0].call = Call::readlink;
  EXPECT_TRUE(advice_of(profile, "asked-in-a-row").empty()) << "stat does not tell where it leads";
  profile.uses[0].call = Call::stat;
  profile.uses[0].amount.repeated = 49'999;
  EXPECT_TRUE(advice_of(profile, "asked-in-a-row").empty()) << "there is other advice";
  profile.uses[0].amount.repeated = 0;
  profile.uses[0].amount.calls = 198;
  profile.uses[0].amount.in_a_row = 99;
  EXPECT_TRUE(advice_of(profile, "asked-in-a-row").empty());
}

TEST(LookUps, OfOneNameInARowMakeObjectsInALanguage) {
  Profile profile = of_code("/usr/bin/python3.11");
  Amount& amount = add_look_ups(profile, Call::stat, 50'000, 0);
  amount.in_a_row = 25'000;
  amount.work_before_s = 1;
  EXPECT_NEAR(advice_of(profile, "asked-in-a-row").at(0).by_runtime_s, 50'000 * 1500e-9, 1e-9);
  add_look_ups(profile, Call::stat, 30'000, 0).in_a_row = 30'000;
  profile.sites.push_back(profile.sites[0]);
  profile.uses[1].site = 1;
  profile.uses[1].file = 1;
  EXPECT_EQ(advice_by_rules(profile).size(), 1U)
      << "one habit of the program's, whatever the names";
}

TEST(LookUps, UntilANameIsThereAreNotToBeKept) {
  for (const std::uint64_t repeated : {99'999U, 99'998U}) {  // stat tells of the file in the end
    Profile profile = of_code(of_c);
    Amount& amount = add_look_ups(profile, Call::stat, 100'000, repeated);
    amount.failures = repeated;  // each name is found once
    EXPECT_TRUE(advice_by_rules(profile).empty());
    amount.failures = 99'997;
    EXPECT_EQ(advice_of(profile, "looked-up-again").size(), 1U) << "found again";
    amount.failures = 100'000;
    EXPECT_EQ(advice_of(profile, "looked-up-again").size(), 1U) << "it never comes";
    amount.failures = 99'999;
    amount.repeated = 99'000;
    EXPECT_EQ(advice_of(profile, "looked-up-again").size(), 1U) << "a thousand names";
  }
}

TEST(LookUps, OfNamesThatHardlyComeAgainAreNot) {
  for (const Call call : {Call::stat, Call::access, Call::failed_open}) {
    EXPECT_FALSE(is_advised(call, 40'000, 0));
    EXPECT_FALSE(is_advised(call, 80'000, 40'000)) << "each name twice";
    EXPECT_FALSE(is_advised(call, 80'000, 60'000)) << "each name four times";
    EXPECT_FALSE(is_advised(call, 50, 49)) << "too few to matter";
  }
}

TEST(LookUps, SaveTheTimeOfThoseThatComeAgain) {
  Profile profile = of_code(of_c);
  add_look_ups(profile, Call::stat, 100'000, 90'000);
  const std::vector<Advice> all = advice_of(profile, "looked-up-again");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].saved_s, 0.18, 1e-9);
  EXPECT_EQ(all[0].seen,
            "100,000 calls of stat; at least 90,000 of them ask for a name once more (at most "
            "10,000 names)");
}

TEST(LookUps, OfAFolderHaveTheReadingOfItsNames) {
  Profile profile = of_code(of_c);
  add_look_ups(profile, Call::opendir, 3'000, 2'999).time.system_s = 0.004;
  add(profile, Call::getdents, 4'000, 0.3);
  const std::vector<Advice> all = advice_of(profile, "listed-again");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].least_s(), 0.304, 0.001);
  EXPECT_NEAR(all[0].saved_s, 0.608, 0.001) << "and what the program makes of the names";
  EXPECT_NE(all[0].fix.find("List the folder once"), std::string::npos);
  add(profile, Call::opendir, 3'000, 0.004).repeated = 0;  // of as many other folders
  EXPECT_NEAR(advice_of(profile, "listed-again")[0].least_s(), 0.154, 0.001);
}

TEST(LookUps, OfAFolderHaveWordsAboutFolders) {
  Profile profile = of_code("/usr/bin/python3");
  add_look_ups(profile, Call::opendir, 712, 701).time.system_s = 0.02;
  add(profile, Call::getdents, 1'424, 0.05);
  const std::vector<Advice> all = advice_of(profile, "listed-again");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(
      all[0].seen,
      "712 calls of opendir; at least 701 of them ask for a name once more (at most 11 names)");
  EXPECT_TRUE(all[0].fix.starts_with("In Python, call `os.listdir`")) << all[0].fix;
  EXPECT_NEAR(all[0].saved_s / all[0].least_s(), 4, 0.01);
}

// scandir and glob make the strings themselves.
TEST(LookUps, OfAFolderByOneCallSaveNoStringsOfALanguage) {
  Profile profile = of_code("/usr/bin/node");
  add_look_ups(profile, Call::opendir, 1'000, 999);
  const std::vector<Advice> all = advice_of(profile, "listed-again");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].least_s(), 0.2, 0.001);
  EXPECT_NEAR(all[0].saved_s, 0.4, 0.001);
}

// A program opens a folder at one place, and lists it with two readings each time.
Profile listing_by_open(std::uint64_t times) {
  Profile profile = of_code(of_c);
  add(profile, Call::open, times, 0.01);
  profile.files[0].kind = S_IFDIR;
  add(profile, Call::getdents, 2 * times, 0.1);
  profile.uses.back().file = 1;
  return profile;
}

TEST(LookUps, OfAFolderMayBeOpenings) {
  const std::vector<Advice> all = advice_by_rules(listing_by_open(1'000));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind.id, "listed-again");
  EXPECT_EQ(all[0].seen, "1,000 openings; 999 of them ask for a name once more (1 name)");
  EXPECT_NEAR(all[0].least_s(), 0.11, 0.001);
  EXPECT_NEAR(all[0].saved_s, 0.22, 0.001);
}

TEST(LookUps, OfAFolderAreNoOtherOpenings) {
  const auto is_list = [](const Profile& profile) { return has_advice(profile, "listed-again"); };
  EXPECT_FALSE(is_list(listing_by_open(99)));
  Profile profile = listing_by_open(1'000);
  profile.files[0].is_many = true;
  EXPECT_FALSE(is_list(profile)) << "each of many folders once";
  profile = listing_by_open(1'000);
  profile.uses[1].amount.calls = 1'000;
  EXPECT_FALSE(is_list(profile)) << "to come back to the folder, between lists of others";
  profile = listing_by_open(1'000);
  add(profile, Call::fsync, 1'000, 0.1);
  EXPECT_FALSE(is_list(profile)) << "to sync the folder";
  profile = listing_by_open(1'000);
  profile.files[0].kind = S_IFREG;
  EXPECT_FALSE(is_list(profile)) << "no folder";
  profile = listing_by_open(1'000);
  profile.uses[1].amount.calls = 4'000;
  add(profile, Call::opendir, 400, 0.01).repeated = 0;
  EXPECT_FALSE(is_list(profile)) << "the lists may be those of the other folders";
}

TEST(LookUps, OfAFolderShareTheReadingWithOpenings) {
  Profile profile = listing_by_open(1'000);
  add_look_ups(profile, Call::opendir, 200, 199).time.system_s = 0.01;
  profile.uses[1].amount.calls = 4'000;
  EXPECT_NEAR(advice_of(profile, "listed-again").at(0).least_s(), 0.12, 0.001) << "of both";
}

// Two questions of one line have no files of their own.
TEST(LookUps, OfOneLineAreCalls) {
  Profile profile = of_code(of_c);
  add_look_ups(profile, Call::stat, 100'000, 99'900);
  profile.files.push_back(profile.files[0]);
  add_look_ups(profile, Call::stat, 100'000, 99'900);
  profile.uses.back().file = 1;
  const std::string seen = advice_of(profile, "looked-up-again").at(0).seen;
  EXPECT_TRUE(seen.starts_with("by 2 different calls; by the first, which costs most: ")) << seen;
}

TEST(LookUps, OfTheTimeZoneHaveWordsOfTheirOwn) {
  Profile profile = of_code("/usr/bin/python3");
  profile.files[0].name = "/etc/localtime";
  add_look_ups(profile, Call::stat, 400'000, 399'999);
  const std::vector<Advice> all = advice_of(profile, "time-zone");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].seen, "400,000 calls of localtime, mktime or tzset without a time zone in TZ");
  EXPECT_NEAR(all[0].saved_s, 0.2, 1e-6);
  EXPECT_NEAR(all[0].least_s(), 0.1, 1e-6);
  EXPECT_NE(all[0].fix.find("TZ=:/etc/localtime"), std::string::npos);
}

TEST(LookUps, OfTheCxxLibraryHaveTheWorkOnPaths) {
  Profile profile = of_code(of_c);
  Amount& amount = add_look_ups(profile, Call::stat, 100'000, 99'900);
  amount.work_before_s = 0.5;
  const double alone_s = advice_of(profile, "looked-up-again").at(0).saved_s;
  Profile streams = of_code(of_c);
  add_look_ups(streams, Call::failed_open, 100'000, 99'900).work_before_s = 0.5;
  streams.sites[0].by_iostream = true;
  EXPECT_NEAR(advice_of(streams, "looked-up-again").at(0).saved_s, alone_s, 1e-9)
      << "a stream that cannot be opened makes no path";
  profile.sites[0].by_iostream = true;
  const Advice advice = advice_of(profile, "looked-up-again").at(0);
  EXPECT_NEAR(advice.saved_s, alone_s + 0.15, 1e-9);
  EXPECT_NEAR(advice.least_s(), alone_s, 1e-9);
}

TEST(LookUps, OfUsersHaveWordsOfTheirOwn) {
  Profile profile = of_code(of_c);
  profile.files[0].name = "(users and groups)";
  add_look_ups(profile, Call::stat, 10'000, 9'000);
  const std::vector<Advice> all = advice_of(profile, "users-again");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].seen,
            "10,000 calls of getpwuid, getpwnam, getgrgid or getgrnam: 9,000 times for a user or "
            "group that it had asked for before");
  EXPECT_TRUE(all[0].fix.starts_with("Keep the answer for each name or number")) << all[0].fix;
  profile.files[0].name = "(services)";
  EXPECT_EQ(advice_of(profile, "services-again").size(), 1U);
  profile.files[0].name = "(hosts)";
  EXPECT_EQ(advice_of(profile, "hosts-again").size(), 1U);
}

TEST(LookUps, OfOneNameAreSaidToBeOfOne) {
  Profile profile = of_code(of_c);
  add_look_ups(profile, Call::failed_open, 1'000, 5'000);  // more than there are: a damaged log
  const std::vector<Advice> all = advice_of(profile, "looked-up-again");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].seen,
            "1,000 openings that failed; 999 of them ask for a name once more (1 name)");
}

// The program opens some files at the same place, and only closes them.
Profile asking_by_opening(std::uint64_t reads) {
  Profile profile = of_code(of_c);
  add_look_ups(profile, Call::failed_open, 10'000, 9'999);
  for (const Call call : {Call::open, Call::close, Call::read}) {
    const std::uint64_t calls = call == Call::read ? reads : 1'000;
    if (calls == 0) continue;
    add(profile, call, calls, call == Call::read ? 0 : 0.1);
    profile.uses.back().file = 1;
  }
  return profile;
}

TEST(LookUps, MayBeOpeningsOfFilesThatAreOnlyClosed) {
  const Profile profile = asking_by_opening(0);
  const std::vector<Advice> all = advice_of(profile, "looked-up-again");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].saved_s, 0.2 * 0.9999 + 0.2 * 0.999, 1e-9);
  EXPECT_EQ(all[0].uses.size(), 2U);
  EXPECT_TRUE(advice_of(profile, "unused-openings").empty());
}

// To find a name that is free, a program opens all files that it has made.
TEST(LookUps, MayBeOpeningsOfAllNamesUpToAFreeOne) {
  Profile profile = asking_by_opening(0);
  profile.uses[0].amount.calls = 450;
  profile.uses[0].amount.repeated = 0;
  add(profile, Call::write, 1, 0.001);
  profile.uses.back().file = 1;
  ASSERT_EQ(ids_of(profile), std::vector<std::string>{"looked-up-again"});
  EXPECT_NE(advice_by_rules(profile)[0].fix.find("looks for a free name"), std::string::npos);
  profile.uses[0].amount.calls = 99;
  EXPECT_EQ(ids_of(profile), std::vector<std::string>{"reopened"});
}

TEST(LookUps, AreNoOpeningsOfFilesThatAreRead) {
  const Profile profile = asking_by_opening(1'000);
  const std::vector<Advice> all = advice_of(profile, "looked-up-again");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].saved_s, 0.2 * 0.9999, 1e-9);
  EXPECT_FALSE(advice_of(profile, "reopened").empty());
}

TEST(LookUps, AreNoOpeningsAtAnotherPlaceThanThoseThatFail) {
  Profile profile = asking_by_opening(0);
  profile.sites.push_back({.frames = {{"other", "", of_c}}});
  profile.uses[0].site = 1;
  EXPECT_FALSE(advice_of(profile, "unused-openings").empty());
}

TEST(LookUps, CostALanguageTheWorkOfAnObject) {
  Profile profile = of_code("/usr/bin/python3");
  add_look_ups(profile, Call::stat, 100'000, 99'999).work_before_s = 0.5;
  const std::vector<Advice> all = advice_of(profile, "looked-up-again");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].least_saved_s.value_or(0), 0.2, 1e-5);
  EXPECT_NEAR(all[0].saved_s, 0.35, 1e-5) << "1.5 us for each call";
  EXPECT_NE(all[0].fix.find("`os.path.exists`"), std::string::npos) << all[0].fix;
  profile.sites[0].frames[0].module = "/usr/bin/dash";
  EXPECT_NEAR(advice_of(profile, "looked-up-again").at(0).saved_s, 0.312, 1e-5)
      << "a shell makes no object, and works 1.12 us for a call";
}

Profile locking(std::uint64_t locks, std::uint64_t writes) {
  Profile profile = of_code(of_c);
  add(profile, Call::flock, locks, 0.2).time.sleep_s = 0.3;
  add(profile, Call::lseek, locks / 2, 0.1);
  add_writes(profile, writes, 0.1);
  return profile;
}

TEST(Locks, ForEachRecordAreToBeTakenOnce) {
  const std::vector<Advice> all = advice_of(locking(200'000, 100'000), "locked-for-each");
  ASSERT_EQ(all.size(), 1U);
  // The waits for others remain. Most of the time of small writes is saved.
  EXPECT_NEAR(all[0].saved_s, 0.2 + 0.1 + 0.1 * 0.99, 2e-3);
  EXPECT_NEAR(all[0].least_saved_s.value_or(0), 0.2 + 0.1 * 0.976, 2e-3);
  EXPECT_EQ(all[0].seen,
            "200,000 locks and unlocks, 100,000 writes of 20.0 bytes to the same file");
  EXPECT_TRUE(all[0].check.ends_with("fewer lock calls (flock, lockf, fcntl), and larger writes"));
  EXPECT_TRUE(all[0].fix.ends_with("The prediction is for all these changes."));
  EXPECT_NE(all[0].fix.find("Leave the seeks to the end out"), std::string::npos);
  Profile without_seeks = locking(200'000, 100'000);
  std::erase_if(without_seeks.uses, [](const Use& use) { return use.call == Call::lseek; });
  EXPECT_EQ(advice_of(without_seeks, "locked-for-each").at(0).fix.find("seeks"), std::string::npos);
}

TEST(Locks, ThatAreFewOrForManyRecordsAreNot) {
  EXPECT_TRUE(advice_of(locking(50, 50), "locked-for-each").empty());
  EXPECT_TRUE(advice_of(locking(200'000, 1'000), "locked-for-each").empty());
  Profile profile = locking(2'000, 1'000);
  profile.uses.back().amount.system_bytes = 1'000 << 20;
  EXPECT_TRUE(advice_of(profile, "locked-for-each").empty()) << "of 1 MiB for each";
}

// The advice about the locks gathers the writes too.
TEST(Locks, ForEachRecordAndItsWriteAreOneCause) {
  EXPECT_TRUE(advice_of(locking(20'000, 10'000), "tiny-writes").empty());
  EXPECT_TRUE(advice_of(locking(20'000, 80'000), "tiny-writes").empty());
  const Profile many_writes = locking(20'000, 80'001);
  EXPECT_EQ(advice_of(many_writes, "tiny-writes").size(), 1U);
  EXPECT_TRUE(advice_of(many_writes, "locked-for-each").empty());
}

// SQLite takes locks in one file, and writes to another one.
TEST(LookUps, OfLocksOfADatabaseAreTransactions) {
  Profile profile = of_code("/usr/lib/libsqlite3.so.0");
  profile.files[0].name = "/f/accounts.db-shm";
  profile.files[1].name = "/f/accounts.db-wal";
  add(profile, Call::flock, 40'000, 0.1);
  Amount& writes = add(profile, Call::pwrite, 5'000, 0.02);
  profile.uses.back().file = 1;
  writes.bytes = writes.system_bytes = 10'000'000;
  const auto all = [&] { return advice_of(profile, "locked-for-each"); };
  ASSERT_EQ(all().size(), 1U);
  EXPECT_NE(all()[0].fix.find("into one transaction"), std::string::npos) << all()[0].fix;
  EXPECT_NEAR(all()[0].least_s(), 0.12, 0.01);
  EXPECT_EQ(all()[0].why.find("functions of the language"), std::string::npos);
  profile.uses[1].amount.system_calls = 4'999;
  EXPECT_TRUE(all().empty()) << "most transactions only read";
  profile.uses[1].amount.system_calls = 5'000;
  profile.files[1].name = "/f/other.db-wal";
  EXPECT_TRUE(all().empty());
}

// os.makedirs(path, exist_ok=True) before each record.
TEST(Folders, AreToBeMadeOnce) {
  Profile profile = of_code(of_c);
  add(profile, Call::mkdir, 10'000, 0.1).failures = 9'000;
  const std::vector<Advice> all = advice_of(profile, "made-again");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].saved_s, 0.09, 1e-9);
  EXPECT_EQ(all[0].seen, "10,000 calls of mkdir, of which 9,000 failed");
  profile.uses[0].amount.failures = 8'999;
  EXPECT_TRUE(advice_of(profile, "made-again").empty()) << "it makes many folders";
}

TEST(LookUps, OfADatabaseAreThoseOfItsConnections) {
  Profile profile = of_code("/usr/lib/libsqlite3.so.0");
  add_look_ups(profile, Call::stat, 10'000, 9'990);
  const auto fix = [&] { return advice_of(profile, "looked-up-again").at(0).fix; };
  EXPECT_NE(fix().find("into one transaction"), std::string::npos) << fix();
  add(profile, Call::open, 100, 0.001);
  EXPECT_NE(fix().find("Keep one connection"), std::string::npos) << fix();
  profile.uses.back().amount.calls = 99;
  EXPECT_NE(fix().find("into one transaction"), std::string::npos) << fix();
}

}  // namespace
}  // namespace sluice::trace
