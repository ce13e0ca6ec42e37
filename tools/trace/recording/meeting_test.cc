#include "trace/recording/meeting.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "testing/scratch_directory.h"

namespace sluice::trace {
namespace {

constexpr std::chrono::milliseconds short_patience(50);
constexpr std::chrono::milliseconds long_patience(60'000);

class RanksMeet : public ::testing::Test {
 protected:
  RanksMeet() { ::setenv("TMPDIR", directory_.path().c_str(), 1); }
  ~RanksMeet() override { ::unsetenv("TMPDIR"); }

  static Job job(unsigned rank, unsigned ranks = 2) { return {"job", rank, ranks, ranks}; }

  Record record(unsigned rank) {
    Record record = record_of_this_machine();
    record.logs = directory_.file("logs" + std::to_string(logs_++));
    record.rank = rank;
    record.command = {"program"};
    std::filesystem::create_directory(record.logs);
    return record;
  }

  bool is_empty() const {
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      if (entry.path().filename().string().starts_with("sluice-ranks-")) return false;
    }
    return true;
  }

  static bool has_log(const Meeting& meeting) {
    const std::vector<Record> records = meeting.records();
    return records.size() == 1 && std::filesystem::exists(records[0].logs + "/log");
  }

  testing::ScratchDirectory directory_;
  int logs_ = 0;
};

TEST_F(RanksMeet, AndTheLastOneReportsAll) {
  {
    Meeting first(job(0));
    Meeting second(job(1));
    EXPECT_FALSE(second.is_last(record(1), long_patience));
    EXPECT_TRUE(first.is_last(record(0), long_patience));
    ASSERT_EQ(first.records().size(), 2u);
    EXPECT_EQ(first.records()[0].rank, 0u);
  }
  EXPECT_TRUE(is_empty());
}

TEST_F(RanksMeet, AndAFailedOneReportsAllWhileTheOthersStillRun) {
  Meeting running(job(0));
  Record begun = record(0);
  begun.still_runs = true;
  running.begin(begun);
  Meeting failed(job(1));
  Record ended = record(1);
  ended.wait_status = SIGSEGV;
  ended.wall_s = 7;
  EXPECT_TRUE(failed.is_last(ended, long_patience));
  ASSERT_EQ(failed.records().size(), 2u);
  EXPECT_TRUE(failed.records()[0].still_runs);
  EXPECT_EQ(failed.records()[0].wall_s, 7);
  EXPECT_TRUE(std::filesystem::equivalent(failed.records()[0].logs, begun.logs));
  begun.still_runs = false;
  EXPECT_FALSE(running.is_last(begun, long_patience));
}

// The logs move twice before the rank has handed its record over.
TEST_F(RanksMeet, AndAFailedOneHasTheLogsOfOnesThatAreEnding) {
  Meeting ending(job(0));
  Record begun = record(0);
  ending.begin(begun);
  const std::string log = begun.logs + "/log";
  testing::make_file(log, "calls");
  Meeting failed(job(1));
  EXPECT_TRUE(has_log(failed));
  const std::vector<Record> before = failed.records();
  std::filesystem::rename(begun.logs, begun.logs + "-closed");
  EXPECT_TRUE(has_log(failed));
  EXPECT_TRUE(std::filesystem::exists(before.at(0).logs + "/log"));
  const std::string group =
      directory_.file("sluice-ranks-" + std::to_string(::geteuid()) + "-job/group-0");
  std::filesystem::rename(begun.logs + "-closed", group + "/rank-0/logs");
  EXPECT_TRUE(has_log(failed));
  std::filesystem::remove_all(group + "/rank-0/logs");
  EXPECT_TRUE(failed.records().empty()) << "a rank without logs is missing";
}

TEST_F(RanksMeet, AndAFailedOneGivesTheOthersTimeToEnd) {
  Meeting running(job(0));
  running.begin(record(0));
  Meeting failed(job(1));
  Record failure = record(1);
  failure.wait_status = SIGSEGV;
  std::thread waiting([&] { EXPECT_FALSE(failed.is_last(failure, long_patience)); });
  while (failed.records().size() < 2) std::this_thread::yield();
  EXPECT_TRUE(running.is_last(record(0), long_patience));
  waiting.join();
  EXPECT_EQ(running.records().size(), 2u);
}

TEST_F(RanksMeet, AndDoNotWaitForEverForRanksThatNeverJoin) {
  Meeting only(job(0));
  EXPECT_TRUE(only.is_last(record(0), short_patience));
  EXPECT_EQ(only.records().size(), 1u);
}

TEST_F(RanksMeet, AndDoNotWaitForARankThatWasKilled) {
  Meeting first(job(0));
  const Record begun = record(1);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const Meeting second(job(1));
    second.begin(begun);
    if (::write(ready[1], "", 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(first.is_last(record(0), long_patience));
  EXPECT_EQ(first.records().size(), 1u);
}

TEST_F(RanksMeet, InEachOfTheirTraces) {
  Meeting slow(job(1));
  auto first = std::make_unique<Meeting>(job(0));
  EXPECT_FALSE(first->is_last(record(0), long_patience));
  first = std::make_unique<Meeting>(job(0));  // the next trace of this rank
  EXPECT_TRUE(slow.is_last(record(1), long_patience));
  EXPECT_EQ(slow.records().size(), 2u);
  Meeting again(job(1));
  EXPECT_FALSE(again.is_last(record(1), long_patience));
  EXPECT_TRUE(first->is_last(record(0), long_patience));
  EXPECT_EQ(first->records().size(), 2u);
}

TEST_F(RanksMeet, OnlyInAFolderOfTheirOwn) {
  const std::string folder =
      directory_.file("sluice-ranks-" + std::to_string(::geteuid()) + "-job");
  std::filesystem::create_directory_symlink(directory_.path(), folder);
  EXPECT_THROW(Meeting meeting(job(0)), std::runtime_error);
  std::filesystem::remove(folder);
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::all);
  const int used = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(used, LOCK_SH), 0);  // otherwise it would look abandoned
  EXPECT_THROW(Meeting meeting(job(0)), std::runtime_error);
  ::close(used);
}

TEST_F(RanksMeet, AndALateOneReportsItself) {
  Meeting first(job(0));
  EXPECT_TRUE(first.is_last(record(0), short_patience));
  Meeting late(job(1));
  EXPECT_TRUE(late.is_last(record(1), short_patience));
  EXPECT_EQ(late.records().size(), 1u);
}

TEST_F(RanksMeet, AndRemoveWhatKilledJobsHaveLeft) {
  const std::string left = directory_.file("sluice-ranks-1-old");
  std::filesystem::create_directories(left + "/group-0/rank-0");
  { const Meeting meeting(job(0)); }
  EXPECT_FALSE(std::filesystem::exists(left));
}

class JobOf : public ::testing::Test {
 protected:
  ~JobOf() override {
    for (const char* const name :
         {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", "PMIX_NAMESPACE", "OMPI_COMM_WORLD_RANK",
          "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_PROCID",
          "SLURM_STEP_NUM_TASKS", "SLURM_GTIDS", "SLURM_JOB_ID", "SLURM_STEP_ID",
          "SLURM_PTY_PORT"}) {
      ::unsetenv(name);
    }
  }
};

TEST_F(JobOf, OpenMpiIsKnown) {
  ::setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  ::setenv("OMPI_COMM_WORLD_SIZE", "8", 1);
  ::setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4", 1);
  ::setenv("PMIX_NAMESPACE", "prterun-../x@1", 1);
  const std::optional<Job> job = job_of_environment();
  ASSERT_TRUE(job);
  EXPECT_EQ(job->name, "prterun-___x_1");
  EXPECT_EQ(job->rank, 3u);
  EXPECT_EQ(job->ranks, 8u);
  EXPECT_EQ(job->ranks_here, 4u);
}

TEST_F(JobOf, MpichIsKnown) {
  ::setenv("PMI_RANK", "1", 1);
  ::setenv("PMI_SIZE", "2", 1);
  const std::optional<Job> job = job_of_environment();
  ASSERT_TRUE(job);
  EXPECT_TRUE(job->name.starts_with("of-"));
  EXPECT_EQ(job->ranks_here, 2u);
}

TEST_F(JobOf, AStepOfSlurmIsKnown) {
  ::setenv("SLURM_PROCID", "3", 1);
  ::setenv("SLURM_JOB_ID", "77", 1);
  EXPECT_FALSE(job_of_environment()) << "a batch script has no step";
  ::setenv("SLURM_STEP_ID", "2", 1);
  ::setenv("SLURM_STEP_NUM_TASKS", "5", 1);
  ::setenv("SLURM_GTIDS", "2,3,4", 1);
  std::optional<Job> job = job_of_environment();
  ASSERT_TRUE(job);
  EXPECT_EQ(job->name, "77-2");
  EXPECT_EQ(job->rank, 3u);
  EXPECT_EQ(job->ranks, 5u);
  EXPECT_EQ(job->ranks_here, 3u);
  ::setenv("PMI_RANK", "1", 1);  // mpiexec, which uses SLURM
  ::setenv("PMI_SIZE", "20", 1);
  job = job_of_environment();
  ASSERT_TRUE(job);
  EXPECT_EQ(job->rank, 1u);
  ::setenv("PMI_RANK", "3", 1);  // SLURM's own PMI, which does not say how many ranks are here
  ::setenv("PMI_SIZE", "5", 1);
  job = job_of_environment();
  ASSERT_TRUE(job);
  EXPECT_EQ(job->name, "77-2");
  EXPECT_EQ(job->ranks_here, 3u);
  ::setenv("SLURM_PTY_PORT", "40000", 1);
  EXPECT_FALSE(job_of_environment()) << "the other ranks of an interactive shell have ended";
}

TEST_F(JobOf, OneRankOrNoneIsNoJob) {
  EXPECT_FALSE(job_of_environment());
  ::setenv("PMI_RANK", "0", 1);
  EXPECT_FALSE(job_of_environment());
  ::setenv("PMI_SIZE", "1", 1);
  EXPECT_FALSE(job_of_environment());
  ::setenv("PMI_SIZE", "x", 1);
  EXPECT_FALSE(job_of_environment());
}

}  // namespace
}  // namespace sluice::trace
