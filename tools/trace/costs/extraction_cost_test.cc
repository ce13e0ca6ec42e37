#include "trace/costs/extraction_cost.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace sluice::trace {
namespace {

// The cost of a file with this word many times.
std::optional<ExtractionCost> cost_of(const std::string& word, int times = 2'000) {
  const std::string path = testing::TempDir() + "words-" + std::to_string(::getpid());
  {
    std::ofstream file(path);
    for (int i = 0; i < times; ++i) file << word << (i % 8 == 0 ? '\n' : ' ');
  }
  const std::optional<ExtractionCost> cost = measured_extraction_cost(path);
  std::filesystem::remove(path);
  return cost;
}

TEST(ExtractionCost, IsMeasuredWithTheWordsOfTheFile) {
  for (const char* const word : {"word", "3.25", "nan", "3.25,4.5,6.125"}) {
    const std::optional<ExtractionCost> cost = cost_of(word);
    ASSERT_TRUE(cost) << word;
    EXPECT_LE(cost->beside_memory.least_s, cost->beside_memory.most_s);
    ASSERT_TRUE(cost->without_buffer);
    EXPECT_LE(cost->without_buffer->least_s, cost->without_buffer->most_s);
    EXPECT_GT(cost->without_buffer->most_s, 0) << "two calls for each byte";
  }
}

TEST(ExtractionCost, NeedsATextOfManyWords) {
  EXPECT_FALSE(measured_extraction_cost("/no/such/file"));
  EXPECT_FALSE(measured_extraction_cost("/proc"));
  EXPECT_FALSE(cost_of(std::string(70, 'x'))) << "a program may take its characters";
  EXPECT_FALSE(cost_of("word", 90));
  EXPECT_TRUE(cost_of("word", 110));
  EXPECT_FALSE(cost_of(std::string("a\0b", 3)));
}

// The program may have put it in the place of the file.
TEST(ExtractionCost, DoesNotWaitForAPipe) {
  const std::string path = testing::TempDir() + "fifo-" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(measured_extraction_cost(path));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace sluice::trace
