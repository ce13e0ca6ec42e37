// Advice about files that are moved by copying and removing them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "trace/testing/profiles.h"

namespace sluice::trace {
namespace {

using preload::Call;

constexpr std::uint64_t files = 1000;

Use& add(Profile& profile, Call call, std::size_t file, std::uint64_t bytes, double system_s) {
  Use& use = profile.uses.emplace_back(Use{.file = file, .call = call, .threads = {{1, 1}}});
  use.amount.calls = use.amount.system_calls = 1;
  use.amount.bytes = use.amount.system_bytes = bytes;
  use.amount.time.system_s = system_s;
  use.amount.work_before_s = 1e-5;
  return use;
}

void add_source(Profile& profile, const std::string& name, std::uint64_t bytes) {
  profile.files.push_back({.name = name, .opens = 1, .size_bytes = bytes, .kind = S_IFREG});
  profile.files.back().is_gone = true;
  const std::size_t source = profile.files.size() - 1;
  add(profile, Call::open, source, 0, 1e-5);
  add(profile, Call::read, source, bytes, 2e-5);
}

void add_target(Profile& profile, const std::string& name, std::uint64_t bytes) {
  profile.files.push_back({.name = name, .opens = 1, .size_bytes = bytes, .kind = S_IFREG});
  profile.files.back().remains = true;
  const std::size_t target = profile.files.size() - 1;
  add(profile, Call::open, target, 0, 4e-5);
  add(profile, Call::write, target, bytes, 3e-5);
}

void add_removals(Profile& profile, std::uint64_t count) {
  profile.files.push_back({.name = "(names that were changed)"});
  Use& use = add(profile, Call::unlink, profile.files.size() - 1, 0, 0.02);
  use.amount.calls = use.amount.system_calls = count;
}

std::uint64_t size_of_file(std::uint64_t i) { return 100 + 3 * i; }

// Each file is copied, and removed. What is written may have another size than what was read.
Profile with_moved_files(std::uint64_t more_bytes = 0, std::uint64_t removals = files) {
  Profile profile = one_second();
  for (std::uint64_t i = 0; i < files; ++i) {
    add_source(profile, "old " + std::to_string(i), size_of_file(i));
    add_target(profile, "new " + std::to_string(i), size_of_file(i) + more_bytes);
  }
  add_removals(profile, removals);
  return profile;
}

std::optional<Advice> moved_in(const Profile& profile) {
  for (const Advice& advice : advice_by_rules(profile)) {
    if (advice.kind.id == "moved-by-copy") return advice;
  }
  return std::nullopt;
}

std::size_t files_moved_in(const Profile& profile) {
  const std::optional<Advice> advice = moved_in(profile);
  return advice ? advice->files : 0;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(MovingRules, SeeFilesThatAreCopiedAndRemoved) {
  const Profile profile = with_moved_files();
  const Advice advice = only_advice(profile);
  EXPECT_EQ(advice.kind.id, "moved-by-copy");
  EXPECT_EQ(advice.files, 1000U);
  EXPECT_EQ(advice.uses.size(), 4000U) << "a renaming takes the time of each removal";
  EXPECT_EQ(advice.seen,
            "1,000 files; 1.5 MiB were copied to new files, and the old files were removed");
  EXPECT_EQ(advice.least_s(), 0) << "the program may change the bytes";
  EXPECT_NEAR(advice.saved_s, 1000 * 1e-4, 1e-9);
  EXPECT_TRUE(has(advice.fix, "std::filesystem::rename")) << advice.fix;
  EXPECT_TRUE(has(advice.fix, "EXDEV")) << advice.fix;
  EXPECT_TRUE(has(advice.why, "and not what is in them")) << advice.why;
}

TEST(MovingRules, SeeNewFilesThatAreMadeFirst) {
  Profile profile = one_second();
  for (std::uint64_t i = 0; i < files; ++i) {
    add_target(profile, "new " + std::to_string(i), size_of_file(i));
    add_source(profile, "old " + std::to_string(i), size_of_file(i));
  }
  add_removals(profile, files);
  EXPECT_EQ(files_moved_in(profile), 1000U);
}

// sendfile and copy_file_range count for both files, and as a system call for the written one.
TEST(MovingRules, SeeCopiesWithinTheKernel) {
  for (const Call call : {Call::sendfile, Call::copy_file_range}) {
    Profile profile = with_moved_files();
    for (Use& use : profile.uses) {
      if (use.call == Call::read) use.amount.system_calls = 0;
      if (use.call == Call::read || use.call == Call::write) use.call = call;
    }
    const std::optional<Advice> advice = moved_in(profile);
    ASSERT_TRUE(advice.has_value());
    EXPECT_FALSE(has(advice->why, "and not what is in them")) << "the kernel changes no byte";
    EXPECT_GT(advice->least_s(), 0);
    EXPECT_FALSE(has(advice->fix, "If the program changes no byte"));
  }
}

// One program compresses files, and another packs all of them into one.
TEST(MovingRules, LeaveFilesOutWhoseBytesChange) {
  EXPECT_FALSE(moved_in(with_moved_files(1)));
  Profile packed = one_second();
  for (std::uint64_t i = 0; i < files; ++i) {
    add_source(packed, "old " + std::to_string(i), size_of_file(i));
  }
  add_target(packed, "archive", 1000 * 600);
  add_removals(packed, files);
  EXPECT_FALSE(moved_in(packed));
}

// Some files may have the same size by chance.
TEST(MovingRules, NeedMostOfTheFilesThatAreRemoved) {
  Profile profile = with_moved_files();
  const auto change = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) profile.files[2 * i].is_gone = false;
  };
  const auto add_others = [&](std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) add_source(profile, "other" + std::to_string(i), 7);
  };
  change(0, 500);
  add_others(500);
  EXPECT_EQ(files_moved_in(profile), 500U);
  add_others(1);
  EXPECT_FALSE(moved_in(profile));
}

