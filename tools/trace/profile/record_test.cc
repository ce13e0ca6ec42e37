#include "trace/profile/record.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "preload/trace/log.h"
#include "testing/scratch_directory.h"
#include "trace/profile/merging.h"

namespace sluice::trace {
namespace {

// A record of a rank whose log has three writes.
Record record_in(const testing::ScratchDirectory& directory, unsigned rank) {
  Record record = record_of_this_machine();
  record.logs = directory.file("logs" + std::to_string(rank));
  record.rank = rank;
  record.ranks = 3;
  record.command = {"program", "\x1b"};
  record.wall_s = 1 + rank;
  record.wait_status = rank == 1 ? 256 : SIGTERM;  // the launcher ends the others
  std::filesystem::create_directory(record.logs);
  const auto log = std::make_unique<preload::Log>();
  log->magic = preload::trace_magic;
  log->process = 1'000'000'000 + static_cast<int>(rank);  // no such process runs
  log->ended = 1;
  log->rank_plus_one = rank + 1;
  log->usages = 1;
  log->usage(1).call = preload::Call::write;
  log->usage(1).slow_calls = 3;
  testing::make_file(record.logs + "/1.0.log",
                     {reinterpret_cast<const char*>(log.get()), sizeof *log});
  return record;
}

TEST(KeptRecords, AreOneReport) {
  const testing::ScratchDirectory directory;
  for (const unsigned rank : {2U, 0U, 1U}) {
    Record record = record_in(directory, rank);
    if (rank == 2) record.machine = "another";
    keep(record, directory.path());
  }
  const std::vector<Record> records = kept_records(directory.path());
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[1].rank, 1u);
  const Profile profile = profile_of(records);
  EXPECT_EQ(profile.problems, std::vector<std::string>());
  EXPECT_EQ(profile.total().calls, 9u);
  EXPECT_EQ(profile.wait_status, 256);
  EXPECT_DOUBLE_EQ(profile.wall_s, 3);
  ASSERT_EQ(profile.processes.size(), 3u);
  EXPECT_EQ(profile.processes[2].machine, "another");
}

TEST(KeptRecords, ThatAreMissingAreNamed) {
  const testing::ScratchDirectory directory;
  keep(record_in(directory, 1), directory.path());
  const Profile profile = profile_of(kept_records(directory.path()));
  ASSERT_EQ(profile.problems.size(), 1u);
  EXPECT_TRUE(profile.problems[0].starts_with(
      "The job has 3 ranks, and this report lacks 2 of them: 0, 2. "))
      << profile.problems[0];
}

TEST(KeptRecords, OfRanksThatRanOnAfterAFailureAreNamed) {
  const testing::ScratchDirectory directory;
  std::vector<Record> records;
  for (const unsigned rank : {0U, 1U, 2U}) records.push_back(record_in(directory, rank));
  for (Record& record : records) {
    record.still_runs = record.rank != 1;
    record.wait_status = record.rank == 1 ? SIGSEGV : 0;
  }
  EXPECT_EQ(profile_of(records).problems,
            std::vector<std::string>{
                "This report was made when rank 1 had failed: ranks 0, 2 still ran"});
}

TEST(KeptRecords, OfTwoRunsInOneFolderAreAWarning) {
  const testing::ScratchDirectory directory;
  for (const unsigned rank : {0U, 1U, 2U, 1U}) keep(record_in(directory, rank), directory.path());
  const Profile profile = profile_of(kept_records(directory.path()));
  ASSERT_EQ(profile.problems.size(), 1u);
  EXPECT_TRUE(
      profile.problems[0].starts_with("Rank 1 has 2 records, and this report adds them up."))
      << profile.problems[0];
}

TEST(KeptRecords, OfAMissingFolderAreNone) {
  const testing::ScratchDirectory directory;
  try {
    kept_records(directory.file("missing"));
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("missing: there is no record of sluice trace. Make"),
              std::string::npos)
        << error.what();
  }
}

