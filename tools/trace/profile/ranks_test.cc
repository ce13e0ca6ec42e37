#include "trace/profile/ranks.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "command_line/output.h"
#include "trace/report/report.h"

namespace sluice::trace {
namespace {

// Ranks with a use of the call site `site` on a file of their own, of so many seconds.
Profile profile_with(const std::vector<std::vector<double>>& seconds_of_sites) {
  Profile profile;
  profile.command = {"program"};
  profile.sites.resize(seconds_of_sites.size());
  for (unsigned rank = 0; rank < seconds_of_sites[0].size(); ++rank) {
    profile.files.push_back({.name = "file." + std::to_string(rank)});
    Process& process = profile.processes.emplace_back();
    process.number = 100 + static_cast<int>(rank);
    process.rank = rank;
  }
  for (std::size_t site = 0; site < seconds_of_sites.size(); ++site) {
    profile.sites[site].frames.push_back({"function" + std::to_string(site), "", ""});
    for (unsigned rank = 0; rank < seconds_of_sites[site].size(); ++rank) {
      const Time time{.system_s = seconds_of_sites[site][rank]};
      Use use{.site = site, .file = rank, .call = preload::Call::pwrite};
      use.amount.time = time;
      use.by_rank[rank] = RankShare{time, 10, 1000};
      profile.uses.push_back(use);
    }
  }
  return profile;
}

TEST(Ranks, AreComparedWithTheMedian) {
  const RankComparison all = ranks_of(profile_with({{1, 2, 9, 3}}));
  ASSERT_EQ(all.ranks.size(), 4u);
  EXPECT_EQ(all.ranks[0].rank, 2u);
  EXPECT_EQ(all.ranks[3].rank, 0u);
  EXPECT_DOUBLE_EQ(all.ranks[0].share.time.total_s(), 9);
  EXPECT_DOUBLE_EQ(all.median_s, 2.5);
}

TEST(Ranks, HaveTheCallSitesThatMakeTheSlowestOneSlow) {
  const RankComparison all =
      ranks_of(profile_with({{1, 1, 2, 1}, {0.5, 0.5, 7, 0.5}, {3, 3, 3, 3}}));
  ASSERT_EQ(all.differences.size(), 2u);
  EXPECT_EQ(all.differences[0].use, 4u + 2);  // of the second site, at rank 2
  EXPECT_DOUBLE_EQ(all.differences[0].slowest_s, 7);
  EXPECT_DOUBLE_EQ(all.differences[0].median_s, 0.5);
  EXPECT_DOUBLE_EQ(all.differences[1].slowest_s, 2);
}

TEST(Ranks, DifferByTenMillisecondsBeforeACallIsNamed) {
  EXPECT_TRUE(ranks_of(profile_with({{0, 0, 0, 0.009}})).differences.empty());
  EXPECT_EQ(ranks_of(profile_with({{0, 0, 0, 0.011}})).differences.size(), 1u);
}

TEST(Ranks, ThatAreAlikeHaveNoSlowCalls) {
  EXPECT_TRUE(ranks_of(profile_with({{0.02, 0, 0}, {0, 0.015, 0.015}})).differences.empty());
}

// Of the second of two call sites, which has these frames and this file, nothing is in the
// comparison.
void expect_left_out(const std::vector<Frame>& frames, const File& file, bool is_left_out) {
  Profile profile = profile_with({{0.25, 0.25, 0.25, 1}, {0.5, 4.5, 0.5, 1.5}});
  profile.sites[1].frames = frames;
  for (unsigned rank = 0; rank < 4; ++rank) {
    profile.uses[4 + rank].file = profile.files.size();
    profile.files.push_back(file);
  }
  const RankComparison all = ranks_of(profile);
  EXPECT_EQ(all.ranks[0].rank, is_left_out ? 3u : 1u) << frames[0].function << " " << file.name;
  EXPECT_DOUBLE_EQ(all.of_mpi_itself_s, is_left_out ? 7 : 0);
  for (const RankDifference& of : all.differences) EXPECT_EQ(of.use >= 4, !is_left_out);
  const std::string text = summary_of(profile, {});
  EXPECT_EQ(text.find("what MPI itself does on sockets, pipes and at its start, 7.0000 s") ==
                std::string::npos,
            !is_left_out)
      << text;
}

TEST(Ranks, AreComparedWithoutWhatMpiDoesForItself) {
  const Frame event{"libevent_core-2.1.so.7: near x+0x5dd", "", "/lib/libevent_core-2.1.so.7"};
  const Frame mpi{"libmpich.so.12: near QMPI_x+0x43a", "", "/lib/libmpich.so.12"};
  const Frame start{"PMPI_Init_thread", "", "/lib/libmpi.so.40"};
  const Frame other{"numa_node_size64", "", "/lib/libnuma.so.1"};
  const Frame own{"MPI_Initialise_mine", "", "/home/program"};
  expect_left_out({event}, {.name = "anon_inode:[eventfd]"}, true);
  expect_left_out({mpi, own}, {.name = "socket:[435830]", .kind = S_IFSOCK}, true);
  expect_left_out({mpi, own}, {.name = "pipe:[4]", .kind = S_IFIFO}, true);
  expect_left_out({mpi, own}, {.name = "/dev/null", .kind = S_IFCHR}, true);
  expect_left_out({mpi, own}, {.name = "/proc/self/stat", .kind = S_IFREG}, true);
  expect_left_out({mpi, start, own}, {.name = "/opt/hosts", .kind = S_IFREG}, true);
  expect_left_out({mpi, own}, {.name = "/data/run.bin", .kind = S_IFREG}, false);
  expect_left_out({mpi, own}, {.name = "/dev/shm/run.bin", .kind = S_IFREG}, false);
  expect_left_out({other, start, own}, {.name = "/opt/hosts", .kind = S_IFREG}, true);
  expect_left_out({own}, {.name = "socket:[4]", .kind = S_IFSOCK}, false);
}

TEST(Ranks, WithoutSuchCallsCountAsZero) {
  Profile profile = profile_with({{1, 1, 1, 1}, {0, 0, 0, 5}});
  for (const std::size_t use : {4U, 5U, 6U}) profile.uses[use].by_rank.clear();
  const RankComparison all = ranks_of(profile);
  ASSERT_FALSE(all.differences.empty());
  EXPECT_DOUBLE_EQ(all.differences[0].median_s, 0);
}

TEST(Ranks, AreNotComparedIfThereIsOne) {
  EXPECT_TRUE(ranks_of(profile_with({{1}})).ranks.empty());
  EXPECT_TRUE(ranks_of(Profile{}).ranks.empty());
}

TEST(Ranks, AreInTheReport) {
  Profile profile = profile_with({{1, 2, 9, 3}});
  const std::string text = summary_of(profile, {});
  EXPECT_NE(text.find("4 ranks: rank 2 has the most I/O time, 9.0000 s, 3.60 times the median of "
                      "2.5000 s\n  6.5000 s more than the median of the ranks for this call: "
                      "pwrite, function0, file.2 "
                      "(9.0000 s against 2.5000 s)\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find(" on "), std::string::npos) << text;
  profile.processes[0].machine = "one";
  EXPECT_NE(summary_of(profile, {}).find("  0 on one\n"), std::string::npos);
  const std::string json = json_of(profile, {});
  EXPECT_NE(json.find("\"slowest\": 2"), std::string::npos);
}

}  // namespace
}  // namespace sluice::trace
