// scan_bytes() gives the results of glibc's fscanf for random formats and random inputs.
#include "stdio/scan_bytes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/stdio_stream.h"

namespace {

constexpr std::size_t max_arguments = 6;
constexpr std::size_t argument_bytes = 512;

// The memory that the conversions write to. It begins with the same bytes for both libraries.
struct Arguments {
  Arguments() {
    for (auto& each : memory) each.fill('\x5a');
  }
  alignas(long double) std::array<std::array<char, argument_bytes>, max_arguments> memory;
  void* operator[](std::size_t index) { return memory.at(index).data(); }
};

struct Outcome {
  int result = 0;
  long position = 0;
  bool at_end = false;
  Arguments arguments;
  bool operator==(const Outcome& other) const {
    return result == other.result && position == other.position && at_end == other.at_end &&
           arguments.memory == other.arguments.memory;
  }
};

int scan_ours(sluice_FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  sluice::stdio::Stream& stream = sluice::stdio::stream_of(file);
  const int result = sluice::stdio::prepare_reading(stream)
                         ? sluice::stdio::scan_bytes(stream, format, arguments)
                         : EOF;
  va_end(arguments);
  return result;
}

int scan_theirs(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = std::vfscanf(file, format, arguments);
  va_end(arguments);
  return result;
}

class ScanBytes : public testing::Test {
 protected:
  void SetUp() override {
    file_ = sluice_stdio_tmpfile();
    sluice_stdio_setvbuf(file_, nullptr, _IONBF, 0);  // the input changes under it
  }
  void TearDown() override { sluice_stdio_fclose(file_); }

  Outcome run_ours(const std::string& format, const std::string& input) {
    const int descriptor = sluice_stdio_fileno(file_);
    EXPECT_EQ(::ftruncate(descriptor, 0), 0);
    EXPECT_EQ(::pwrite(descriptor, input.data(), input.size(), 0),
              static_cast<ssize_t>(input.size()));
    Outcome outcome;
    Arguments& to = outcome.arguments;
    sluice_stdio_rewind(file_);
    outcome.result = scan_ours(file_, format.c_str(), to[0], to[1], to[2], to[3], to[4], to[5]);
    outcome.position = sluice_stdio_ftell(file_);
    outcome.at_end = sluice_stdio_feof(file_) != 0;
    return outcome;
  }
  static Outcome run_theirs(const std::string& format, std::string input) {
    Outcome outcome;
    Arguments& to = outcome.arguments;
    FILE* const file = ::fmemopen(input.data(), input.size(), "r");
    outcome.result = scan_theirs(file, format.c_str(), to[0], to[1], to[2], to[3], to[4], to[5]);
    outcome.position = std::ftell(file);
    outcome.at_end = std::feof(file) != 0;
    std::fclose(file);
    return outcome;
  }
  void expect_same(const std::string& format, const std::string& input) {
    const Outcome theirs = run_theirs(format, input);
    const Outcome ours = run_ours(format, input);
    if (theirs == ours) return;
    ADD_FAILURE() << "format \"" << format << "\" input \"" << input << "\"\nresult "
                  << theirs.result << " and " << ours.result << ", position " << theirs.position
                  << " and " << ours.position << ", end " << theirs.at_end << " and " << ours.at_end
                  << (theirs.arguments.memory == ours.arguments.memory ? ""
                                                                       : ", and the values differ");
  }

