// print_plain() gives the texts of the C library, and refuses what it does not know.
#include "stdio/print_plain.h"

#include <gtest/gtest.h>

#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <string>

#include "sluice/stdio_stream.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// The text that fits into `room` bytes, or "refused".
std::string plain(std::size_t room, const char* format, ...) {
  std::string memory(room + 1, '\xee');
  va_list arguments;
  va_start(arguments, format);
  const std::ptrdiff_t bytes =
      stdio::print_plain(reinterpret_cast<unsigned char*>(memory.data()), room, format, arguments);
  va_end(arguments);
  EXPECT_EQ(memory[room], '\xee') << format;
  return bytes < 0 ? "refused" : memory.substr(0, static_cast<std::size_t>(bytes));
}

template <typename... Arguments>
void expect_text_of_the_c_library(const char* format, Arguments... arguments) {
  char text[300];
  const int bytes = std::snprintf(text, sizeof text, format, arguments...);
  ASSERT_GE(bytes, 0) << format;
  const std::string expected(text, static_cast<std::size_t>(bytes));
  for (std::size_t room = 0; room < expected.size() + 3; ++room) {
    EXPECT_EQ(plain(room, format, arguments...), room < expected.size() ? "refused" : expected)
        << format << " in " << room << " bytes";
  }
}

TEST(PrintPlain, GivesTheTextsOfTheCLibrary) {
  expect_text_of_the_c_library("%s", "");
  expect_text_of_the_c_library("a line of text\n", 0);
  for (const int number : {0, 1, -1, 9, 10, -10, 123456, INT_MAX, INT_MIN}) {
    expect_text_of_the_c_library("%d|%i, 100 %%\n", number, number);
    expect_text_of_the_c_library("%u%x", number, number);
  }
  for (const long number : {0L, -7L, LONG_MAX, LONG_MIN}) {
    expect_text_of_the_c_library("%ld %li %lu %lx", number, number, number, number);
    expect_text_of_the_c_library("%zd %zu %zx", number, number, number);
  }
  for (const long long number : {0LL, -7LL, LLONG_MAX, LLONG_MIN}) {
    expect_text_of_the_c_library("%lld %lli %llu %llx", number, number, number, number);
  }
  expect_text_of_the_c_library("<%s> %c%c", "a longer text", 'a', '\0');
  EXPECT_EQ(plain(100, "<%s>", static_cast<const char*>(nullptr)), "<(null)>");
  // More arguments than a call has registers for.
  expect_text_of_the_c_library("%d%s%ld%c%d%s%lld%c%d", 1, "b", 3L, 'd', 5, "f", 7LL, 'h', 9);
}

TEST(PrintPlain, RefusesWhatItDoesNotKnow) {
  for (const char* const format :
       {"%",   "%5d", "%-d", "%+d",  "% d", "%05d", "%.2d", "%#x",      "%hd", "%hhd",
        "%jd", "%td", "%f",  "%g",   "%X",  "%o",   "%p",   "%n",       "%m",  "%ls",
        "%lc", "%l%", "%z",  "%lll", "%'d", "%1$d", "%zs",  "text %.*s"}) {
    EXPECT_EQ(plain(1000, format, 0), "refused") << format;
  }
}

// The block is smaller than the text, so the texts meet every place in the block.
TEST(PrintPlain, WritesWholeTextsWhereverTheBlockEnds) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  sluice_FILE* const file = sluice_stdio_fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::string expected;
  const std::string word(700, 'w');
  for (int i = 0; i < 1000; ++i) {
    const std::string text =
        std::to_string(i) + " " + word.substr(0, static_cast<std::size_t>(i) % 700) + "|";
    EXPECT_EQ(sluice_stdio_fprintf(file, "%d %s|", i, text.c_str() + text.find(' ') + 1),
              static_cast<int>(text.size() + 1));
    expected += text + "|";
  }
  EXPECT_EQ(sluice_stdio_fclose(file), 0);
  EXPECT_TRUE(contents_of(path) == expected);
}

}  // namespace
}  // namespace sluice::testing
