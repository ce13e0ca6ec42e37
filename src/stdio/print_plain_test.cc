// print_plain() gives the texts of the C library, and refuses what it does not know.
#include "stdio/print_plain.h"

#include <gtest/gtest.h>

#include <bit>
#include <cerrno>
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

#ifdef __GLIBC__
#include <dlfcn.h>
#include <langinfo.h>

namespace {
// What nl_langinfo() below says.
bool locale_has_comma = false;
bool locale_has_groups = false;
bool locale_has_own_characters = false;
}  // namespace

// Takes the place of the C library's function in this program.
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
extern "C" char* nl_langinfo(nl_item item) noexcept {
  static char comma[] = ",";
  static char characters[] = "SHIFT_JIS";
  if (item == RADIXCHAR && locale_has_comma) return comma;
  if (item == THOUSEP && locale_has_groups) return comma;
  if (item == CODESET && locale_has_own_characters) return characters;
  static const auto original =
      reinterpret_cast<char* (*)(nl_item)>(dlsym(RTLD_NEXT, "nl_langinfo"));
  return original(item);
}
#endif

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

TEST(PrintPlain, KnowsEachLengthOfAWholeNumber) {
  for (const long long number : {0LL, 1LL, -1LL, 127LL, 128LL, -129LL, 40'000LL, -1'000'000LL}) {
    const auto small = static_cast<int>(number);
    expect_text_of_the_c_library("%hhd %hhu %hhx %hhX", small, small, small, small);
    expect_text_of_the_c_library("%hd %hu %ho %hi", small, small, small, small);
    expect_text_of_the_c_library("%jd %ju %jx", number, number, number);
    expect_text_of_the_c_library("%td %tu", number, number);
  }
}

// Each mixture of flags, width and precision that C defines for the conversion.
#ifdef __GLIBC__  // elsewhere the C library converts such numbers
TEST(PrintPlain, KnowsEachFlagOfANumber) {
  for (unsigned flags = 0; flags < 32; ++flags) {
    std::string begin = "<%";
    for (unsigned i = 0; i < 5; ++i)
      begin += (flags >> i & 1) != 0 ? std::string(1, "-0+ #"[i]) : "";
    const bool is_alternate = (flags & 16) != 0;
    for (const char* const size : {"", "1", "7", ".0", ".1", ".4", "7.0", "7.3", "3.7"}) {
      for (const int number : {0, 5, -5, 1234, -1234, 0xabcde}) {
        const auto expect = [&](const char* letters, auto value) {
          for (const char* letter = letters; *letter != '\0'; ++letter) {
            expect_text_of_the_c_library((begin + size + *letter + ">").c_str(), value);
          }
        };
        if (!is_alternate) expect("di", number);
        if ((flags & 12) == 0) expect("xX", number);
        if ((flags & 28) == 0) expect("uo", number);
        if (!is_alternate) expect("feEgGF", number / 16.0);
      }
    }
  }
}
#endif

#ifdef __GLIBC__  // elsewhere the C library converts such numbers
TEST(PrintPlain, TakesWidthAndPrecisionFromTheArguments) {
  for (const int size : {0, 1, 3, 9, -1, -9}) {
    expect_text_of_the_c_library("<%*d|%-*d|%0*d>", size, 42, size, -42, size, -42);
    expect_text_of_the_c_library("<%.*d|%.*s|%.*f>", size, 42, size, "a text", size, 2.5);
    expect_text_of_the_c_library("<%*.*f|%-*.*e>", size, size, 1.25, size, size, 1e9);
  }
}
#endif

#ifdef __GLIBC__
TEST(PrintPlain, PrintsAnAddressAsGlibcDoes) {
  const int place = 0;
  expect_text_of_the_c_library("%p", static_cast<const void*>(&place));
  expect_text_of_the_c_library("<%20p|%-20p>", static_cast<const void*>(&place), nullptr);
}
#endif

#ifdef __GLIBC__  // elsewhere the C library converts such numbers
TEST(PrintPlain, PrintsWhatIsNoNumber) {
  for (const double number :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    expect_text_of_the_c_library("%f %e %g %F %E %G", number, number, number, number, number,
                                 number);
    expect_text_of_the_c_library("<%08f|%-8g|%+e>", -number, -number, number);
  }
}
#endif

TEST(PrintPlain, RefusesWhatItDoesNotKnow) {
  for (const char* const format : {"%",     "%#o",  "%#f",
                                   "%#a",   "%5n",  "%.2m",
                                   "%lp",   "%.1a", "%l%",
                                   "%z",    "%lll", "%hs",
                                   "%0$d",  "%zs",  "%05s",
                                   "%05c",  "%.2c", "%+s",
                                   "%5%",   "%-%",  "text %Le",
                                   "%zf",   "%llf", "%.2p",
                                   "%010p", "%q",   "%99999999999999999999d"}) {
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

// A text that is given up would be right too, so the test does not allow it.
#if defined(__GLIBC__) && defined(__x86_64__)
void expect_long_double(const std::string& format, long double number) {
  char expected[400];
  const int bytes = std::snprintf(expected, sizeof expected, format.c_str(), number);
  ASSERT_EQ(plain(300, format.c_str(), number),
            std::string(expected, static_cast<std::size_t>(bytes)))
      << format;
}

TEST(PrintPlain, RoundsALongDoubleAsTheCLibraryDoes) {
  const long double limits[] = {
      0,      -0.0L,    0.5L,     1.5L,       2.5L,  0.125L,  1e-30L,    3.6e-4951L,
      1e-20L, 0x1p-64L, 0x1p-63L, 0x1.8p-58L, 1e18L, 0x1p63L, 999.9996L, 0x1.fffffffffffffffep63L};
  for (const long double number : limits) {
    for (const char* const format :
         {"%Lf", "%.0Lf", "%.1Lf", "%.17Lf", "<%+030.4LF>", "<%-9.2Lf>"}) {
      expect_long_double(format, number);
      expect_long_double(format, -number);
    }
  }
  std::mt19937_64 random(13);
  for (int i = 0; i < 300'000; ++i) {
    const long double number = std::ldexp(static_cast<long double>(random() >> (random() % 64)),
                                          -static_cast<int>(random() % 140));
    expect_long_double("%." + std::to_string(random() % 18) + "Lf", number);
  }
}

TEST(PrintPlain, LeavesOtherLongDoublesToTheCLibrary) {
  const long double infinity = std::numeric_limits<long double>::infinity();
  for (const long double number : {0x1p64L, infinity, -infinity}) {
    EXPECT_EQ(plain(100, "%Lf", number), "refused");
  }
  EXPECT_EQ(plain(100, "%Lg", 1.0L), "refused");
  EXPECT_EQ(plain(100, "%.18Lf", 1.0L), "refused");
  std::fesetround(FE_UPWARD);
  EXPECT_EQ(plain(100, "%.3Lf", 1.0L), "refused");
  std::fesetround(FE_TONEAREST);
  const std::uint16_t double_precision = 0x027f;
  const std::uint16_t full_precision = 0x037f;
  asm volatile("fldcw %0" : : "m"(double_precision));
  const std::string of_double_precision = plain(100, "%Lf", 1.0L);
  asm volatile("fldcw %0" : : "m"(full_precision));
  EXPECT_EQ(of_double_precision, "refused");
  long double unnormal = 1;
  reinterpret_cast<unsigned char*>(&unnormal)[7] = 0;  // without the bit before the point
  EXPECT_EQ(plain(100, "%Lf", unnormal), "refused");
}
#endif

#ifdef __GLIBC__  // elsewhere the C library may know no numbered arguments
TEST(PrintPlain, TakesArgumentsByTheirNumbers) {
  expect_text_of_the_c_library("%2$d %1$s\n", "text", 7);
  expect_text_of_the_c_library("%2$s %1$s %2$s, 100%%", "one", "two");
  expect_text_of_the_c_library("%1$c%3$c%2$c", 'a', 'b', 'c');
  expect_text_of_the_c_library("%3$ld|%1$hhd|%2$-8x|%4$zu|%5$lld", -300, 0xabcU, -5'000'000'000L,
                               std::size_t{1} << 40, -5'000'000'000LL);
  expect_text_of_the_c_library("%2$u %1$hu", 70'000U, 4'000'000'000U);
  expect_text_of_the_c_library("%9$d%8$d%7$d%6$d%5$d%4$d%3$d%2$d%1$d", 1, 2, 3, 4, 5, 6, 7, 8, 9);
  expect_text_of_the_c_library("<%3$8.3f|%1$g> %2$s", 1.5, "text", -2.25);
  expect_text_of_the_c_library("%2$ls %1$p", &locale_has_comma, L"wide");
  int bytes = 0;
  EXPECT_EQ(plain(100, "ab%2$s%1$n", &bytes, "cde"), "abcde");
  EXPECT_EQ(bytes, 5);
#ifdef __x86_64__
  expect_text_of_the_c_library("%2$d %1$.3Lf %3$d", 1.25L, 8, 9);
#endif
}

TEST(PrintPlain, RefusesUnusualNumbersOfArguments) {
  for (const char* const format :
       {"%1$d %d", "%d %1$d", "%2$d", "%1$d %3$d", "%1$d %1$s", "%1$d %1$ld", "%1$*2$d", "%1$*d",
        "%1$.*2$d", "%10$d", "%1$", "%1$$d", "%1$5$d", "%1$q", "%1$d %"}) {
    EXPECT_EQ(plain(1000, format, 0, 0, 0), "refused") << format;
  }
}
#endif

// A text that is given up would be right too, so the test counts how many are.
#ifdef __GLIBC__  // elsewhere the C library converts such numbers
TEST(PrintPlain, GivesTheDigitsOfTheCLibraryForRandomBits) {
  std::mt19937_64 random(11);
  char expected[400];
  int refused = 0;
  for (int i = 0; i < 400'000; ++i) {
    const auto number =
        i % 4 == 0 ? static_cast<double>(static_cast<std::int64_t>(random()) >> random() % 64)
        : i % 4 == 1
            ? std::ldexp(static_cast<double>(random() % 2000), static_cast<int>(random() % 40) - 20)
            : std::bit_cast<double>(random());
    const std::string format = "%." + std::to_string(random() % 17) + "egEG"[random() % 4];
    const int bytes = std::snprintf(expected, sizeof expected, format.c_str(), number);
    const std::string ours = plain(100, format.c_str(), number);
    refused += ours == "refused" ? 1 : 0;
    if (ours == "refused") continue;
    ASSERT_EQ(ours, std::string(expected, static_cast<std::size_t>(bytes))) << format;
  }
  EXPECT_LT(refused, 100);
}
#endif

// Powers of ten, their neighbours, and numbers that lie exactly between two texts.
#ifdef __GLIBC__  // elsewhere the C library converts such numbers
TEST(PrintPlain, GivesTheDigitsOfTheCLibraryAtTheEdges) {
  for (int power = -323; power <= 308; ++power) {
    const double ten = std::strtod(("1e" + std::to_string(power)).c_str(), nullptr);
    for (const double number : {ten, std::nextafter(ten, 0), std::nextafter(ten, HUGE_VAL), ten / 3,
                                ten * 0.99999949999}) {
      for (const char* const format : {"%e", "%g", "%.0e", "%.0g", "%.15g", "%.17g", "%.16e"}) {
        char expected[64];
        std::snprintf(expected, sizeof expected, format, number);
        const std::string ours = plain(100, format, number);
        if (ours == "refused") continue;
        ASSERT_EQ(ours, expected) << format << " of 1e" << power;
      }
    }
  }
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    const double number = std::ldexp(1.0, exponent);
    char expected[64];
    std::snprintf(expected, sizeof expected, "%.16e", number);
    const std::string ours = plain(100, "%.16e", number);
    if (ours == "refused") continue;
    ASSERT_EQ(ours, expected);
  }
  for (const double number : {0.0, 0.5, 1.5, 2.5, 0.125, 0.375, 1e5, 1e6, 1234565.0, 1234575.0,
                              999999.5, 9999995.0, 5e-324, 1e22, 1.7976931348623157e308}) {
    expect_text_of_the_c_library("%.0e|%.1e|%.2e|%.1g|%.2g|%.6g", number, number, number, number,
                                 number, number);
  }
  // 45.5e20 lies exactly between two texts of two digits, and 10^-20 has no exact binary form.
  for (const double number : {45.5e20, 44.5e20}) {
    char expected[64];
    std::snprintf(expected, sizeof expected, "%.1e", number);
    const std::string ours = plain(100, "%.1e", number);
    if (ours != "refused") {
      EXPECT_EQ(ours, expected);
    }
  }
}
#endif

TEST(PrintPlain, LeavesOtherNumbersToTheCLibrary) {
  for (const double number : {0x1p64, -0x1p64, 1e300}) {
    EXPECT_EQ(plain(1000, "%.3f", number), "refused");
    EXPECT_EQ(plain(1000, "%.3Lf", static_cast<long double>(number)), "refused");
  }
  EXPECT_EQ(plain(1000, "%.17e", 1.0), "refused");
  EXPECT_EQ(plain(1000, "%.18g", 1.0), "refused");
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

#ifdef __GLIBC__
TEST(PrintPlain, LeavesACommaToTheCLibrary) {
  EXPECT_EQ(plain(100, "%.2f", 1.5), "1.50");
  locale_has_comma = true;
  for (const char* const format : {"%.2f", "%e", "%g"}) {
    EXPECT_EQ(plain(100, format, 1.5), "refused");
  }
  EXPECT_EQ(plain(100, "%d", 15), "15");
  locale_has_comma = false;
}

TEST(PrintPlain, PrintsHexadecimalNumbersAsGlibcDoes) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random() << (i % 4 == 0 ? random() % 52 : 0);
    const auto number = std::bit_cast<double>(bits);
    char text[200];
    std::snprintf(text, sizeof text, "<%a|%40A|%-30la>", number, number, number);
    const std::string ours = plain(200, "<%a|%40A|%-30la>", number, number, number);
    const bool is_small = !std::isnormal(number) && number != 0 && std::isfinite(number);
    ASSERT_EQ(ours, is_small ? "refused" : text) << bits;
  }
  for (const double number : {0.0, -0.0, 1.0, -1.0, 0.1, 0x1p-1022, 1.7976931348623157e308}) {
    for (const char* const format : {"<%a>", "<%A>", "<%+a>", "<% a>", "<%030a>", "<%-30a>"}) {
      expect_text_of_the_c_library(format, number);
    }
  }
  EXPECT_EQ(plain(100, "%a", 0x1p-1074), "refused");
}

TEST(PrintPlain, PrintsWideTextOfAscii) {
  for (const char* const format : {"<%ls>", "<%9ls>", "<%-9ls>", "<%.2ls>", "<%.0ls>", "<%.9ls>"}) {
    expect_text_of_the_c_library(format, L"text");
    expect_text_of_the_c_library(format, L"");
  }
  expect_text_of_the_c_library("<%lc|%3lc>", L'a', L'\0');
  EXPECT_EQ(plain(100, "%ls", L"t\u00e4t"), "refused");
  EXPECT_EQ(plain(100, "%lc", L'\u00e4'), "refused");
  EXPECT_EQ(plain(100, "%ls", static_cast<const wchar_t*>(nullptr)), "refused");
  locale_has_own_characters = true;
  EXPECT_EQ(plain(100, "%ls", L"text"), "refused");
  EXPECT_EQ(plain(100, "%lc", L't'), "refused");
  locale_has_own_characters = false;
}

TEST(PrintPlain, PrintsTheTextOfAnError) {
  for (const char* const format : {"<%m>", "<%50m>", "<%-50m>"}) {
    for (const int code : {0, ENOENT, 12345}) {
      errno = code;
      expect_text_of_the_c_library(format, 0);
    }
  }
}

TEST(PrintPlain, CountsTheBytesBeforeAPlace) {
  int before = -1;
  int behind = -1;
  EXPECT_EQ(plain(100, "abc%n%5d%n", &before, 12, &behind), "abc   12");
  EXPECT_EQ(before, 3);
  EXPECT_EQ(behind, 8);
}

TEST(PrintPlain, LeavesGroupsOfDigitsToTheCLibrary) {
  for (const int number : {0, 1234, -1234567}) {
    expect_text_of_the_c_library("<%'d|%'u|%'12d>", number, number, number);
    expect_text_of_the_c_library("<%'.2f>", number / 1.0);
  }
  locale_has_groups = true;
  EXPECT_EQ(plain(100, "%'d", 1234), "refused");
  EXPECT_EQ(plain(100, "%d", 1234), "1234");
  locale_has_groups = false;
}

// The C library of Windows makes no locale of a file.
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
