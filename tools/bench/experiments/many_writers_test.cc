// Promises of the rows of `many-writers` to each other. writing_test.cc tests that every row is
// right.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/experiments/registry.h"
#include "bench/experiments/rows/process_threads.h"
#include "bench/experiments/rows/row_checks.h"
#include "testing/scratch_directory.h"

namespace sluice::bench {
namespace {

using testing::ScratchDirectory;

constexpr std::uint64_t odd_bytes = 8 * 10'007;  // no number of threads divides it

Experiment made(const ScratchDirectory& scratch) {
  Experiment experiment = many_writers_experiment(settings_for(scratch.path(), odd_bytes));
  experiment.set_up();
  return experiment;
}

unsigned threads_of(const Experiment::Group& group) {
  return static_cast<unsigned>(std::stoul(group.title));  // "16 threads, nothing computed"
}

// Returns the bytes of the threads' files, one after the other, and removes the files.
std::string take_files(const ScratchDirectory& scratch, unsigned threads) {
  std::string bytes;
  for (unsigned i = 0; i < threads; ++i) {
    const std::string path = scratch.file("many-writers-" + std::to_string(i) + ".out");
    std::ifstream file(path, std::ios::binary);
    bytes.append(std::istreambuf_iterator<char>(file), {});
    EXPECT_TRUE(std::filesystem::remove(path)) << path;
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  return bytes;
}

TEST(ManyWriters, HasAGroupForEachNumberOfThreadsWithAndWithoutComputing) {
  const ScratchDirectory scratch;
  std::vector<unsigned> threads;
  for (const auto& group : made(scratch).groups) threads.push_back(threads_of(group));
  EXPECT_EQ(threads, (std::vector<unsigned>{1, 2, 4, 8, 16, 1, 2, 4, 8, 16}));
}

TEST(ManyWriters, WritesTheSameValuesWithEveryNumberOfThreads) {
  const ScratchDirectory scratch;
  std::map<std::string, std::string> of_one_thread;  // the key is the group's computation
  for (const auto& group : made(scratch).groups) {
    const std::string computed = group.title.substr(group.title.find(','));
    const Strategy& ours = group.strategies.back();
    ASSERT_EQ(measure(ours).error, "");
    const std::string bytes = take_files(scratch, threads_of(group));
    EXPECT_EQ(bytes.size(), odd_bytes) << group.title;
    const auto [first, is_first] = of_one_thread.emplace(computed, bytes);
    EXPECT_EQ(threads_of(group) == 1, is_first);
    EXPECT_EQ(first->second, bytes) << group.title;
  }
  EXPECT_EQ(of_one_thread.size(), 2U);
}

TEST(ManyWriters, StartsItsThreadsBeforeTheTimedPart) {
  const ScratchDirectory scratch;
  for_each_row(made(scratch), [](const Experiment::Group& group, Strategy strategy) {
    strategy.run = [run = strategy.run, expected = 1 + threads_of(group)] {
      if (threads_of_this_process() != expected) throw std::runtime_error("other threads");
      run();
    };
    EXPECT_EQ(measure(strategy).error, "");
  });
}

}  // namespace
}  // namespace sluice::bench
