// Numbers as text: every form gives the text of std::to_chars, for every end of a block.
#include <gtest/gtest.h>

#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "core/decimal.h"
#include "sluice/number.h"
#include "sluice/writer.h"
#include "testing/integer_types.h"
#include "testing/process_facts.h"
#include "testing/recording_sink.h"

namespace sluice::testing {
namespace {

constexpr int random_numbers = sanitized ? 100'000 : 10'000'000;

template <typename... Form>
std::string standard_text(Form... form) {
  std::string text(6'000, '\0');
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), form...).ptr};
}

constexpr int times = 20;

// The text that the calls write, with blocks of `block_bytes` bytes.
template <typename... Form>
std::string written(std::size_t block_bytes, std::size_t bytes, Form... form) {
  std::string target;
  Writer writer;
  EXPECT_TRUE(writer.open(make_memory_sink(target), {.block_bytes = block_bytes}).ok());
  for (int i = 0; i < times; ++i) EXPECT_TRUE(writer.write_number(form...));
  EXPECT_EQ(writer.position(), bytes);
  EXPECT_TRUE(writer.close().ok());
  return target;
}

template <typename... Form>
void expect_standard_text(Form... form) {
  const std::string once = standard_text(form...);
  std::string expected;
  for (int i = 0; i < times; ++i) expected += once;
  for (const std::size_t block_bytes : std::initializer_list<std::size_t>{1, 20, 4096}) {
    ASSERT_EQ(written(block_bytes, expected.size(), form...), expected);
  }
}

// Numbers with equal digits, and the numbers beside the powers of ten.
template <typename T>
void expect_boundaries_of_width() {
  using Limits = std::numeric_limits<T>;
  for (const T value : {Limits::min(), Limits::max(), T{0}, T{1}}) expect_standard_text(value);
  T power = 1;
  for (int digits = 1; digits <= Limits::digits10; ++digits) {
    for (int all = 1; all <= 9; ++all)
      expect_standard_text(static_cast<T>((power * 10 - 1) / 9 * static_cast<T>(all)));
    expect_standard_text(static_cast<T>(power - 1));
    expect_standard_text(power);
    if constexpr (Limits::is_signed) expect_standard_text(static_cast<T>(-power));
    if (digits < Limits::digits10) power = static_cast<T>(power * 10);
  }
}

TEST(WriterNumbers, IntegersOfEveryWidthAreThoseOfToChars) {
  IntegerTypes::for_each([](auto zero) { expect_boundaries_of_width<decltype(zero)>(); });
}

void expect_decimal(std::uint64_t value) {
  char expected[20];
  const char* const end = std::to_chars(expected, std::end(expected), value).ptr;
  for (const WriteDecimal write : ways_to_write_decimal()) {
    char text[decimal_room_bytes + 1];
    text[decimal_room_bytes] = '!';
    const auto bytes = static_cast<std::size_t>(write(text, value) - text);
    ASSERT_EQ(std::string_view(text, bytes), std::string_view(expected, end));
    ASSERT_EQ(text[decimal_room_bytes], '!') << "no room was asked for behind this";
  }
}

TEST(WriterNumbers, RandomIntegersAreThoseOfToChars) {
  std::mt19937_64 random(1);
  for (int i = 0; i < random_numbers / 2 && !HasFatalFailure(); ++i) {
    expect_decimal(random() >> random() % 64);
  }
}

// The library makes eight digits at once. This test tries numbers that begin or end with many nines
// or zeros.
TEST(WriterNumbers, EightDigitsAtOnceAreThoseOfToChars) {
  for (std::uint64_t few = 0; few < 10'000 && !HasFatalFailure(); ++few) {
    for (const std::uint64_t eight :
         {few, few * 10'000, few * 10'000 + 9'999, few + 99'990'000, few * 9'973 % 100'000'000}) {
      expect_decimal(eight);
      expect_decimal(eight + 100'000'000);
      expect_decimal(eight * 100'000'000 + 99'999'999);
    }
  }
}

TEST(WriterNumbers, EveryBaseIsWrittenAsByToChars) {
  for (int base = 2; base <= 36; ++base) {
    expect_standard_text(std::numeric_limits<std::int64_t>::min(), base);
    expect_standard_text(std::numeric_limits<std::uint64_t>::max(), base);
    expect_standard_text(std::int8_t{-35}, base);
    expect_standard_text(0, base);
  }
}

TEST(WriterNumbers, AnInvalidBaseFailsTheWriter) {
  for (const int base : {-10, 0, 1, 37}) {
    const auto recording = std::make_shared<Recording>();
    Writer writer;
    ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording)).ok());
    EXPECT_FALSE(writer.write_number(42, base));
    EXPECT_FALSE(writer.write("more"));
    EXPECT_EQ(writer.close().message(), "write (recording) at byte 0: base " +
                                            std::to_string(base) +
                                            " of a number is not between 2 and 36");
  }
  Writer never_opened;
  EXPECT_FALSE(never_opened.write_number(42, 37));
}

