// Advice about programs that are started again and again for the same files.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/testing/processes.h"
#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

// Processes of sed that each read a file of 1 MB, write another one beside it, and rename this one.
Profile rewritten(std::size_t times, const std::string& written = "/f/sedAbCd") {
  Profile profile = program("sh");
  profile.sites.emplace_back();
  profile.files = {{.name = "/f/table",
                    .size_bytes = 1'000'000,
                    .kind = S_IFREG,
                    .renewals = static_cast<double>(times)},
                   {.name = written, .size_bytes = 1'000'000, .kind = S_IFREG},
                   {.name = "(names that were changed)"}};
  for (const int number : add(profile, "sed", by_the_first(times), {.user_s = 8.2e-3})) {
    Process& process = profile.processes[static_cast<std::size_t>(number) - 1];
    process.time = {.copying_s = 1e-3, .system_s = 2e-3, .sleep_s = 3e-3};
    for (const auto& [file, call] :
         {std::pair<std::size_t, preload::Call>{0, preload::Call::getline},
          {1, preload::Call::fwrite},
          {2, preload::Call::rename}}) {
      Use& use =
          profile.uses.emplace_back(Use{.file = file, .call = call, .threads = {{number, 0}}});
      use.amount.calls = use.amount.system_calls = 1'000;
      use.amount.bytes = use.amount.system_bytes = file == 2 ? 0 : 1'000'000;
      use.amount.time.system_s = 1e-3;
    }
  }
  return profile;
}

TEST(ProcessRules, NameProgramsThatEachReadAndReplaceOneFile) {
  const Advice advice = the_advice(rewritten(20));
  EXPECT_EQ(advice.place, "programs that sh starts");
  EXPECT_NE(advice.seen.find("20 starts of sed, each of which read all of /f/table"),
            std::string::npos);
  EXPECT_NE(advice.fix.find("one start of sed, with all expressions"), std::string::npos);
  EXPECT_NEAR(*advice.least_saved_s, 19 * 3e-3, 1e-9) << "the calls of all but one";
  EXPECT_NEAR(advice.saved_s, 19 * (8.2e-3 + 3e-3), 1e-9) << "and their work and waits";
  EXPECT_TRUE(advice.uses.empty());
}

TEST(ProcessRules, DoNotTakeOtherProgramsForSuchThatReplaceOneFile) {
  const auto has_such = [](const Profile& profile) {
    const std::vector<Advice> all = advice_by_rules(profile);
    return std::ranges::any_of(all,
                               [](const Advice& of) { return of.kind.id == "started-programs"; });
  };
  EXPECT_TRUE(has_such(rewritten(5)));
  EXPECT_FALSE(has_such(rewritten(4)));
  EXPECT_FALSE(has_such(rewritten(20, "/elsewhere/file"))) << "the table is only read";
  Profile large = rewritten(20);
  large.files[0].size_bytes = 10'000'000;
  for (Use& use : large.uses) {
    if (use.file == 1) use.amount.system_bytes = 10'000'000;
  }
  EXPECT_FALSE(has_such(large)) << "a part of the table is read";
  Profile kept = rewritten(20);
  kept.files[0].renewals = 1;
  EXPECT_FALSE(has_such(kept)) << "each process puts its file in the place of another one";
  Profile beside = rewritten(20);  // a process that only reads the table makes the same call
  for (Use& use : beside.uses) {
    if (use.file == 0) use.threads.emplace(1, 0);
  }
  EXPECT_TRUE(has_such(beside));
  Profile of_two = rewritten(20);
  for (std::size_t i = 0; i < 60; i += 3) {
    Use use = of_two.uses[i];
    use.file = of_two.files.size();
    of_two.uses.push_back(use);
  }
  of_two.files.push_back(
      {.name = "/f/other", .size_bytes = 100'000, .kind = S_IFREG, .renewals = 1});
  EXPECT_FALSE(has_such(of_two)) << "the other file is only read";
  Profile small = rewritten(20);
  small.files[0].size_bytes = 23;
  EXPECT_FALSE(has_such(small)) << "other bytes than those of the file take the time";
}

TEST(ProcessRules, KeepTheAdviceAboutOtherProcesses) {
  Profile profile = rewritten(20);
  profile.files.push_back({.name = "/f/list", .opens = 1, .kind = S_IFREG});
  Use& use =
      profile.uses.emplace_back(Use{.file = 3, .call = preload::Call::write, .threads = {{1, 0}}});
  use.amount.calls = use.amount.system_calls = 10'000;
  use.amount.bytes = use.amount.system_bytes = 10'000;
  use.amount.time.system_s = 0.05;
  const std::vector<Advice> all = advice_by_rules(profile);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].kind.id, "tiny-writes");
}

