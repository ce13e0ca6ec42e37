// Numbers read from text give the results of std::from_chars, for every end of a block.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/reader.h"
#include "sluice/writer.h"
#include "testing/allocation_counter.h"
#include "testing/faulty_source.h"
#include "testing/integer_types.h"
#include "testing/process_facts.h"

namespace sluice::testing {
namespace {

constexpr int random_numbers = sanitized ? 50'000 : 5'000'000;

std::shared_ptr<SourceScript> script_of(std::string text, std::size_t max_bytes = SIZE_MAX) {
  auto script = std::make_shared<SourceScript>();
  script->bytes = std::move(text);
  script->max_bytes_per_read = max_bytes;
  return script;
}

Reader reader_of(const std::shared_ptr<SourceScript>& script, const ReaderOptions& options = {}) {
  Reader reader;
  EXPECT_TRUE(reader.open(std::make_unique<FaultySource>(script), options).ok());
  return reader;
}

Reader reader_of(std::string text, const ReaderOptions& options = {}) {
  return reader_of(script_of(std::move(text)), options);
}

template <typename T, typename... Form>
std::vector<T> all_numbers(std::string text, std::size_t block_bytes, Form... form) {
  std::vector<T> numbers;
  Reader reader = reader_of(std::move(text), {.block_bytes = block_bytes});
  for (T value; reader.next_number(value, form...);) numbers.push_back(value);
  EXPECT_EQ(reader.close().message(), "ok");
  return numbers;
}

TEST(ReaderNumbers, WhitespaceOfEveryKindStandsBetweenThem) {
  const std::string text = "1 -2\n3\t4\r\n\v\f  5      6\n\n\n7";
  for (const std::size_t block_bytes : std::initializer_list<std::size_t>{1, 2, 7, 4096}) {
    EXPECT_EQ(all_numbers<int>(text, block_bytes), (std::vector<int>{1, -2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(all_numbers<double>(text, block_bytes), (std::vector<double>{1, -2, 3, 4, 5, 6, 7}));
  }
  EXPECT_TRUE(all_numbers<int>("", 1).empty());
  EXPECT_TRUE(all_numbers<int>(" \n ", 1).empty());
}

// The least and the largest number of a type are read. A number one beyond them is not.
template <typename T>
void expect_boundaries_of_width() {
  using Limits = std::numeric_limits<T>;
  for (const std::size_t block_bytes : std::initializer_list<std::size_t>{1, 21, 4096}) {
    const std::string text = std::to_string(Limits::min()) + "\n" + std::to_string(Limits::max()) +
                             "\n00000000000000000000000000000000000000001\n" +
                             std::string(100, ' ');
    EXPECT_EQ(all_numbers<T>(text, block_bytes), (std::vector<T>{Limits::min(), Limits::max(), 1}));
    for (std::string beyond : {std::to_string(Limits::max()), std::to_string(Limits::min())}) {
      if (beyond == "0") continue;
      for (std::size_t i = beyond.size(); beyond[--i]++ == '9';) beyond[i] = '0';
      Reader reader = reader_of(beyond + std::string(100, ' '), {.block_bytes = block_bytes});
      EXPECT_FALSE(reader.peek(1).empty()) << "so that the block is full";
      T value = 7;
      EXPECT_FALSE(reader.next_number(value)) << beyond;
      EXPECT_EQ(reader.status().message(),
                "read (script) at byte 0: the number does not fit its type: \"" +
                    beyond.substr(0, 20) + "\"");
      EXPECT_EQ(reader.status().code().value(), ERANGE);
      EXPECT_EQ(value, 7);
    }
  }
}

// The number stands in the block with many bytes behind it, so the fast path reads it.
TEST(ReaderNumbers, EveryByteButADigitEndsANumberOfAnyLength) {
  const std::string_view digits = "123456789012345678";
  const std::string rest(64, ' ');
  for (int byte = 0; byte < 256; ++byte) {
    if (byte >= '0' && byte <= '9') continue;
    for (std::size_t length = 1; length <= digits.size(); ++length) {
      const std::string text(digits.substr(0, length));
      Reader reader = reader_of(text + static_cast<char>(byte) + rest);
      EXPECT_FALSE(reader.peek(1).empty());
      std::int64_t value = 0;
      ASSERT_TRUE(reader.next_number(value)) << text << " and byte " << byte;
      ASSERT_EQ(std::to_string(value), text) << "and byte " << byte;
      ASSERT_EQ(reader.position(), length);
    }
  }
}

TEST(ReaderNumbers, AFloatingPointNumberThatDoesNotFitIsAFailure) {
  for (const std::string_view text : {"1e999", "-1e999", "1e-999"}) {
    for (const std::string_view after : {" ", "\n", ",", ";", "", " 5 6 7 8 9"}) {
      Reader reader = reader_of(std::string(text) + std::string(after));
      EXPECT_FALSE(reader.peek(1).empty()) << "so that the number lies in the block";
      double value = 7;
      EXPECT_FALSE(reader.next_number(value)) << text << after;
      EXPECT_EQ(reader.status().code().value(), ERANGE);
      EXPECT_EQ(reader.position(), 0u);
      EXPECT_EQ(value, 7);
    }
  }
}

TEST(ReaderNumbers, IntegersOfEveryWidthAreReadToTheirBounds) {
  IntegerTypes::for_each([](auto zero) { expect_boundaries_of_width<decltype(zero)>(); });
}

TEST(ReaderNumbers, EveryBaseIsRead) {
  for (int base = 2; base <= 36; ++base) {
    std::string text;
    Writer writer;
    ASSERT_TRUE(writer.open(make_memory_sink(text)).ok());
    writer.write_number(std::numeric_limits<std::int64_t>::min(), base);
    writer.put(' ');
    writer.write_number(35, base);
    ASSERT_TRUE(writer.close().ok());
    EXPECT_EQ(all_numbers<std::int64_t>(text, 3, base),
              (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), 35}));
  }
  Reader reader = reader_of("11");
  int value = 7;
  EXPECT_FALSE(reader.next_number(value, 37));
  EXPECT_EQ(reader.close().message(),
            "read (script) at byte 0: base 37 of a number is not between 2 and 36");
  EXPECT_EQ(value, 7);
}

TEST(ReaderNumbers, NoLineIsGivenAfterABaseThatIsNone) {
  Reader reader = reader_of(script_of("1\n2\n3\n", 100));
  std::string_view line;
  ASSERT_TRUE(reader.next_line(line));
  int value = 0;
  EXPECT_FALSE(reader.next_number(value, 37));
  EXPECT_FALSE(reader.next_line(line)) << "the Reader has failed";
  EXPECT_EQ(reader.close().code().value(), EINVAL);
}

// The bits of each number come back from its shortest text.
TEST(ReaderNumbers, RandomNumbersComeBackAsTheyWereWritten) {
  std::string text;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(text)).ok());
  std::mt19937_64 random(3);
  for (int i = 0; i < random_numbers; ++i) {
    writer.write_number(std::bit_cast<double>(random()));
    writer.put(' ');
    writer.write_number(static_cast<std::int64_t>(random()) >> random() % 64);
    writer.put('\n');
  }
  ASSERT_TRUE(writer.close().ok());
  random.seed(3);
  Reader reader = reader_of(std::move(text));
  for (int i = 0; i < random_numbers; ++i) {
    double number = 0;
    std::int64_t integer = 0;
    ASSERT_TRUE(reader.next_number(number) && reader.next_number(integer));
    const auto expected = std::bit_cast<double>(random());
    if (!std::isnan(expected)) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(number), std::bit_cast<std::uint64_t>(expected));
    }
    ASSERT_EQ(integer, static_cast<std::int64_t>(random()) >> random() % 64);
  }
  EXPECT_EQ(reader.get(), '\n');
  EXPECT_TRUE(reader.close().ok());
}

