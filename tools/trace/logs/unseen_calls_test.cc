// The functions that a program imports and no hook sees.
#include "trace/logs/unseen_calls.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

// So this program imports it, if there is one.
extern "C" [[gnu::weak]] void GOMP_barrier();

namespace sluice::trace {
namespace {

[[maybe_unused]] volatile auto of_openmp = &GOMP_barrier;
// So this program imports them.
[[maybe_unused]] volatile auto a_socket = &recv;
const std::istringstream a_stream("");

TEST(UnseenCalls, AreThoseThatAProgramImports) {
  const std::vector<std::string> found = unseen_calls_of("/proc/self/exe");
  EXPECT_EQ(std::ranges::count_if(found, is_of_openmp), 1);
  EXPECT_EQ(std::ranges::count(found, "recv"), 1);
  EXPECT_EQ(std::ranges::count(found, "std::istringstream"), 1);
  EXPECT_TRUE(unseen_calls_of("/proc/self/no-such-file").empty());
}

}  // namespace
}  // namespace sluice::trace
