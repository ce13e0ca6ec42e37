#include "bench/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>

#include "bench/fakes.h"
#include "bench/interrupt.h"
#include "bench/scratch.h"

namespace sluice::bench {
namespace {

class Measure : public testing::Test {
 protected:
  // The lines that the children wrote. The children share no memory with the test.
  void note(const std::string& line) const { std::ofstream(log_, std::ios::app) << line << "\n"; }
  std::string notes() const {
    std::ifstream file(log_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  Scratch scratch_{testing::TempDir()};
  std::string log_ = scratch_.path() + "/log";
};

void spin(double seconds) {
  const std::clock_t end = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
  while (std::clock() < end) continue;
}

TEST_F(Measure, RunsPrepareRunAndVerifyInOneChild) {
  Strategy strategy = fake_strategy("fake", Kind::peer);
  const pid_t parent = ::getpid();
  pid_t child = 0;
  strategy.prepare = [&] {
    child = ::getpid();
    note(child == parent ? "prepare in the parent" : "prepare");
  };
  strategy.run = [&] { note(child == ::getpid() ? "run" : "run elsewhere"); };
  strategy.verify = [&] { note(child == ::getpid() ? "verify" : "verify elsewhere"); };
  const Outcome outcome = measure(strategy);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.measurement);
  EXPECT_EQ(notes(), "prepare\nrun\nverify\n");
  EXPECT_EQ(child, 0) << "a change in the child stays in the child";
}

TEST_F(Measure, CountsExactlyTheReadsAndWritesOfTheRun) {
  Strategy strategy = fake_strategy("fake", Kind::peer);
  const auto write_to_log = [this](int times) {
    std::FILE* const file = std::fopen(log_.c_str(), "w");
    for (int i = 0; i < times; ++i) {
      if (::write(::fileno(file), "x", 1) != 1) throw std::runtime_error("write failed");
    }
    std::fclose(file);
  };
  strategy.prepare = [=] { write_to_log(100); };
  strategy.run = [=] { write_to_log(13); };
  strategy.verify = [=] { write_to_log(200); };
  const Outcome outcome = measure(strategy);
  ASSERT_TRUE(outcome.measurement) << outcome.error;
  if (!outcome.measurement->syscalls) GTEST_SKIP() << "this kernel has no /proc/self/io";
  EXPECT_EQ(*outcome.measurement->syscalls, 13u);

  strategy.run = [] {};
  EXPECT_EQ(*measure(strategy).measurement->syscalls, 0u);
}

TEST_F(Measure, CountsTheCallsOfOtherThreads) {
  const Strategy strategy = fake_strategy("fake", Kind::peer, [this] {
    std::thread([this] {
      std::FILE* const file = std::fopen(log_.c_str(), "w");
      for (int i = 0; i < 5; ++i) {
        if (::write(::fileno(file), "x", 1) != 1) std::abort();
      }
      std::fclose(file);
    }).join();
  });
  const Outcome outcome = measure(strategy);
  ASSERT_TRUE(outcome.measurement) << outcome.error;
  if (!outcome.measurement->syscalls) GTEST_SKIP() << "this kernel has no /proc/self/io";
  EXPECT_EQ(*outcome.measurement->syscalls, 5u);
}

TEST_F(Measure, LeavesPrepareAndVerifyOutOfTheFigures) {
  Strategy strategy = fake_strategy("fake", Kind::peer);
  strategy.prepare = [] { spin(0.2); };
  strategy.verify = [] { spin(0.2); };
  const Measurement with = *measure(strategy).measurement;
  // The run does nothing. The other two parts took 0.2 s of processor time each, whatever else the
  // machine does. So this limit shows that they were not counted.
  EXPECT_LT(with.user_s + with.sys_s, 0.1);
}

TEST_F(Measure, SeparatesWaitingFromWorking) {
  const Strategy sleeps = fake_strategy("sleeps", Kind::peer, [] { ::usleep(200'000); });
  const Measurement slept = *measure(sleeps).measurement;
  EXPECT_GE(slept.sleep_s, 0.19);
  EXPECT_GE(slept.wall_s, slept.sleep_s);
  const Strategy works = fake_strategy("works", Kind::peer, [] { spin(0.2); });
  const Measurement worked = *measure(works).measurement;
  EXPECT_GE(worked.user_s + worked.sys_s, 0.19);
  EXPECT_LE(worked.sleep_s, worked.wall_s - 0.19);
}

TEST_F(Measure, CountsTheProcessorTimeOfOtherThreads) {
  // The calling thread waits while another thread works. So the run has user time and sleep at
  // once.
  const Strategy strategy =
      fake_strategy("fake", Kind::peer, [] { std::thread([] { spin(0.2); }).join(); });
  const Measurement measurement = *measure(strategy).measurement;
  EXPECT_GE(measurement.user_s + measurement.sys_s, 0.19);
  EXPECT_GE(measurement.sleep_s, 0.15);
}

TEST_F(Measure, FindsThePeakMemoryOfTheRunAlone) {
  constexpr std::size_t large = 64 << 20;
  const auto touch = [] {
    void* const memory = ::mmap(nullptr, large, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    ::munmap(memory, large);
  };
  Strategy strategy = fake_strategy("fake", Kind::peer, touch);
  const std::uint64_t with = measure(strategy).measurement->peak_rss_bytes;
  EXPECT_GE(with, large);
  strategy.run = [] {};
  strategy.prepare = touch;
  strategy.verify = touch;
  EXPECT_LT(measure(strategy).measurement->peak_rss_bytes, with - large / 2);
}

TEST_F(Measure, CountsPageFaults) {
  const Strategy strategy = fake_strategy("fake", Kind::peer, [] {
    constexpr std::size_t bytes = 100 * 4096;
    auto* const memory = static_cast<volatile char*>(
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::madvise(const_cast<char*>(memory), bytes, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
  });
  EXPECT_GE(measure(strategy).measurement->page_faults, 100u);
}

TEST_F(Measure, CountsHowOftenAThreadWaits) {
  const Strategy waits = fake_strategy("waits", Kind::peer, [] {
    for (int i = 0; i < 50; ++i) ::usleep(1000);
  });
  EXPECT_GE(measure(waits).measurement->voluntary_switches, 50u);
  const Strategy nothing = fake_strategy("nothing", Kind::peer);
  EXPECT_LT(measure(nothing).measurement->voluntary_switches, 50u);
}

TEST_F(Measure, CountsHowOftenAThreadLosesItsProcessor) {
  Strategy strategy = fake_strategy("fake", Kind::peer, [] {
    std::thread other([] { spin(0.2); });
    spin(0.2);
    other.join();
  });
  strategy.prepare = [] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
    if (::sched_setaffinity(0, sizeof(one), &one) != 0) throw std::runtime_error("no affinity");
  };
  const Outcome outcome = measure(strategy);
  ASSERT_TRUE(outcome.measurement) << outcome.error;
  EXPECT_GE(outcome.measurement->involuntary_switches, 2u);
}

TEST_F(Measure, ReturnsTheTextOfAnExceptionFromEachPart) {
  const auto fail = [] { throw std::runtime_error("write /x: No space left on device"); };
  for (const auto part : {&Strategy::prepare, &Strategy::run, &Strategy::verify}) {
    Strategy strategy = fake_strategy("fake", Kind::peer);
    strategy.*part = fail;
    const Outcome outcome = measure(strategy);
    EXPECT_EQ(outcome.error, "write /x: No space left on device");
    EXPECT_FALSE(outcome.measurement);
  }
}

TEST_F(Measure, HasAnErrorEvenForAnExceptionWithoutText) {
  const Strategy empty = fake_strategy("fake", Kind::peer, [] { throw std::runtime_error(""); });
  EXPECT_EQ(measure(empty).error, "the run failed without saying why");
  const Strategy number = fake_strategy("fake", Kind::peer, [] { throw 5; });
  EXPECT_EQ(measure(number).error, "the run failed without saying why");
}

TEST_F(Measure, NamesTheSignalThatKilledTheChild) {
  const Strategy aborts = fake_strategy("fake", Kind::peer, [] { ::raise(SIGABRT); });
  EXPECT_EQ(measure(aborts).error, "the run was killed by SIGABRT (Aborted)");
  const Strategy killed = fake_strategy("fake", Kind::peer, [] { ::raise(SIGKILL); });
  EXPECT_EQ(measure(killed).error, "the run was killed by SIGKILL (Killed)");
}

TEST_F(Measure, DoesNotTakeAChildThatExitsForAResult) {
  const Strategy exits = fake_strategy("fake", Kind::peer, [] { ::_exit(0); });
  EXPECT_EQ(measure(exits).error, "the run ended its process with exit code 0");
}

TEST_F(Measure, DoesNotRunTheParentsCleanupInTheChild) {
  struct Cleanup {
    std::string log;
    ~Cleanup() { std::ofstream(log, std::ios::app) << "cleaned up by " << ::getpid() << "\n"; }
  };
  // If measure() returned or threw in the child, the child would destroy the object. If the child
  // had inherited the text in the buffer, it would write the text a second time.
  std::FILE* const file = std::fopen(log_.c_str(), "a");
  std::fputs("buffered by the parent\n", file);
  {
    const Cleanup cleanup{log_};
    const Strategy flushes = fake_strategy("fake", Kind::peer, [] { std::fflush(nullptr); });
    EXPECT_EQ(measure(flushes).error, "");
  }
  std::fclose(file);
  EXPECT_EQ(notes(), "buffered by the parent\ncleaned up by " + std::to_string(::getpid()) + "\n");
}

TEST_F(Measure, WaitsForNoProcessThatTheRunLeftBehind) {
  const Strategy strategy = fake_strategy("fake", Kind::peer, [this] {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
      ::pause();  // for ever, with the pipe to the parent open
      ::_exit(0);
    }
    note(std::to_string(grandchild));
  });
  EXPECT_EQ(measure(strategy).error, "");
  const std::string stat = "/proc/" + notes().substr(0, notes().find('\n')) + "/stat";
  // Waits until the kernel has ended the process, at most until the test's timeout. The process
  // that adopted the ended process may leave it a zombie (Z).
  for (std::string number, name, state = "?"; !state.empty() && state != "Z" && state != "X";) {
    state.clear();
    std::ifstream(stat) >> number >> name >> state;
  }
}

TEST_F(Measure, IsCutOffByASignalThatAsksForTheEnd) {
  const InterruptWatch watch;
  const Strategy strategy = fake_strategy("fake", Kind::peer, [this] {
    ::kill(::getppid(), SIGTERM);
    ::sleep(60);
    note("the child went on");
  });
  const Outcome outcome = measure(strategy);
  EXPECT_FALSE(outcome.measurement);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(interrupted_by(), SIGTERM);
  EXPECT_EQ(notes(), "");
  // No further child may be started.
  EXPECT_FALSE(measure(fake_strategy("fake", Kind::peer, [this] { note("started"); })).measurement);
  EXPECT_EQ(notes(), "");
}

}  // namespace
}  // namespace sluice::bench
