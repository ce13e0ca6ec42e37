// scan_plain() gives the results of the C library's fscanf for random plain formats, wherever the
// window ends.
#include "stdio/scan_plain.h"

#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sluice/stdio_stream.h"

namespace sluice::testing {
namespace {

// The memory that the conversions write to. A word may be as long as an input.
struct alignas(16) Places : std::array<std::array<char, 256>, 3> {};

#ifdef __GLIBC__
constexpr unsigned rounds = 200'000;
bool is_undefined(const std::string&) { return false; }
FILE* open_bytes(std::string& bytes) { return ::fmemopen(bytes.data(), bytes.size(), "r"); }
#else
constexpr unsigned rounds = 2'000;  // each round makes a file
// The standard leaves open what a number gives that is too large. Windows gives the largest one.
bool is_undefined(const std::string& input) {
  std::size_t digits = 0;
  for (const char byte : input) {
    digits = byte >= '0' && byte <= '9' ? digits + 1 : 0;
    if (digits > 9) return true;
  }
  return false;
}
FILE* open_bytes(const std::string& bytes) {
  FILE* const file = std::tmpfile();
  std::fwrite(bytes.data(), 1, bytes.size(), file);
  std::rewind(file);
  return file;
}
#endif

int scan_theirs(const std::string& input, const char* format, long& position, Places& places) {
  std::string bytes = input;
  FILE* const file = open_bytes(bytes);
  const int stored =
      std::fscanf(file, format, places[0].data(), places[1].data(), places[2].data());
  position = std::ftell(file);
  std::fclose(file);
  return stored;
}

stdio::PlainScan scan_ours(std::string_view bytes, const char* format, ...) {
  const auto* const from = reinterpret_cast<const unsigned char*>(bytes.data());
  va_list arguments;
  va_start(arguments, format);
  const stdio::PlainScan scan = stdio::scan_plain(from, from + bytes.size(), format, arguments);
  va_end(arguments);
  return scan;
}

std::string joined(std::mt19937& random, const std::vector<std::string>& pieces, unsigned most) {
  std::string text;
  for (auto left = random() % most + 1; left > 0; --left) text += pieces[random() % pieces.size()];
  return text;
}

TEST(ScanPlain, GivesTheResultsOfTheCLibrary) {
  const std::vector<std::string> conversions = {
      "%d",  "%u",     "%ld",     "%lu",     "%lld",  "%llu",   "%s",  "%3s", "%c",
      "%x",  "%hd",    "%lx",     "%*d",     "%*s",   "%*c",    "%lf", "%f",  "%le",
      "%*g", "%[0-9]", "%3[^x ]", "%[]x,-]", "%[a-]", "%*[^ ]", "%i",  "%3i", "%2d",
      "%1u", "%3lx",   "%*4d",    "%5lf",    "%2f",   "%*3f",   "%n",  "%Lf", "%6Lf"};
  const std::vector<std::string> between = {"", " ", "\n", ",", " x", "-", "0"};
  const std::vector<std::string> pieces = {"0",
                                           "7",
                                           "-",
                                           "+",
                                           "42",
                                           " ",
                                           "\n",
                                           "\t",
                                           ",",
                                           "x",
                                           "999999999",
                                           "-4294967296",
                                           "999999999999999999",
                                           "9999999999999999999",
                                           "0x1f",
                                           "1.5",
                                           ".25",
                                           "7.",
                                           "e3",
                                           "1e-3",
                                           "2E+5",
                                           "beef",
                                           "-0",
                                           "\xc3\xa4"};
  std::mt19937 random(2026);
  unsigned plain = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    std::string format;
    for (auto left = random() % 3 + 1; left > 0; --left) {
      format += between[random() % between.size()] + conversions[random() % conversions.size()];
    }
    format += between[random() % between.size()];
    const std::string input = joined(random, pieces, 8);
    Places ours{};
    const stdio::PlainScan scan =
        scan_ours(input, format.c_str(), ours[0].data(), ours[1].data(), ours[2].data());
    if (scan.stored < 0 || is_undefined(input)) continue;
    ++plain;
    Places theirs{};
    long position = 0;
    ASSERT_EQ(scan.stored, scan_theirs(input, format.c_str(), position, theirs))
        << format << "|" << input;
    ASSERT_EQ(scan.end - reinterpret_cast<const unsigned char*>(input.data()), position)
        << format << "|" << input;
    ASSERT_EQ(ours, theirs) << format << "|" << input;
  }
  EXPECT_GT(plain, rounds / 200);
}

template <typename Number>
std::string_view bytes_of(const Number& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

// Each bit of the number is compared, and the texts lie near the middle between two numbers too.
template <typename Number>
void expect_numbers_of_the_c_library(const char* format, int digits) {
  std::mt19937_64 random(5);
  unsigned refused = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    char text[64];
    Number given = 0;
    const std::uint64_t bits = random();
    std::memcpy(&given, &bits, sizeof given);
    const int count = std::snprintf(text, sizeof text, "%.*e ", static_cast<int>(random() % 18),
                                    static_cast<double>(given));
    if (i % 3 == 0)
      std::snprintf(text, sizeof text, "%llu.%llue%d ",
                    static_cast<unsigned long long>(random() >> random() % 64 >> 34),
                    static_cast<unsigned long long>(random() >> 34),
                    static_cast<int>(random() % 60) - 30);
    if (i % 3 == 1)
      std::snprintf(text, sizeof text, "%.*f ", digits,
                    std::ldexp(static_cast<double>(bits >> 11), -static_cast<int>(random() % 56)));
    ASSERT_LT(count, 64);
    Number ours = 7;
    Number theirs = 7;
    if (scan_ours(text, format, &ours).stored != 1) {
      ++refused;
      continue;
    }
    ASSERT_EQ(std::sscanf(text, format, &theirs), 1);
    ASSERT_EQ(bytes_of(ours), bytes_of(theirs)) << format << "|" << text;
  }
  EXPECT_LT(refused, rounds / 2);
}

#ifdef __GLIBC__  // elsewhere the C library converts such numbers
TEST(ScanPlain, GivesEachBitOfTheNumbersOfTheCLibrary) {
  expect_numbers_of_the_c_library<double>("%lf", 2);
  expect_numbers_of_the_c_library<float>("%f", 3);
}
#endif

#if defined(__GLIBC__) && defined(__x86_64__)
// A long double has 80 bits that count.
TEST(ScanPlain, GivesEachBitOfALongDouble) {
  std::mt19937_64 random(6);
  unsigned refused = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    const auto whole = static_cast<unsigned long long>(random() >> random() % 64 >> 34);
    const auto fraction = static_cast<unsigned long long>(random() >> 34);
    char text[64];
    std::snprintf(text, sizeof text, "%s%llu.%llue%d ", i % 2 == 0 ? "-" : "", whole, fraction,
                  static_cast<int>(random() % 50) - 20);
    long double ours = 7;
    long double theirs = 7;
    if (scan_ours(text, "%Lf", &ours).stored != 1) {
      ++refused;
      continue;
    }
    ASSERT_EQ(std::sscanf(text, "%Lf", &theirs), 1);
    ASSERT_EQ(std::memcmp(&ours, &theirs, 10), 0) << text;
  }
  EXPECT_LT(refused, rounds / 2);
  long double number = 7;
  EXPECT_EQ(scan_ours("1e28 ", "%Lf", &number).stored, -1);
  std::fesetround(FE_UPWARD);
  EXPECT_EQ(scan_ours("1.5 ", "%Lf", &number).stored, -1);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(scan_ours("1e27 ", "%Lf", &number).stored, 1);
  const std::uint16_t double_precision = 0x027f;
  const std::uint16_t full_precision = 0x037f;
  asm volatile("fldcw %0" : : "m"(double_precision));
  const int stored = scan_ours("1.5 ", "%Lf", &number).stored;
  asm volatile("fldcw %0" : : "m"(full_precision));
  EXPECT_EQ(stored, -1);
}
#endif