  sluice_FILE* file_ = nullptr;
};

// Makes formats, and inputs that often fit them.
class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}

  std::string format() {
    std::string text;
    for (unsigned left = 1 + choose(max_arguments); left > 0; --left) {
      text += of({"", "", "", " ", "\n", "x", ",", "%%", " - ", "0"});
      text += conversion();
    }
    return text + of({"", "", " ", "x", "%", "\t "});
  }

  std::string input() {
    std::string text;
    for (unsigned left = choose(8); left > 0; --left) text += piece() + of(separators_);
    return text;
  }

 private:
  unsigned choose(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::string of(const std::vector<const char*>& texts) {
    return texts[choose(static_cast<unsigned>(texts.size()))];
  }

  std::string conversion() {
    std::string text = "%";
    if (choose(5) == 0) text += "*";
    if (choose(3) == 0) text += std::to_string(choose(choose(3) == 0 ? 40 : 6));
    switch (choose(5)) {
      case 0: return text + of({"", "l", "L"}) + of({"a", "e", "f", "g", "E", "G"});
      case 1: return text + of({"s", "c", "[a-f0-9]", "[^ ,]", "[]x]", "[^]-]", "[a-]", "[1-35-]"});
      case 2: return text + of({"p", "n", "hhn", "ln", "zn", "jn", "d", "i"});
      default:
        return text + of({"", "", "hh", "h", "l", "ll", "j", "z", "t", "L", "q"}) +
               of({"d", "i", "u", "o", "x", "X", "d", "i"});
    }
  }

  std::string piece() {
    switch (choose(6)) {
      case 0: return of({"0x1f", "0X", "0x", "0xg", "017", "-0x7p3", "0x1.8p-2", "0x.p1", "08"});
      case 1: return of({"nan", "NaN", "na", "inf", "infinity", "INFINIT", "-infx", "+in", "i"});
      case 2:
        return of({"1e5", "1e", "1e+", "-.5", ".", "+", "-", "1.5.2", "1e400", "12e-x", "3."});
      case 3:
        return of({"(nil)", "(ni", "(null)", "99999999999999999999", "-9223372036854775809",
                   "4294967296", "-1", "2147483648"});
      case 4: return std::to_string(static_cast<int>(random_()) >> choose(31));
      default: {
        std::string word;
        for (unsigned left = choose(6); left > 0; --left)
          word += "0123456789abcdefx,]-% ."[choose(23)];
        return word;
      }
    }
  }

  std::mt19937 random_;
  const std::vector<const char*> separators_ = {"", " ", "  \n", ",", "x", "-", "%", "\t", "0"};
};

TEST_F(ScanBytes, RandomFormatsGiveTheResultsOfGlibc) {
  const char* const count = std::getenv("SLUICE_SCANS");
  const unsigned scans = count == nullptr ? 120'000 : static_cast<unsigned>(std::atoi(count));
  Random random(2026);
  for (unsigned scan = 0; scan < scans && !HasFailure(); ++scan) {
    const std::string format = random.format();
    expect_same(format, random.input());
  }
}

TEST_F(ScanBytes, LongNumbersAreReadAsAWhole) {
  const std::string zeros(1000, '0');
  expect_same("%d %n", zeros + "12 x");
  expect_same("%lf%n", zeros + "12." + zeros + "5e1 x");
  expect_same("%Lf", "1" + zeros);
}

TEST_F(ScanBytes, WhatItCannotConvertIsRefused) {
  for (const char* const format : {"%ls", "%lc", "%l[a]", "%S", "%C", "%ms", "%1$d"}) {
    errno = 0;
    const Outcome outcome = run_ours(format, "word");
    EXPECT_EQ(outcome.result, EOF) << format;
    EXPECT_EQ(errno, ENOTSUP) << format;
  }
}

TEST_F(ScanBytes, LengthsOfMicrosoftAreKnown) {
  Outcome outcome = run_ours("%I64d %I32d", "12345678901 12345678901");
  EXPECT_EQ(outcome.result, 2);
  long long wide = 0;
  int narrow = 0;
  std::memcpy(&wide, outcome.arguments[0], sizeof wide);
  std::memcpy(&narrow, outcome.arguments[1], sizeof narrow);
  EXPECT_EQ(wide, 12345678901);
  EXPECT_EQ(narrow, static_cast<int>(12345678901));
}

}  // namespace