// Processes of `name` that each read all of a file of 1 MB.
Profile read_by(const std::string& name, std::size_t times) {
  Profile profile = program("bash");
  profile.sites.emplace_back();
  profile.files = {{.name = "/f/log", .size_bytes = 1'000'000, .kind = S_IFREG},
                   {.name = "/f/other", .size_bytes = 1'000'000, .kind = S_IFREG}};
  for (const int number : add(profile, name, by_the_first(times), {.user_s = 8.2e-3})) {
    profile.processes[static_cast<std::size_t>(number) - 1].time = {.system_s = 2e-3};
    Use& use = profile.uses.emplace_back(
        Use{.file = 0, .call = preload::Call::read, .threads = {{number, 0}}});
    use.amount.calls = use.amount.system_calls = 31;
    use.amount.bytes = use.amount.system_bytes = 1'000'000;
    use.amount.time.system_s = 2e-3;
    use.amount.work_before_s = 5e-3;
  }
  return profile;
}

// Adds such a use of the other file to each of the processes.
Profile with_other(Profile profile, preload::Call call, std::uint64_t bytes) {
  const std::vector<Use> reads = profile.uses;
  for (Use use : reads) {
    use.file = 1;
    use.call = call;
    use.amount.bytes = use.amount.system_bytes = bytes;
    profile.uses.push_back(use);
  }
  return profile;
}

// Each of the processes also reads a file of its own.
Profile with_own_files(Profile profile, std::uint64_t bytes) {
  const std::size_t before = profile.uses.size();
  profile = with_other(std::move(profile), preload::Call::read, bytes);
  for (std::size_t i = before; i < profile.uses.size(); ++i) {
    profile.uses[i].file = profile.files.size();
    profile.files.push_back(
        {.name = "/f/in" + std::to_string(i), .size_bytes = bytes, .kind = S_IFREG});
  }
  return profile;
}

TEST(ProcessRules, NameProgramsThatEachReadTheWholeOfOneFile) {
  const Advice advice = the_advice(read_by("sed", 20));
  EXPECT_EQ(advice.place, "programs that bash starts");
  EXPECT_NE(advice.seen.find("20 starts of sed, each of which read all of /f/log"),
            std::string::npos);
  EXPECT_NE(advice.fix.find("`sed -n -e FIRST -e SECOND /f/log`"), std::string::npos);
  EXPECT_NEAR(*advice.least_saved_s, 19 * 2e-3, 1e-9) << "the calls of all but one";
  EXPECT_NEAR(advice.saved_s, 19 * 8.2e-3, 1e-9) << "and their work";
  EXPECT_NE(the_advice(read_by("grep", 20)).fix.find("-e FIRST -e SECOND"), std::string::npos);
  EXPECT_NE(the_advice(read_by("mawk", 20)).fix.find("`END`"), std::string::npos);
  EXPECT_NE(the_advice(read_by("join", 20)).fix.find("one start of join"), std::string::npos);
}

bool has_kind(const Profile& profile, std::string_view id) {
  const std::vector<Advice> all = advice_by_rules(profile);
  return std::ranges::any_of(all, [&](const Advice& of) { return of.kind.id == id; });
}

bool reads_folder(const Profile& profile) { return has_kind(profile, "started-programs"); }