TEST(ReaderNumbers, EveryFormatIsReadAsByFromChars) {
  EXPECT_EQ(all_numbers<double>("1.8p1 -f", 1, std::chars_format::hex), (std::vector{3.0, -15.0}));
  EXPECT_EQ(all_numbers<float>("1e2 -inf infinity", 1)[2], std::numeric_limits<float>::infinity());
  EXPECT_EQ(all_numbers<long double>("0.1", 1), std::vector{0.1L});
  Reader reader = reader_of("1.5e3", {.block_bytes = 2});
  double value = 0;
  EXPECT_TRUE(reader.next_number(value, std::chars_format::fixed));
  EXPECT_EQ(value, 1.5);
  EXPECT_EQ(reader.get(), 'e');
}

// At the end of the first read, more bytes of each of these numbers could follow.
TEST(ReaderNumbers, DigitsBehindTheBlockArePartOfTheNumber) {
  constexpr std::string_view texts[] = {"1e5",
                                        "1e+5",
                                        "1e+",
                                        "1e",
                                        "infinity",
                                        "infi",
                                        "inf",
                                        "nan(abcdefghi)",
                                        "nan(abcdefghi",
                                        "-",
                                        "-inf",
                                        "1.25",
                                        "12345678901234567890123",
                                        "1-2",
                                        "x"};
  for (const std::string_view text : texts) {
    double expected = 7;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), expected);
    for (std::size_t max_bytes = 1; max_bytes <= text.size(); ++max_bytes) {
      Reader reader = reader_of(script_of(std::string(text), max_bytes), {.block_bytes = 1});
      double value = 7;
      EXPECT_EQ(reader.next_number(value), parsed.ec == std::errc()) << text;
      if (!std::isnan(expected)) {
        EXPECT_EQ(value, expected) << text;
      }
      EXPECT_EQ(reader.position(), static_cast<std::uint64_t>(parsed.ptr - text.data())) << text;
      static_cast<void>(reader.status());
    }
  }
}