// ---- floating point ----

template <typename T>
void expect_shortest(T value) {
  char text[shortest_room_bytes + 1];
  text[shortest_room_bytes] = '!';
  const auto bytes = static_cast<std::size_t>(write_shortest(text, value) - text);
  char expected[64];
  const char* const end = std::to_chars(expected, std::end(expected), value).ptr;
  ASSERT_EQ(std::string_view(text, bytes), std::string_view(expected, end));
  ASSERT_EQ(text[shortest_room_bytes], '!') << "no room was asked for behind this";
}

template <typename T, typename Bits>
void expect_shortest_of_random_bits(int numbers) {
  std::mt19937_64 random(2);
  for (int i = 0; i < numbers && !::testing::Test::HasFatalFailure(); ++i) {
    expect_shortest(std::bit_cast<T>(static_cast<Bits>(random())));
    expect_shortest(static_cast<T>(random() >> random() % 64));  // whole numbers
    expect_shortest(static_cast<T>(static_cast<double>(random() % 10'000'000) / 1000));  // prices
  }
}

TEST(WriterNumbers, RandomFloatingPointNumbersAreThoseOfToChars) {
  expect_shortest_of_random_bits<double, std::uint64_t>(random_numbers / 2);
  expect_shortest_of_random_bits<float, std::uint32_t>(random_numbers / 4);
}

// Powers of two and their neighbours: the distance between neighbours changes at each power of two.
template <typename T>
void expect_shortest_at_powers_of_two() {
  using Limits = std::numeric_limits<T>;
  const int least = Limits::min_exponent - Limits::digits;
  for (int exponent = least; exponent < Limits::max_exponent; ++exponent) {
    const T power = std::ldexp(T{1}, exponent);
    for (const T value :
         {power, std::nextafter(power, T{0}), std::nextafter(power, Limits::max())}) {
      expect_shortest(value);
      expect_shortest(-value);
    }
  }
  for (const T value : {T{0}, -T{0}, Limits::max(), Limits::min(), Limits::denorm_min(),
                        Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
    expect_shortest(value);
  }
}

TEST(WriterNumbers, PowersOfTwoAndTheirNeighboursAreThoseOfToChars) {
  expect_shortest_at_powers_of_two<double>();
  expect_shortest_at_powers_of_two<float>();
}

TEST(WriterNumbers, FewDigitsAreWrittenInTheShorterOfBothForms) {
  for (int exponent = -330; exponent < 310; ++exponent) {
    for (int digits = 1; digits < 120; ++digits) {
      const std::string text = std::to_string(digits) + "e" + std::to_string(exponent);
      double value = 0;
      std::from_chars(text.data(), text.data() + text.size(), value);
      expect_shortest(value);
      expect_shortest(static_cast<float>(value));
    }
  }
}

template <typename T>
void expect_every_format() {
  using Limits = std::numeric_limits<T>;
  constexpr std::chars_format formats[] = {std::chars_format::fixed, std::chars_format::scientific,
                                           std::chars_format::general, std::chars_format::hex};
  for (const T value : {T{0}, T(-1) / 3, T(1e10), Limits::max(), Limits::lowest(), Limits::min(),
                        Limits::denorm_min(), -Limits::infinity(), Limits::quiet_NaN()}) {
    expect_standard_text(value);
    for (const std::chars_format format : formats) {
      expect_standard_text(value, format);
      for (const int precision : {-1, 0, 1, 17, 300, 700}) {
        expect_standard_text(value, format, precision);
      }
    }
  }
}

TEST(WriterNumbers, EveryFormatAndPrecisionIsWrittenAsByToChars) {
  expect_every_format<float>();
  expect_every_format<double>();
  expect_every_format<long double>();
}

TEST(WriterNumbers, AWriterThatHasFailedTakesNoNumber) {
  Writer writer;
  EXPECT_FALSE(writer.write_number(1));
  EXPECT_FALSE(writer.write_number(1, 16));
  EXPECT_FALSE(writer.write_number(1.5));
  EXPECT_FALSE(writer.write_number(1.5, std::chars_format::fixed, 700));
}

// bool and the types of characters are not numbers. The types of sizes and positions are.
template <typename T>
concept IsWritten = requires(Writer writer, T value) {
  writer.write_number(value);
};

static_assert(IsWritten<std::int8_t> && IsWritten<std::uint64_t> && IsWritten<long double>);
static_assert(!IsWritten<bool> && !IsWritten<char> && !IsWritten<char32_t> && !IsWritten<void*>);

}  // namespace
}  // namespace sluice::testing
