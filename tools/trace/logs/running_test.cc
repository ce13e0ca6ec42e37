#include "trace/logs/running.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

namespace sluice::trace {
namespace {

constexpr double ever_s = 1e18;

double own_s() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

TEST(RunningProcess, HasTheProcessorTimeThatItHasUsed) {
  const double some_s = own_s() + 0.1;
  while (own_s() < some_s) {
  }
  constexpr double ticks_s = 0.05;  // the kernel rounds each part down to a tick
  const std::optional<double> found_s = processor_s_of_running(::getpid(), -ever_s, ever_s);
  ASSERT_TRUE(found_s);
  EXPECT_GE(*found_s, some_s - ticks_s);
}

TEST(RunningProcess, IsNoneAfterItsEnd) {
  const pid_t child = ::fork();
  if (child == 0) std::_Exit(0);
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(processor_s_of_running(child, -ever_s, ever_s));
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(processor_s_of_running(child, -ever_s, ever_s));
}

// In another namespace of processes, the first process has the number of init.
TEST(RunningProcess, HasBegunAtItsOwnTime) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const auto now_s = static_cast<double>(now.tv_sec);
  EXPECT_TRUE(processor_s_of_running(::getpid(), now_s - 300, now_s + 1));
  EXPECT_FALSE(processor_s_of_running(::getpid(), now_s + 1, ever_s));
  EXPECT_FALSE(processor_s_of_running(::getpid(), -ever_s, now_s - 300));
}

}  // namespace
}  // namespace sluice::trace