TEST(ReaderNumbers, AnExponentMayBeFarAway) {
  const std::string zeros(100, '0');
  for (std::size_t max_bytes : std::initializer_list<std::size_t>{1, 5, 8, 1000}) {
    Reader reader = reader_of(script_of("1.234567e10\n1." + zeros + "e2 1.5 ", max_bytes));
    double value = 0;
    EXPECT_TRUE(reader.next_number(value, std::chars_format::scientific)) << max_bytes;
    EXPECT_EQ(value, 1.234567e10);
    EXPECT_TRUE(reader.next_number(value, std::chars_format::scientific)) << max_bytes;
    EXPECT_EQ(value, 100);
    EXPECT_FALSE(reader.next_number(value, std::chars_format::scientific));
    EXPECT_EQ(reader.status().code().value(), EBADMSG);
  }
}

// Each of these numbers would take minutes if each read looked at the whole text again.
TEST(ReaderNumbers, ALongNumberIsLookedThroughOnce) {
  constexpr std::size_t bytes = 3'000'000;
  for (const std::string& text : {std::string(bytes, '1'), "0." + std::string(bytes, '1'),
                                  "nan(" + std::string(bytes, 'z') + ")"}) {
    Reader reader = reader_of(script_of(text + " x", 7));
    long double value = 0;
    const bool fits = text[0] != '1';
    EXPECT_EQ(reader.next_number(value), fits) << text.substr(0, 5);
    EXPECT_EQ(reader.position(), fits ? text.size() : 0);
    EXPECT_EQ(reader.status().code().value(), fits ? 0 : ERANGE);
  }
  Reader integers = reader_of(script_of(std::string(bytes, '0') + "7 x", 7));
  int integer = 0;
  EXPECT_TRUE(integers.next_number(integer));
  EXPECT_EQ(integer, 7);
  Reader bases = reader_of(script_of(std::string(bytes, '0') + "zZ", 7));
  EXPECT_TRUE(bases.next_number(integer, 36));
  EXPECT_EQ(integer, 35 * 36 + 35);
}