TEST(MovingRules, NeedSomeTensOfFiles) {
  Profile profile = with_moved_files();
  for (Use& use : profile.uses) use.amount.time.system_s *= 100;
  for (std::size_t i = 30; i < files; ++i) {
    for (const std::size_t file : {2 * i, 2 * i + 1}) {
      profile.files[file].is_gone = profile.files[file].remains = false;
    }
  }
  EXPECT_TRUE(moved_in(profile));
  profile.files[0].is_gone = false;
  EXPECT_FALSE(moved_in(profile));
}

TEST(MovingRules, LeaveOtherFilesOut) {
  const auto with = [](const std::function<void(File&)>& change) {
    Profile profile = with_moved_files();
    for (File& file : profile.files) change(file);
    return moved_in(profile).has_value();
  };
  EXPECT_TRUE(with([](File&) {}));
  EXPECT_FALSE(with([](File& file) { file.is_gone = false; })) << "copies";
  EXPECT_FALSE(with([](File& file) { file.remains = false; })) << "copies that are removed";
  EXPECT_FALSE(with([](File& file) { file.kind = S_IFSOCK; }));
  EXPECT_FALSE(with([](File& file) { file.size_bytes *= 2; })) << "parts of files";
  EXPECT_FALSE(with([](File& file) { file.device = file.is_gone ? 1 : 2; }))
      << "from one file system to another";
  EXPECT_FALSE(moved_in(with_moved_files(0, 899)));
  EXPECT_TRUE(moved_in(with_moved_files(0, 900)));
}

// The program writes temporary files and reads them again, or another process does.
TEST(MovingRules, LeaveFilesOutThatTheProgramHasWritten) {
  Profile profile = with_moved_files();
  for (std::size_t i = 0; i < files; ++i) add(profile, Call::write, 2 * i, size_of_file(i), 0);
  EXPECT_FALSE(moved_in(profile));
  profile = with_moved_files();
  for (std::size_t i = 0; i < files; ++i) add(profile, Call::read, 2 * i + 1, size_of_file(i), 0);
  EXPECT_FALSE(moved_in(profile)) << "it looks at what it has written";
  for (std::size_t i = 0; i < files; ++i) add(profile, Call::write, 2 * i, size_of_file(i), 0);
  EXPECT_FALSE(moved_in(profile)) << "or at all files that it has written";
}

// A second process calls the same function, and nobody knows how many of the files it removes.
TEST(MovingRules, DoNotCountWhatOthersRemoveToo) {
  Profile profile = with_moved_files();
  profile.processes.push_back(profile.processes.front());
  profile.moments.push_back(profile.moments.front());
  EXPECT_TRUE(moved_in(profile));
  profile.uses.back().threads = {{1, 1}, {2, 1}};
  EXPECT_FALSE(moved_in(profile));
}

TEST(MovingRules, AreAboutOneProcess) {
  const auto change = [](const std::function<bool(const Use&)>& is_by_another) {
    Profile profile = with_moved_files();
    profile.processes.push_back(profile.processes.front());
    profile.moments.push_back(profile.moments.front());
    for (Use& use : profile.uses) {
      if (is_by_another(use)) use.threads = {{2, 1}};
    }
    return moved_in(profile).has_value();
  };
  EXPECT_TRUE(change([](const Use&) { return true; }));
  EXPECT_FALSE(change([](const Use& use) { return use.call == Call::unlink; }));
  EXPECT_FALSE(change([](const Use& use) { return use.call == Call::read; }));
  EXPECT_FALSE(change([](const Use& use) { return use.file % 2 == 0; })) << "another one reads";
}