#ifdef __GLIBC__  // elsewhere the C library converts such numbers
TEST(ScanPlain, RoundsHalfwayCasesToEven) {
  double number = 0;
  for (const auto& [text, expected] : {std::pair{"9007199254740993 ", 9007199254740992.0},
                                       {"9007199254740995 ", 9007199254740996.0},
                                       {"-0.0 ", -0.0},
                                       {"1e22 ", 1e22},
                                       {"1e23 ", 1e23}}) {
    ASSERT_EQ(scan_ours(text, "%lf", &number).stored, 1) << text;
    EXPECT_EQ(bytes_of(number), bytes_of(expected)) << text;
  }
  for (const char* const text : {"1e400 ", "5e-324 ", "1e-310 ", "12345678901234567890 ", "0x1p3 ",
                                 "nan ", "inf ", "+1 ", "1e ", "1e+ ", ". ", "1.5"}) {
    EXPECT_EQ(scan_ours(text, "%lf", &number).stored, -1) << text;
  }
}
#endif

TEST(ScanPlain, TakesNothingIfLaterBytesCouldChangeTheResult) {
  int number = 0;
  for (const char* const input : {"", " ", "12", "-", "  12"}) {
    EXPECT_EQ(scan_ours(input, "%d", &number).stored, -1) << input;
  }
  EXPECT_EQ(scan_ours("12 ", "%d ", &number).stored, -1);
  EXPECT_EQ(scan_ours("12 \n", "%d", &number).stored, 1);
  EXPECT_EQ(scan_ours("12 x", "%d ", &number).stored, 1);
}

