// Advice about commands of the system, whose users choose their options.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

// A process of one second of this program.
Profile of_program(const std::string& program) {
  Profile profile = one_second("/usr/bin/" + program);
  profile.processes[0].program = program;
  profile.files.push_back({.name = "/f/file", .opens = 1, .size_bytes = 1 << 20, .kind = S_IFREG});
  return profile;
}

std::string fix_for(const std::string& program, Call call) {
  Profile profile = of_program(program);
  add_calls(profile, call, 100'000, 1'000'000, 0.2);
  return only_advice(profile).fix;
}

TEST(Commands, HaveOptions) {
  EXPECT_TRUE(fix_for("sed", Call::getline).starts_with("Leave out sed's `-u`"));
  EXPECT_TRUE(fix_for("sed", Call::fflush).starts_with("Leave out sed's `-u`"));
  EXPECT_TRUE(fix_for("grep", Call::fflush).starts_with("Leave out grep's `--line-buffered`"));
  EXPECT_TRUE(fix_for("tcpdump", Call::fflush).starts_with("Leave out tcpdump's `-l` and `-U`"));
  EXPECT_TRUE(fix_for("jq", Call::fflush).starts_with("Leave out jq's `--unbuffered`"));
  EXPECT_TRUE(fix_for("split", Call::write).starts_with("Leave out split's `-u`"));
  EXPECT_TRUE(fix_for("tar", Call::write).starts_with("Give tar larger blocks"));
  EXPECT_TRUE(fix_for("cpio", Call::write).starts_with("Give cpio larger blocks"));
  EXPECT_TRUE(fix_for("dd_rescue", Call::write).starts_with("Gather small pieces"));
  Profile synchronous = of_program("dd");
  synchronous.files[0].flags = O_WRONLY | O_DSYNC;
  add_calls(synchronous, Call::write, 1'000, 4'096'000, 0.2);
  EXPECT_TRUE(advice_with(synchronous, "synchronous-writes")
                  .fix.starts_with("Leave out dd's `oflag=sync`"));
  EXPECT_TRUE(fix_for("cat", Call::write).starts_with("Gather small pieces"));
}

// tcpdump writes its packets by a function of libpcap.
TEST(Commands, CallLibraries) {
  Profile profile = of_program("tcpdump");
  Frame library = profile.sites[0].frames[0];
  library.module = "/usr/lib/x86_64-linux-gnu/libpcap.so.1.10.3";
  profile.sites[0].frames.insert(profile.sites[0].frames.begin(), library);
  add_calls(profile, Call::fflush, 100'000, 1'000'000, 0.2);
  EXPECT_TRUE(only_advice(profile).fix.starts_with("Leave out tcpdump's `-l` and `-U`"));
}

// Temporary files.
TEST(Commands, SortInMoreMemory) {
  Profile profile = of_program("sort");
  profile.files[0].size_bytes = 0;
  Use& writes = add_calls(profile, Call::write, 100, 400'000, 0.1);
  writes.amount.time.sleep_s = 0.3;
  add_calls(profile, Call::read, 100, 400'000, 0.1);
  add_calls(profile, Call::unlink, 10, 0, 0);
  const Advice advice = advice_with(profile, "read-back");
  EXPECT_TRUE(advice.fix.starts_with("Give sort more memory"));
  EXPECT_DOUBLE_EQ(advice.least_s(), 0.3) << "more memory takes time too";
  EXPECT_DOUBLE_EQ(advice.saved_s, 0.5);
  profile.uses[0].amount.time.sleep_s = 0;
  EXPECT_FALSE(has_advice(profile, "read-back"));
}

// What the users can do comes first.
bool is_told_authors(const std::vector<Advice>& all, const std::string& words) {
  const std::string& fix = all.at(0).fix;
  return fix.starts_with("Without a change, ") && fix.find("`. " + words) != std::string::npos;
}

// Nobody else can change the calls of a command without such an option.
TEST(Commands, HaveAuthors) {
  Profile profile = of_program("hexdump");
  add_calls(profile, Call::write, 100'000, 1'000'000, 0.2);
  EXPECT_TRUE(is_told_authors(advice_for(profile), "For the authors of hexdump: Gather"));
  profile.sites[0].frames[0].module = "/home/user/hexdump";
  EXPECT_TRUE(advice_for(profile).at(0).fix.starts_with("Gather"));
  Profile options = of_program("grep");
  add_calls(options, Call::fflush, 100'000, 1'000'000, 0.2);
  EXPECT_TRUE(advice_for(options).at(0).fix.starts_with("Leave out grep's"));
  options.uses.clear();
  add_calls(options, Call::write, 100'000, 1'000'000, 0.2);
  EXPECT_TRUE(is_told_authors(advice_for(options), "For the authors of grep: Gather"));
  options.uses.clear();
  options.files[0].size_bytes = 1'000'000;
  add_calls(options, Call::read, 100'000, 1'000'000, 0.1);
  EXPECT_TRUE(advice_for(options).at(0).fix.starts_with("For the authors of grep: "));
  options.uses[0].amount.time.system_s = 0.07;
  EXPECT_TRUE(advice_for(options).empty()) << "nobody writes to them for so little";
}

TEST(Commands, AreNotRunBySluiceForTrifles) {
  Profile profile = of_program("jq");
  Use& bytes = add_calls(profile, Call::fwrite, 10'000'000, 50'000'000, 0);
  bytes.amount.copies = bytes.amount.calls;
  bytes.amount.system_calls = 100;
  bytes.amount.time.copying_s = 0.05;
  bytes.amount.copying_by_run_s = 0.01;
  ASSERT_EQ(advice_for(profile).size(), 1U);
  EXPECT_TRUE(advice_for(profile)[0].fix.starts_with("Without a change, `sluice run` saves about"));
  bytes.amount.copying_by_run_s = 0.03;
  EXPECT_TRUE(advice_for(profile).empty()) << "0.02 s of one second";
}

// A library may make the calls of a command. Compilers and git start programs of their own.
TEST(Commands, MayCallALibrary) {
  Profile profile = of_program("hexdump");
  add_calls(profile, Call::write, 100'000, 1'000'000, 0.2);
  profile.sites[0].frames.insert(profile.sites[0].frames.begin(),
                                 {"dump", "", "/usr/lib/x86_64-linux-gnu/libdump.so.1"});
  EXPECT_TRUE(is_told_authors(advice_for(profile), "For the authors of hexdump: Gather"));
  profile.sites[0].frames[1].module = "/usr/lib/gcc/x86_64-linux-gnu/12/cc1";
  EXPECT_TRUE(is_told_authors(advice_for(profile), "For the authors of cc1: Gather"));
  profile.sites[0].frames[1].module = "/usr/lib/libprogram.so";
  EXPECT_TRUE(advice_for(profile).at(0).fix.starts_with("Gather"));
  profile.sites[0].frames[1].module = "/usr/bin/hexdump";
  profile.sites[0].frames[0].module = "/home/user/libdump.so";
  EXPECT_TRUE(advice_for(profile).at(0).fix.starts_with("Gather")) << "the user's own library";
}

// A script of the system has authors too. A user of Python has no need of them.
TEST(Commands, MayBeScripts) {
  Profile profile = one_second("/usr/bin/perl");
  profile.files.push_back({.name = "/f/file", .opens = 1, .size_bytes = 9, .kind = S_IFREG});
  add_calls(profile, Call::write, 100'000, 1'000'000, 0.2);
  EXPECT_TRUE(advice_for(profile).at(0).fix.starts_with("In Perl, "));
  profile.script = "/home/user/ts";
  EXPECT_TRUE(advice_for(profile).at(0).fix.starts_with("In Perl, "));
  profile.script = "/usr/bin/ts";
  EXPECT_TRUE(is_told_authors(advice_for(profile), "For the authors of ts: In Perl, "));
  profile.files.push_back({.name = "/home/user/t/first.t", .kind = S_IFREG});
  EXPECT_TRUE(advice_for(profile).at(0).fix.starts_with("In Perl, ")) << "it runs the user's code";
  profile.files.pop_back();
  profile.processes.push_back({.number = 2, .parent = 1, .program = "perl", .wall_s = 1});
  profile.moments.push_back(profile.moments[0]);
  profile.uses[0].threads = {{2, 0}};
  EXPECT_TRUE(advice_for(profile).at(0).fix.starts_with("In Perl, ")) << "it may be the user's";
}

// An environment variable helps the user at once.
TEST(Commands, TellUsersFirstWhatTheyCanFollow) {
  Profile profile = of_program("hexdump");
  add_calls(profile, Call::write, 100'000, 1'000'000, 0.25);
  profile.files.push_back({.name = std::string(preload::time_zone_file), .kind = S_IFREG});
  Use& questions = add_calls(profile, Call::stat, 100'000, 0, 0.1);
  questions.file = 1;
  questions.amount.repeated = 99'999;
  questions.amount.time.system_s = 0.2;
  const std::vector<Advice> all = advice_for(profile);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_LT(all[0].least_s() + all[0].saved_s, all[1].least_s() + all[1].saved_s);
  EXPECT_TRUE(all[1].is_for_authors);
  profile.uses[1].amount.time.system_s = 0.05;
  EXPECT_TRUE(advice_for(profile).at(0).is_for_authors) << "it saves much more";
}

// awk joins pieces no quicker than it prints them.
TEST(Commands, LeaveSmallPiecesOfAwkToRun) {
  Profile profile = of_program("gawk");
  Amount& amount = add_calls(profile, Call::fwrite, 100'000, 1'000'000, 0).amount;
  amount.copies = 99'900;
  amount.system_calls = 100;
  amount.work_before_s = 0.3;
  amount.time.copying_s = 0.5;
  amount.copying_by_run_s = 0.1;
  const Advice advice = only_advice(profile);
  EXPECT_TRUE(advice.fix.starts_with("In awk, no change of the program helps")) << advice.fix;
  EXPECT_NEAR(advice.saved_s, 0.4, 0.11) << "what run saves";
  EXPECT_EQ(advice.saved_s, advice.least_s());
}

TEST(Commands, AreThoseOfTheSystem) {
  Profile profile = of_program("sed");
  add_calls(profile, Call::fflush, 100'000, 1'000'000, 0.2);
  profile.sites[0].frames[0].module = "/home/user/bin/sed";
  EXPECT_FALSE(only_advice(profile).fix.starts_with("Leave out sed's"));
}

TEST(Commands, ReadAndWriteBlocksOfOneSize) {
  Profile profile = of_program("dd");
  profile.sites.push_back(profile.sites[0]);
  profile.files.push_back(profile.files[0]);
  profile.files[1].name = "/f/copy";
  add_calls(profile, Call::read, 20'000, 1'000'000, 0.1);
  Use& writes = add_calls(profile, Call::write, 20'000, 1'000'000, 0.2);
  writes.site = writes.file = 1;
  const Advice advice = only_advice(profile);
  EXPECT_TRUE(advice.fix.starts_with("Give dd larger blocks, such as `bs=64K`")) << advice.fix;
  EXPECT_NEAR(advice.saved_s, 0.3, 0.01);
}

// The process was stdbuf before.
TEST(Commands, MayHaveTheirBuffersFromStdbuf) {
  Profile profile = of_program("cut");
  Use& use = add_calls(profile, Call::fputc, 100'000, 1'000'000, 0.2);
  use.amount.standard = true;
  profile.processes.push_back({.number = 1, .program = "stdbuf", .wall_s = 0.001, .threads = 1});
  profile.moments.push_back(profile.moments[0]);
  EXPECT_TRUE(only_advice(profile).fix.starts_with("Leave `stdbuf` out")) << "it is one process";
  profile.uses[0].amount.standard = false;
  EXPECT_FALSE(only_advice(profile).fix.starts_with("Leave `stdbuf` out")) << "a file of its own";
  profile.uses[0].amount.standard = true;
  profile.processes[1].number = 2;
  EXPECT_FALSE(only_advice(profile).fix.starts_with("Leave `stdbuf` out"));
}

}  // namespace
}  // namespace sluice::trace
