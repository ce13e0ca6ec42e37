// The functions that a program imports and no hook sees.
#include "trace/logs/unseen_calls.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/socket.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sluice::trace {
namespace {

// So this program imports them.
[[maybe_unused]] volatile auto a_barrier = &pthread_barrier_wait;
[[maybe_unused]] volatile auto a_socket = &recv;

TEST(UnseenCalls, AreThoseThatAProgramImports) {
  const std::vector<std::string> found = unseen_calls_of("/proc/self/exe");
  EXPECT_EQ(std::ranges::count_if(found, is_barrier), 1);
  EXPECT_EQ(std::ranges::count(found, "recv"), 1);
  EXPECT_TRUE(unseen_calls_of("/proc/self/no-such-file").empty());
}

}  // namespace
}  // namespace sluice::trace
