// print_plain() gives the texts of the C library, and refuses what it does not know.
#include "stdio/print_plain.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <climits>
#include <clocale>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
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
       {"%",    "%+d",  "% d",       "%+5d", "%.2d", "%5.2u", "%#x",
        "%hd",  "%hhd", "%jd",       "%td",  "%g",   "%X",    "%o",
        "%p",   "%n",   "%m",        "%ls",  "%lc",  "%l%",   "%z",
        "%lll", "%'d",  "%1$d",      "%zs",  "%05s", "%05c",  "%.2c",
        "%5%",  "%-%",  "text %.*s", "%*d",  "%zf",  "%llf",  "%99999999999999999999d"}) {
    EXPECT_EQ(plain(1000, format, 0, 0), "refused") << format;
  }
}

TEST(PrintPlain, FillsUpToAWidth) {
  for (const char* const flags : {"", "-", "0", "-0", "00", "0-"}) {
    for (const char* const width : {"", "1", "4", "5", "6", "12"}) {
      const std::string begin = std::string("<%") + flags + width;
      for (const int number : {0, 7, -7, 12345, -12345, 123456}) {
        expect_text_of_the_c_library((begin + "d>").c_str(), number);
        expect_text_of_the_c_library((begin + "x>").c_str(), number);
        expect_text_of_the_c_library((begin + "ld>").c_str(), long{number});
        expect_text_of_the_c_library((begin + ".2f>").c_str(), number / 100.0);
        expect_text_of_the_c_library((begin + "lf>").c_str(), number / 100.0);
      }
    }
  }
  for (const char* const format :
       {"<%5s>", "<%-5s>", "<%1s>", "<%.2s>", "<%5.2s>", "<%-5.0s>", "<%.9s>"}) {
    expect_text_of_the_c_library(format, "text");
    expect_text_of_the_c_library(format, "");
  }
  expect_text_of_the_c_library("<%3c|%-3c>", 'a', 'b');
  const char unterminated[] = {'a', 'b', 'c'};
  EXPECT_EQ(plain(100, "%.3s", unterminated), "abc");
}

TEST(PrintPlain, RaisesNoFloatingPointException) {
  std::feclearexcept(FE_ALL_EXCEPT);
  EXPECT_EQ(plain(100, "%f", 0.1), "0.100000");
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
}

TEST(PrintPlain, RoundsAsTheCLibraryDoes) {
  const double limits[] = {0.0,       -0.0,
                           0.5,       1.5,
                           2.5,       0.125,
                           0.375,     1e-300,
                           5e-324,    0x1p-74,
                           0x1p-128,  999.9996,
                           0.9999999, 4503599627370496.5,
                           0x1p53,    9.2233720368547748e18};
  for (const double number : limits) {
    for (const double signed_number : {number, -number}) {
      expect_text_of_the_c_library("%f %.0f %.1f %.2f %.3f %.9f %.17f", signed_number,
                                   signed_number, signed_number, signed_number, signed_number,
                                   signed_number, signed_number);
    }
  }
  std::mt19937_64 random(7);
  char expected[400];
  for (int i = 0; i < 300'000; ++i) {
    const double number = std::ldexp(static_cast<double>(random() >> (random() % 64)),
                                     -static_cast<int>(random() % 68) - 1);
    const std::string format = "%." + std::to_string(random() % 18) + "f";
    const int bytes = std::snprintf(expected, sizeof expected, format.c_str(), number);
    ASSERT_EQ(plain(100, format.c_str(), number),
              std::string(expected, static_cast<std::size_t>(bytes)))
        << format;
  }
}

TEST(PrintPlain, LeavesOtherNumbersToTheCLibrary) {
  for (const double number : {0x1p63, -0x1p63, 1e300, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(plain(1000, "%.3f", number), "refused");
  }
  EXPECT_EQ(plain(1000, "%.18f", 1.0), "refused");
  EXPECT_EQ(plain(1000, "%.99999999999999999999f", 1.0), "refused");
  std::fesetround(FE_UPWARD);
  EXPECT_EQ(plain(1000, "%.3f", 1.0), "refused");
  std::fesetround(FE_DOWNWARD);
  EXPECT_EQ(plain(1000, "%.3f", 1.0), "refused");
  std::fesetround(FE_TOWARDZERO);
  EXPECT_EQ(plain(1000, "%.3f", 1.0), "refused");
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(plain(1000, "%.3f", 1.0), "1.000");
}

#ifdef __GLIBC__  // the C library of Windows makes no locale of a file
TEST(PrintPlain, LeavesTheCommaOfALocaleToTheCLibrary) {
  const ScratchDirectory directory;
  make_file(directory.file("source"),
            "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n");
  const std::string command = "localedef -c -i " + directory.file("source") + " " +
                              directory.file("with_comma") + " 2>/dev/null";
  std::system(command.c_str());  // it warns of what the source does not define
  ::setenv("LOCPATH", directory.file("").c_str(), 1);
  const bool is_set = std::setlocale(LC_NUMERIC, "with_comma") != nullptr;
  ::unsetenv("LOCPATH");
  if (!is_set) GTEST_SKIP() << "localedef has made no locale";
  EXPECT_EQ(plain(100, "%.2f", 1.5), "refused");
  std::setlocale(LC_NUMERIC, "C");
  EXPECT_EQ(plain(100, "%.2f", 1.5), "1.50");
}
#endif

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