// libstdc++ 12 itself copies all bytes up to the next NUL, also those past the block.
TEST(ReaderNumbers, AnInfiniteLongDoubleIsReadWithoutTheBytesBehindIt) {
  for (const std::string& text : {std::string("inf "), std::string("-infinity "),
                                  std::string("nan "), std::string("nan(a) ")}) {
    Reader reader = reader_of(script_of(text + std::string(10'000, 'x'), SIZE_MAX));
    ASSERT_GT(reader.peek(1).size(), 5'000u);
    const std::size_t allocations = allocations_by_new();
    long double value = 0;
    EXPECT_TRUE(reader.next_number(value));
    EXPECT_EQ(allocations_by_new(), allocations) << text;
    EXPECT_FALSE(std::isfinite(value));
    EXPECT_EQ(reader.get(), ' ');
  }
}

// A program that reads what a person types must not wait for the next line.
TEST(ReaderNumbers, NoMoreIsReadThanTellsWhereANumberEnds) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Reader reader;
  ASSERT_TRUE(reader.attach(ends[0], "pipe").ok());
  ASSERT_EQ(::write(ends[1], "1.5\n12\n", 7), 7);
  int integer = 0;
  double number = 0;
  EXPECT_TRUE(reader.next_number(number));
  EXPECT_TRUE(reader.next_number(integer));
  EXPECT_EQ(integer, 12);
  EXPECT_EQ(number, 1.5);
  ::close(ends[1]);
  EXPECT_FALSE(reader.next_number(number));
  EXPECT_TRUE(reader.close().ok());
  ::close(ends[0]);
}

// The pipe stays open, so a Reader that waits for more would wait for ever.
TEST(ReaderNumbers, ANumberEndsWhereAByteCannotBelongToIt) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Reader reader;
  ASSERT_TRUE(reader.attach(ends[0], "pipe", {.block_bytes = 4}).ok());
  constexpr std::string_view text = "1111222233334-55555\n11112-33333\n";
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), std::ssize(text));
  std::int64_t integer = 0;
  double number = 0;
  EXPECT_TRUE(reader.next_number(integer));
  EXPECT_EQ(integer, 1'111'222'233'334);
  EXPECT_TRUE(reader.next_number(number));
  EXPECT_EQ(number, -55'555);
  EXPECT_TRUE(reader.next_number(integer, 2));
  EXPECT_EQ(integer, 15) << "2 is no digit in base 2";
  EXPECT_TRUE(reader.next_number(number));
  EXPECT_EQ(number, 2);
  ::close(ends[1]);
  EXPECT_TRUE(reader.close().ok());
  ::close(ends[0]);
}

TEST(ReaderNumbers, ADigitOfALargerBaseEndsTheNumber) {
  const auto script = script_of("1111" + std::string(100, '2'), 4);
  Reader reader = reader_of(script);
  int value = 0;
  EXPECT_TRUE(reader.next_number(value, 2));
  EXPECT_EQ(value, 15);
  EXPECT_LT(script->next_position, 20u) << "bytes were fetched that cannot change the number";
}

TEST(ReaderNumbers, ABaseThatIsNoneChangesNothingInAReaderThatIsNotOpen) {
  int value = 7;
  Reader refused;
  const Status status = refused.open("/nonexistent/file");
  EXPECT_FALSE(refused.next_number(value, 37));
  EXPECT_EQ(refused.status().message(), status.message());
  Reader closed = reader_of("1");
  EXPECT_TRUE(closed.close().ok());
  EXPECT_FALSE(closed.next_number(value, 37));
  EXPECT_TRUE(closed.close().ok()) << "the result of the first close";
  EXPECT_EQ(value, 7);
}

TEST(ReaderNumbers, LinesThatWereFoundBeforeABadNumberAreFoundAgainBehindIt) {
  Reader reader = reader_of(script_of("1\nx\n2\n3\n", 100));
  std::string_view text;
  int value = 7;
  ASSERT_TRUE(reader.next_line(text));
  EXPECT_FALSE(reader.next_number(value));
  EXPECT_FALSE(reader.next_line(text)) << "the Reader has failed";
  ASSERT_TRUE(reader.skip_bad_number(text));
  for (const std::string_view line : {"", "2", "3"}) {
    ASSERT_TRUE(reader.next_line(text));
    EXPECT_EQ(text, line);
  }
  EXPECT_FALSE(reader.next_line(text));
  EXPECT_TRUE(reader.close().ok());
}

// ---- what is no number ----

TEST(ReaderNumbers, TextThatIsNotANumberFailsEveryCall) {
  Reader reader = reader_of("12 abc 34\n5\n");
  int value = 0;
  ASSERT_TRUE(reader.next_number(value));
  EXPECT_FALSE(reader.next_number(value));
  EXPECT_EQ(value, 12);
  EXPECT_EQ(reader.status().message(),
            "read (script) at byte 3: the text is not a number: \"abc\"");
  EXPECT_EQ(reader.status().code().value(), EBADMSG);
  EXPECT_EQ(reader.position(), 3u);
  std::string_view text;
  std::string rest;
  EXPECT_EQ(reader.get(), Reader::end);
  EXPECT_EQ(reader.skip(1), 0u);
  EXPECT_TRUE(reader.peek(1).empty());
  EXPECT_FALSE(reader.next_line(text));
  EXPECT_FALSE(reader.next_number(value));
  EXPECT_FALSE(reader.read_until(' ', text));
  EXPECT_FALSE(reader.read_rest(rest).ok());
  EXPECT_FALSE(reader.seek(0).ok());
  EXPECT_TRUE(reader.skip_bad_number(text));
  EXPECT_EQ(text, "abc");
  EXPECT_TRUE(reader.status().ok());
  EXPECT_TRUE(reader.next_number(value));
  EXPECT_EQ(value, 34);
  EXPECT_TRUE(reader.next_line(text) && reader.next_line(text));
  EXPECT_EQ(text, "5");
  EXPECT_TRUE(reader.close().ok());
}

TEST(ReaderNumbers, AProgramMayPassOverTextThatIsNotANumber) {
  const std::string text = "1,,x 2 99999999999,3\nnan 4 - 5-6 --";
  for (const std::size_t block_bytes : std::initializer_list<std::size_t>{1, 3, 4096}) {
    Reader reader = reader_of(text, {.block_bytes = block_bytes});
    int sum = 0;
    std::string passed;
    do {
      for (int value; reader.next_number(value);) sum += value;
      if (reader.status().ok()) break;
      std::string_view bad;
      ASSERT_TRUE(reader.skip_bad_number(bad, ", \n"));
      passed += std::string(bad) + "|";
    } while (passed.size() < 100);
    EXPECT_EQ(sum, 1 + 2 + 4 + 5 - 6);
    EXPECT_EQ(passed, ",|,x|99999999999|,3|nan|-|--|");
    EXPECT_TRUE(reader.close().ok());
  }
}

TEST(ReaderNumbers, AMessageQuotesTwentyBytesAtMostAndNoByteThatIsNotPrintable) {
  Reader reader =
      reader_of(script_of(std::string("x\0\x7F\xC3\xA4~ 1 abcdefghijklmnopqrstuvwxyz", 35)));
  int value = 0;
  std::string_view text;
  EXPECT_FALSE(reader.next_number(value));
  EXPECT_EQ(reader.status().message(),
            "read (script) at byte 0: the text is not a number: \"x\\x00\\x7F\\xC3\\xA4~\"");
  ASSERT_TRUE(reader.skip_bad_number(text));
  ASSERT_TRUE(reader.next_number(value));
  EXPECT_FALSE(reader.next_number(value));
  EXPECT_EQ(reader.status().message(),
            "read (script) at byte 9: the text is not a number: \"abcdefghijklmnopqrst\"");
}

TEST(ReaderNumbers, OnlyTheFailureOfANumberCanBePassed) {
  const auto script = script_of("12345");
  script->fail_at = 3;
  Reader reader = reader_of(script);
  int value = 0;
  std::string_view text;
  EXPECT_FALSE(reader.skip_bad_number(text)) << "there is no failure";
  EXPECT_FALSE(reader.next_number(value)) << "the number may go on where nothing can be read";
  EXPECT_FALSE(reader.skip_bad_number(text));
  EXPECT_EQ(reader.close().message(), "read (script) at byte 3: Input/output error");

  Reader closed = reader_of("x");
  EXPECT_FALSE(closed.next_number(value));
  EXPECT_EQ(closed.close().code().value(), EBADMSG);
  EXPECT_FALSE(closed.skip_bad_number(text));
  EXPECT_EQ(closed.status().code().value(), EBADMSG);

  Reader never_opened;
  EXPECT_FALSE(never_opened.next_number(value));
  EXPECT_FALSE(never_opened.next_number(value, 37));
  EXPECT_FALSE(never_opened.skip_bad_number(text));
}

TEST(ReaderNumbers, ABadNumberThatCannotBeReadToItsEndIsNotPassedOver) {
  const auto script = script_of("x23456789", 5);
  script->fail_at = 5;
  Reader reader = reader_of(script);
  int value = 0;
  std::string_view text = "unchanged";
  EXPECT_FALSE(reader.next_number(value));
  EXPECT_EQ(reader.status().code().value(), EBADMSG);
  EXPECT_FALSE(reader.skip_bad_number(text));
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(reader.close().message(), "read (script) at byte 5: Input/output error");
}

TEST(ReaderNumbers, ANumberThatLiesInTheBlockMayBeLongerThanALine) {
  for (const std::string blanks : {"", " ", "  ", "      "}) {
    Reader reader = reader_of(blanks + "1234567 8" + std::string(100, ' '), {.max_line_bytes = 4});
    int value = 0;
    EXPECT_TRUE(reader.next_number(value)) << blanks.size() << reader.status().message();
    EXPECT_EQ(value, 1'234'567);
  }
  Reader behind = reader_of(script_of("   1234567 8", 6), {.max_line_bytes = 4});
  int value = 0;
  EXPECT_FALSE(behind.next_number(value));
  EXPECT_EQ(behind.status().code().value(), EMSGSIZE) << "the number goes on behind the block";
}

// In the scientific format a mantissa may go on to its exponent. Other letters may not.
TEST(ReaderNumbers, LettersDoNotGoOnToAnExponent) {
  const std::pair<std::string, int> texts[] = {{std::string(100, '7'), EMSGSIZE},
                                               {std::string(100, 'x'), EBADMSG},
                                               {"7x" + std::string(100, '7'), EBADMSG},
                                               {"n2fxx4E--e562e2n", EBADMSG}};
  for (const auto& [text, code] : texts) {
    Reader reader = reader_of(script_of(text, 8), {.max_line_bytes = 12});
    double value = 0;
    EXPECT_FALSE(reader.next_number(value, std::chars_format::scientific));
    EXPECT_EQ(reader.status().code().value(), code) << reader.status().message();
  }
}

TEST(ReaderNumbers, NoNumberIsLongerThanALineMayBe) {
  const std::string zeros(100'000, '0');
  for (const std::string& text : {zeros, "nan(" + zeros, "x" + zeros}) {
    const auto script = script_of(text, 100);
    Reader reader = reader_of(script, {.max_line_bytes = 50'000});
    double value = 0;
    std::string_view bad;
    EXPECT_FALSE(reader.next_number(value));
    if (text[0] == 'x') {
      EXPECT_FALSE(reader.skip_bad_number(bad));
    }
    EXPECT_EQ(reader.status().code().value(), EMSGSIZE) << text.substr(0, 5);
    EXPECT_LT(script->next_position, 60'000u);
    EXPECT_FALSE(reader.skip_bad_number(bad));
  }
}

TEST(ParseNumber, TakesAWholeTextOrNothing) {
  int integer = 7;
  EXPECT_TRUE(parse_number("-12", integer));
  EXPECT_EQ(integer, -12);
  for (const std::string_view text : {"", " 1", "1 ", "+1", "1x", "1.5", "2147483648", "-"}) {
    EXPECT_FALSE(parse_number(text, integer)) << text;
  }
  EXPECT_EQ(integer, -12);
  double number = 0;
  EXPECT_TRUE(parse_number("4.50", number));
  EXPECT_EQ(number, 4.5);
  EXPECT_FALSE(parse_number("1e999", number));
  EXPECT_FALSE(parse_number("4,5", number));
  EXPECT_EQ(number, 4.5);
}

}  // namespace
}  // namespace sluice::testing