TEST(KeptRecords, ThatAreCutAreSaidToBeSo) {
  const testing::ScratchDirectory directory;
  keep(record_in(directory, 0), directory.path());
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    const auto json = entry.path() / "record.json";
    if (std::filesystem::exists(json)) std::filesystem::resize_file(json, 100);
  }
  try {
    kept_records(directory.path());
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("record.json is not whole: it is not valid JSON at"),
              std::string::npos)
        << error.what();
  }
}

TEST(KeptRecords, TakeTheRoomOfWhatIsWritten) {
  const testing::ScratchDirectory directory;
  keep(record_in(directory, 0), directory.path());
  const std::string log = kept_records(directory.path())[0].logs + "/1.0.log";
  struct stat status {};
  ASSERT_EQ(::stat(log.c_str(), &status), 0);
  EXPECT_EQ(static_cast<std::size_t>(status.st_size), sizeof(preload::Log));
  EXPECT_LT(status.st_blocks * 512, 200'000);
}

// A signal may end the program before a process has counted itself.
TEST(KeptRecords, HaveEmptyFilesToo) {
  const testing::ScratchDirectory directory;
  const Record record = record_in(directory, 0);
  testing::make_file(record.logs + "/count", "");
  keep(record, directory.path());
  EXPECT_EQ(testing::contents_of(kept_records(directory.path())[0].logs + "/count"), "");
}

TEST(KeptRecords, ThatCannotBeKeptLeaveNothing) {
  const testing::ScratchDirectory directory;
  Record record = record_in(directory, 0);
  const std::string folder = directory.file("kept");
  std::filesystem::create_directory(folder);
  record.logs += "/missing";
  EXPECT_THROW(keep(record, folder), std::exception);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(KeptRecords, OfOtherMachinesHaveTheTimeOfDay) {
  const testing::ScratchDirectory directory;
  const Record first = record_in(directory, 0);
  Record later = record_in(directory, 1);
  later.machine = "another";
  later.to_time_of_day_ns = first.to_time_of_day_ns + 5000;
  const Profile profile = profile_of({first, later});
  EXPECT_EQ(profile.moments[1].start_ns - profile.moments[0].start_ns, 5000u);
}

// The processors of two machines need not count equally fast.
TEST(KeptRecords, HaveTheTicksOfTheirMachines) {
  const testing::ScratchDirectory directory;
  const auto copying_s = [&](double tick_s) {
    Record record = record_in(directory, 0);
    record.tick_s = tick_s;
    const auto log = std::make_unique<preload::Log>();
    log->magic = preload::trace_magic;
    log->usages = log->several_threads = 1;
    log->usage(1).call = preload::Call::fwrite;
    log->usage(1).copies = log->usage(1).timed_copies = 1'000'000;
    log->usage(1).timed_copy_ticks = 1'000'000'000;
    testing::make_file(record.logs + "/1.0.log",
                       {reinterpret_cast<const char*>(log.get()), sizeof *log});
    const std::string kept = directory.file(std::to_string(tick_s * 1e9));
    std::filesystem::create_directory(kept);
    keep(record, kept);
    std::filesystem::remove_all(record.logs);
    return profile_of(kept_records(kept)).total().time.copying_s;
  };
  const double nanoseconds_s = copying_s(1e-9);
  EXPECT_NEAR(nanoseconds_s, 1, 0.2);
  EXPECT_NEAR(copying_s(2e-9) / nanoseconds_s, 2, 0.2);
}

TEST(KeptRecords, ThatAreDamagedAreRefused) {
  const testing::ScratchDirectory directory;
  EXPECT_THROW(kept_records(directory.path()), std::runtime_error);
  keep(record_in(directory, 0), directory.path());
  const std::string folder =
      std::filesystem::path(kept_records(directory.path())[0].logs).parent_path().string();
  const std::string whole = testing::contents_of(folder + "/record.json");
  std::string of_another_version = whole;
  const std::string schema = "\"schema\": 2";
  of_another_version.replace(whole.find(schema), schema.size(), "\"schema\": 99");
  for (const std::string& text :
       {std::string(), std::string("{}"), whole.substr(0, 40), of_another_version}) {
    testing::make_file(folder + "/record.json", text);
    EXPECT_THROW(kept_records(directory.path()), std::runtime_error) << text;
  }
}

}  // namespace
}  // namespace sluice::trace