TEST(ScanPlain, ANumberOfItsFullWidthNeedsNoByteBehindIt) {
  int number = 0;
  EXPECT_EQ(scan_ours("12", "%2d", &number).stored, 1);
  EXPECT_EQ(number, 12);
  EXPECT_EQ(scan_ours("123", "%2d", &number).stored, 1);
  EXPECT_EQ(number, 12);
  EXPECT_EQ(scan_ours("12", "%3d", &number).stored, -1);
#ifdef __GLIBC__  // elsewhere the C library converts such numbers
  double real = 0;
  EXPECT_EQ(scan_ours("1.25", "%3lf", &real).stored, 1);
  EXPECT_EQ(real, 1.2);
  EXPECT_EQ(scan_ours("1.2", "%4lf", &real).stored, -1);
#endif
}

TEST(ScanPlain, LeavesOtherBasesToTheCLibrary) {
  int number = 0;
  for (const char* const input : {"0", "012 ", "0x12 ", "-012 ", "+1 ", "0b1 "}) {
    EXPECT_EQ(scan_ours(input, "%i", &number).stored, -1) << input;
  }
  EXPECT_EQ(scan_ours("0 ", "%i", &number).stored, 1);
  EXPECT_EQ(number, 0);
  EXPECT_EQ(scan_ours("-12 ", "%i", &number).stored, 1);
  EXPECT_EQ(number, -12);
}

TEST(ScanPlain, AllocatesTheLastWord) {
  char* word = nullptr;
  int number = 0;
  EXPECT_EQ(scan_ours("7 word ", "%d %ms", &number, &word).stored, 2);
  EXPECT_STREQ(word, "word");
  std::free(word);
  EXPECT_EQ(scan_ours(" word ", "%2ms", &word).stored, 1);
  EXPECT_STREQ(word, "wo");
  std::free(word);
  word = nullptr;
  EXPECT_EQ(scan_ours("word 7 ", "%ms %d", &word, &number).stored, -1);
  EXPECT_EQ(word, nullptr);
}

TEST(ScanPlain, LeavesALongThatIsTooLargeToTheCLibrary) {
  long number = 7;
  const int stored = scan_ours("9999999999 ", "%ld", &number).stored;
  EXPECT_EQ(stored, sizeof(long) == 8 ? 1 : -1);
  EXPECT_EQ(number, sizeof(long) == 8 ? static_cast<long>(9'999'999'999) : 7);
}

TEST(ScanPlain, RefusesWhatItDoesNotKnow) {
  char memory[16];
  for (const char* const format :
       {"%",     "%0d",  "%jd",  "%Ld",  "%o",  "%5n", "%0s", "%ls",   "%5c",      "%zd",
        "%l",    "%lll", "%%",   "%1$d", "%'d", "%[",  "%[1", "%[-1]", "%[1-2-3]", "%[2-1]",
        "%l[1]", "%*n",  "%0lf", "%hf",  "%a",  "%ln", "%md", "%mc",   "%ms ",     "%m[1]"}) {
    EXPECT_EQ(scan_ours("12 ", format, memory).stored, -1) << format;
  }
  EXPECT_EQ(scan_ours("\xc3\xa4 ", "%s", memory).stored, -1);
}

// Each number of a file that is longer than the block is scanned, and the calls around the scans
// find the right position.
TEST(ScanPlain, ScansAcrossTheEndsOfBlocks) {
  sluice_FILE* const file = sluice_stdio_tmpfile();
  ASSERT_NE(file, nullptr);
  constexpr int count = 60'000;
  for (int i = 0; i < count; ++i) sluice_stdio_fprintf(file, "%d,%d\n", i, -7 * i);
  sluice_stdio_rewind(file);
  for (int i = 0; i < count; ++i) {
    int first = 0;
    int second = 0;
    ASSERT_EQ(sluice_stdio_fscanf(file, "%d,%d", &first, &second), 2);
    ASSERT_EQ(first, i);
    ASSERT_EQ(second, -7 * i);
    ASSERT_EQ(sluice_stdio_fgetc(file), '\n');
  }
  int number = 0;
  EXPECT_EQ(sluice_stdio_fscanf(file, "%d", &number), EOF);
  EXPECT_NE(sluice_stdio_feof(file), 0);
  sluice_stdio_fclose(file);
}

}  // namespace
}  // namespace sluice::testing
