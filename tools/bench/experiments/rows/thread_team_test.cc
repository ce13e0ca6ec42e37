#include "bench/experiments/rows/thread_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sluice::bench {
namespace {

TEST(ThreadTeam, DoesEachShareOnceAndIsDoneWhenRunReturns) {
  for (const std::size_t threads : {1U, 2U, 16U}) {
    std::vector<int> done(threads);
    ThreadTeam team(threads, [&](std::size_t thread) { ++done[thread]; });
    team.run();
    EXPECT_EQ(done, std::vector<int>(threads, 1));
  }
}

TEST(ThreadTeam, WorksAtTheSameTime) {
  std::barrier all_are_there(4);  // would never be passed if one share came after another
  ThreadTeam team(4, [&](std::size_t) { all_are_there.arrive_and_wait(); });
  team.run();
}

TEST(ThreadTeam, StartsNoShareWithoutRun) {
  std::atomic<int> shares = 0;
  {
    const ThreadTeam team(4, [&](std::size_t) { ++shares; });
  }
  EXPECT_EQ(shares, 0);
}

TEST(ThreadTeam, ThrowsAFailureWhenAllAreDone) {
  std::atomic<int> shares = 0;
  ThreadTeam team(4, [&](std::size_t thread) {
    ++shares;
    if (thread == 2) throw std::runtime_error("the third failed");
  });
  try {
    team.run();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the third failed");
  }
  EXPECT_EQ(shares, 4);
}

}  // namespace
}  // namespace sluice::bench