TEST(ProcessRules, NameProgramsThatEachReadAllFilesOfAFolder) {
  Profile profile = read_by("grep", 14);
  const std::vector<Use> reads = profile.uses;
  profile.uses.clear();
  profile.files.clear();
  for (std::size_t file = 0; file < 100; ++file) {
    profile.files.push_back(
        {.name = "/src/" + std::to_string(file), .size_bytes = 10'000 + file, .kind = S_IFREG});
    for (Use use : reads) {
      use.file = file;
      use.amount.calls = use.amount.system_calls = 1;
      use.amount.bytes = use.amount.system_bytes = 10'000;
      use.amount.time.system_s = 2e-5;
      profile.uses.push_back(use);
    }
  }
  profile.files.push_back({.name = "/proc/self/maps", .kind = S_IFREG, .renewals = 14});
  for (Use use : reads) {
    use.file = 100;
    use.amount.bytes = use.amount.system_bytes = 2'000;
    profile.uses.push_back(use);
  }
  const Advice advice = the_advice(profile);
  EXPECT_NE(advice.seen.find("14 starts of grep, each of which read all of /src/99 and of 99 other "
                             "files"),
            std::string::npos)
      << advice.seen;
  EXPECT_NE(advice.fix.find("`grep -e FIRST -e SECOND FILE...`"), std::string::npos);
  EXPECT_NEAR(*advice.least_saved_s, 13 * 2e-3, 1e-9);
  Profile of_libraries = profile;
  for (File& file : of_libraries.files) file.name = "/usr/lib/" + file.name;
  EXPECT_FALSE(reads_folder(of_libraries)) << "each start of the program reads its own files";
  EXPECT_FALSE(reads_folder(with_own_files(profile, 10))) << "a compiler takes one source";
  Profile of_scripts = profile;
  for (File& file : of_scripts.files) file.name += ".py";
  EXPECT_TRUE(reads_folder(of_scripts)) << "grep looks for words in them";
  for (Process& process : of_scripts.processes) process.program = "python3";
  EXPECT_EQ(advice_with(of_scripts, "started-programs").seen.find("read all of"), std::string::npos)
      << "its modules";
  Profile renewed = profile;
  renewed.files[50].renewals = 2;
  EXPECT_FALSE(reads_folder(renewed)) << "one of them is not the same for all";
  std::erase_if(profile.uses, [](const Use& use) { return use.file > 24; });
  EXPECT_TRUE(is_silent(profile)) << "all of them are too small to take the time";
}

// A simulation reads its parameters, computes, and writes single bytes.
TEST(ProcessRules, CountTheWorkOnTheFilesAlone) {
  Profile profile = read_by("simulation", 20);
  const double saved_s = the_advice(profile).saved_s;
  for (Process& process : profile.processes) process.user_s = 0.02;
  EXPECT_NEAR(the_advice(profile).saved_s, saved_s, 1e-9);
  for (std::size_t i = 0; i < 20; ++i) {
    Use use = profile.uses[i];
    use.file = 1;
    use.call = preload::Call::write;
    use.amount.calls = use.amount.system_calls = 100'000;
    use.amount.bytes = use.amount.system_bytes = 100'000;
    use.amount.time.system_s = 0.02;
    profile.uses.push_back(use);
  }
  for (Process& process : profile.processes) process.system_s = 0.022;
  EXPECT_TRUE(has_kind(profile, "tiny-writes")) << "the writes remain";
  profile = read_by("simulation", 20);
  for (Process& process : profile.processes) process.rank = 1;
  EXPECT_FALSE(reads_folder(profile)) << "the ranks of one job";
}

TEST(ProcessRules, CountTheRepeatedWorkOnAFileThatIsReadInNoTime) {
  Profile profile = read_by("perl", 20);
  for (Process& process : profile.processes) process.time.system_s /= 10;
  for (Use& use : profile.uses) use.amount.time.system_s /= 10;
  EXPECT_EQ(the_advice(profile).kind.id, "started-programs");
}

TEST(ProcessRules, DoNotTakeOtherProgramsForSuchThatReadOneFile) {
  const auto has_such = [](const Profile& profile) {
    const std::vector<Advice> all = advice_by_rules(profile);
    return std::ranges::any_of(all,
                               [](const Advice& of) { return of.kind.id == "started-programs"; });
  };
  const auto cmp = [](std::size_t times) {
    Profile profile = read_by("cmp", times);
    for (Use& use : profile.uses) use.amount.time.system_s = 8e-3;
    return profile;
  };
  EXPECT_TRUE(has_such(cmp(5)));
  EXPECT_FALSE(has_such(cmp(4)));
  EXPECT_TRUE(has_such(with_own_files(read_by("cmp", 20), 100'000)));
  EXPECT_FALSE(has_such(with_own_files(read_by("cmp", 20), 1'000'000)))
      << "each compares it with another file";
  EXPECT_TRUE(has_such(with_other(read_by("cat", 20), preload::Call::write, 100'000)));
  EXPECT_FALSE(has_such(with_other(read_by("cat", 20), preload::Call::write, 1'000'000)))
      << "each copies it";
  Profile part = read_by("head", 20);
  part.files[0].size_bytes = 1'300'000;
  EXPECT_FALSE(has_such(part)) << "each may stop where it likes";
  Profile small = read_by("grep", 20);
  small.files[0].size_bytes = 200'000;
  EXPECT_FALSE(has_such(small)) << "the starts take the time, if anything does";
  Profile many = read_by("grep", 20);
  many.files[0].is_many = true;
  EXPECT_FALSE(has_such(many));
  Profile pipe = read_by("grep", 20);
  pipe.files[0].kind = S_IFIFO;
  EXPECT_FALSE(has_such(pipe));
  Profile renewed = read_by("grep", 20);
  renewed.files[0].renewals = 1;
  EXPECT_TRUE(has_such(renewed)) << "the first one";
  renewed.files[0].renewals = 2;
  EXPECT_FALSE(has_such(renewed)) << "another file takes its name";
}

// A script makes the file and looks for many things in it, or makes it anew each time.
TEST(ProcessRules, AskThatTheFileStaysTheSame) {
  Profile profile = read_by("grep", 20);
  const int writer = add(profile, "seq", by_the_first(1), {.wall_s = 0.1}).front();
  Use& writes = profile.uses.emplace_back(
      Use{.file = 0, .call = preload::Call::write, .threads = {{writer, 0}}});
  writes.amount.calls = 1;
  for (ProcessMoments& moments : profile.moments) moments.start_ns = 1'000'000'000;
  profile.moments.back().start_ns = 890'000'000;
  EXPECT_EQ(the_advice(profile).kind.id, "started-programs") << "it has ended before";
  profile.moments.back().start_ns = 910'000'000;
  EXPECT_TRUE(is_silent(profile)) << "it still writes";
  profile.moments.back().moments.resize(3);
  profile.moments.back().moments.front().written_bytes = 1'000'000;
  EXPECT_EQ(the_advice(profile).kind.id, "started-programs") << "it lives on, as the starter does";
  profile.moments.back().moments.resize(10);
  profile.moments.back().moments.back().written_bytes = 1;
  EXPECT_TRUE(is_silent(profile)) << "its last byte may be for this file";
}

TEST(ProcessRules, GiveOneStartAllFilesThatHaveACommonOne) {
  Profile profile = with_other(read_by("grep", 20), preload::Call::read, 10'000);
  EXPECT_NE(the_advice(profile).fix.find("-e FIRST"), std::string::npos) << "another common one";
  profile = with_own_files(read_by("grep", 20), 10'000);
  EXPECT_NE(the_advice(profile).fix.find("take all of the other files"), std::string::npos);
  for (std::size_t i = 20; i < 30; ++i) profile.uses[i].file = 1;
  EXPECT_NE(the_advice(profile).fix.find("-e FIRST"), std::string::npos) << "half of them";
}

}  // namespace
}  // namespace sluice::trace
