#include "trace/costs/extraction_cost.h"

#include <gtest/gtest.h>
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
  const std::optional<ExtractionCost> words = cost_of("word");
  const std::optional<ExtractionCost> fractions = cost_of("3.25");
  ASSERT_TRUE(words && fractions);
  EXPECT_GT(words->as_words_s, 0.2e-9);
  EXPECT_LT(words->most_s(), 300e-9) << "even on a slow machine";
  EXPECT_GT(fractions->as_numbers_s, 1.5 * fractions->as_words_s) << "a locale's rules for each";
  const std::optional<ExtractionCost> none = cost_of("nan");
  ASSERT_TRUE(none);
  EXPECT_GT(none->as_numbers_s, 0.2e-9) << "the stream would stop at the first";
  EXPECT_LE(fractions->least_s(), fractions->most_s());
}

TEST(ExtractionCost, NeedsATextOfManyWords) {
  EXPECT_FALSE(measured_extraction_cost("/no/such/file"));
  EXPECT_FALSE(measured_extraction_cost("/proc"));
  EXPECT_FALSE(cost_of("word", 90));
  EXPECT_TRUE(cost_of("word", 110));
  EXPECT_FALSE(cost_of(std::string("a\0b", 3)));
}

}  // namespace
}  // namespace sluice::trace
