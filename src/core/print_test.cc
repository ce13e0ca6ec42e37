// print: formatted text into a Writer.
#include "sluice/print.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice::testing {
namespace {

TEST(Print, FormatsIntoTheWriter) {
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  EXPECT_TRUE(print(writer, "{:>5}|{:.2f}|{}\n", 42, 1.005, "text"));
  EXPECT_TRUE(print(writer, "no arguments"));
  EXPECT_TRUE(print(writer, "{}", std::string(10'000, 'x')));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(target, "   42|1.00|text\nno arguments" + std::string(10'000, 'x'));
}

TEST(Print, SaysWhenTheWriterHasFailed) {
  Writer writer;
  ASSERT_TRUE(writer.open("/dev/full").ok());
  EXPECT_TRUE(print(writer, "{}", 1)) << "it fits the block";
  EXPECT_FALSE(writer.flush().ok());
  EXPECT_FALSE(print(writer, "{}", 2));
  EXPECT_FALSE(writer.close().ok());
}

}  // namespace
}  // namespace sluice::testing