// Standard output is one of the files for which the log has no room.
TEST(MovingRules, CountFilesForWhichALogHasNoRoom) {
  Profile profile = with_moved_files(0, 4000);
  profile.sites.push_back({.frames = {{"prints", "", "/usr/bin/program"}}});
  profile.files.push_back({.name = "(other files)", .is_many = true});
  const std::size_t others = profile.files.size() - 1;
  Use& opening = add(profile, Call::open, others, 0, 0.1);
  opening.amount.calls = opening.amount.system_calls = 6000;
  add(profile, Call::read, others, 900'000, 0.05);
  add(profile, Call::write, others, 900'000, 0.05);
  add(profile, Call::write, others, 40'000, 0.5).site = 1;
  const std::size_t writing = profile.uses.size() - 2;
  EXPECT_EQ(files_moved_in(profile), 4000U);
  EXPECT_NEAR(moved_in(profile)->saved_s, 0.1 + 0.2, 1e-9);
  EXPECT_EQ(moved_in(profile)->use, 2U) << "a file that has a name";
  profile.uses[writing].amount.bytes = 800'000;
  EXPECT_EQ(files_moved_in(profile), 1000U) << "some are compressed";
  profile.uses[writing].amount.bytes = 900'000;
  profile.uses[4000].amount.calls = 3599;
  EXPECT_EQ(files_moved_in(profile), 1000U) << "some are kept";
}

TEST(MovingRules, HaveTheirTimeOfThreadsAtOnce) {
  Profile profile = with_moved_files();
  profile.processes[0].user_s = 4;
  const std::optional<Advice> advice = moved_in(profile);
  EXPECT_EQ(advice->at_once, 4);
  EXPECT_NEAR(advice->saved_s, 0.1 / 4, 1e-9);
}

TEST(MovingRules, HaveWordsForLanguages) {
  for (const auto& [module, part] : {std::pair{"/usr/bin/python3.11", "`os.replace`"},
                                     {"/usr/bin/perl", "`rename $from, $to`"},
                                     {"/usr/bin/node", "`fs.renameSync(from, to)`"},
                                     {"/usr/bin/php8.2", "`rename($from, $to)`"},
                                     {"/usr/lib/libruby-3.1.so.3.1", "`File.rename(from, to)`"},
                                     {"/usr/bin/bash", "`mv`"},
                                     {"/usr/lib/jvm/lib/libnio.so", "`Files.move(from, to)`"},
                                     {"/usr/bin/lua5.4", "the function that renames"}}) {
    Profile profile = with_moved_files();
    profile.sites[0] = {.frames = {{"function", "", module}}};
    const std::optional<Advice> advice = moved_in(profile);
    ASSERT_TRUE(advice.has_value());
    EXPECT_TRUE(has(advice->fix, part)) << module << ": " << advice->fix;
    EXPECT_NEAR(advice->saved_s - advice->by_runtime_s, 0.1, 1e-9);
    EXPECT_NEAR(advice->saved_s, 0.1 + 4001 * 1e-5, 1e-9) << "with the work between the calls";
  }
}

// A language asks whether the new name is a folder, and gives the new file the old one's mode.
TEST(MovingRules, CountWhatALanguageDoesByNames) {
  Profile profile = with_moved_files(0, 2000);
  profile.uses.back().amount.work_before_s = 0.04;
  const auto saved_s = [&](std::uint64_t questions, const char* module) {
    Profile with_questions = profile;
    with_questions.sites[0] = {.frames = {{"function", "", module}}};
    for (const Call call : {Call::stat, Call::chmod}) {
      Use& use = add(with_questions, call, files * 2, 0, 0.03);
      use.amount.calls = use.amount.system_calls = questions;
      use.amount.work_before_s = 0.02;
    }
    return moved_in(with_questions)->saved_s;
  };
  const double work_s = 4000 * 1e-5 + 0.04 / 2;
  EXPECT_NEAR(saved_s(900, "/usr/bin/perl"), 0.1 + work_s + 0.1, 1e-9);
  EXPECT_NEAR(saved_s(10'000, "/usr/bin/perl"), 0.1 + work_s + 0.1, 1e-9);
  EXPECT_NEAR(saved_s(899, "/usr/bin/perl"), 0.1 + work_s, 1e-9) << "about other files";
  EXPECT_NEAR(saved_s(10'001, "/usr/bin/perl"), 0.1 + work_s, 1e-9);
  EXPECT_NEAR(saved_s(900, "/usr/bin/program"), 0.1, 1e-9);
}

}  // namespace
}  // namespace sluice::trace
