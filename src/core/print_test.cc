// print: formatted text goes into a Writer.
#include "sluice/print.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "testing/recording_sink.h"
#include "testing/scarce_memory.h"

namespace sluice::testing {

struct Meters {
  int value;
};

struct Unprintable {};

struct OutOfMemory {};

// Its formatter writes to the Writer that it is printed to.
struct Nested {
  Writer& writer;
  std::size_t count;
};

// Converts to a short text, and is printed as a long one.
struct Label {
  std::string_view text;
  operator std::string_view() const { return text; }
};

}  // namespace sluice::testing

template <>
struct fmt::formatter<sluice::testing::Meters> : fmt::formatter<int> {
  template <typename Context>
  auto format(const sluice::testing::Meters& meters, Context& context) const {
    return fmt::format_to(fmt::formatter<int>::format(meters.value, context), " m");
  }
};

template <>
struct fmt::formatter<sluice::testing::Unprintable> : fmt::formatter<std::string_view> {
  template <typename Context>
  auto format(const sluice::testing::Unprintable&, Context& context) const {
    fmt::format_to(context.out(), "half");
    throw std::runtime_error("unprintable");
    return context.out();
  }
};

template <>
struct fmt::formatter<sluice::testing::OutOfMemory> : fmt::formatter<std::string_view> {
  template <typename Context>
  auto format(const sluice::testing::OutOfMemory&, Context& context) const {
    fmt::format_to(context.out(), "half");
    throw std::bad_alloc();
    return context.out();
  }
};

template <>
struct fmt::formatter<sluice::testing::Nested> : fmt::formatter<std::string_view> {
  template <typename Context>
  auto format(const sluice::testing::Nested& nested, Context& context) const {
    auto out = fmt::format_to(context.out(), "<");
    nested.writer.write(std::string(nested.count, 'n'));
    return fmt::format_to(out, ">");
  }
};

template <>
struct fmt::formatter<sluice::testing::Label> : fmt::formatter<std::string_view> {
  template <typename Context>
  auto format(const sluice::testing::Label& label, Context& context) const {
    return fmt::format_to(context.out(), "{:>6000}", label.text);
  }
};

namespace sluice::testing {
namespace {

// Returns the text that the calls print, with blocks of several sizes. Some blocks end within the
// text.
template <typename Calls>
void expect_printed(const std::string& expected, Calls calls) {
  for (const std::size_t block_bytes :
       std::initializer_list<std::size_t>{1, 10, 30, 40, 64, 300, 65'536}) {
    std::string target;
    Writer writer;
    ASSERT_TRUE(writer.open(make_memory_sink(target), {.block_bytes = block_bytes}).ok());
    std::string all;
    for (int i = 0; i < 50; ++i) {
      EXPECT_TRUE(calls(writer));
      all += expected;
    }
    EXPECT_EQ(writer.position(), all.size());
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(target, all) << "blocks of " << block_bytes;
  }
}

TEST(Print, FormatsIntoTheWriter) {
  const std::string long_text(10'000, 'x');
  expect_printed("   42|1.00|text\nno arguments" + long_text, [&](Writer& writer) {
    return print(writer, "{:>5}|{:.2f}|{}\n", 42, 1.005, "text") && print(writer, "no arguments") &&
           print(writer, "{}", long_text) && print(writer, "");
  });
  expect_printed("7 m 1\n\n", [](Writer& writer) {
    return println(writer, "{} {}", Meters{7}, 1) && println(writer, "");
  });
}

TEST(Print, FormatsACompiledFormat) {
  const std::string long_text(10'000, 'x');
  const std::string_view view = "view";
  expect_printed("-9223372036854775808 18446744073709551615 true c view {x}\n" + long_text,
                 [&](Writer& writer) {
                   return print(writer, FMT_COMPILE("{} {} {} {} {} {{{}}}\n"),
                                std::numeric_limits<std::int64_t>::min(),
                                std::numeric_limits<std::uint64_t>::max(), true, 'c', view,
                                std::string("x")) &&
                          print(writer, FMT_COMPILE("{}"), long_text) &&
                          print(writer, FMT_COMPILE(""));
                 });
  expect_printed("    7 9 m 8 8 1.50\n", [](Writer& writer) {
    return println(writer, FMT_COMPILE("{0:5} {1} {2} {2} {3:.2f}"), 7, Meters{9}, 8, 1.5);
  });
  expect_printed("text 5\n",
                 [](Writer& writer) { return println(writer, FMT_STRING("{} {}"), "text", 5); });
}

// What fmt::format gives, or nothing if it throws.
template <typename... Args>
std::optional<std::string> formatted(const std::string& format, const Args&... args) {
  try {
    return fmt::format(fmt::runtime(format), args...);
  } catch (const fmt::format_error&) {
    return std::nullopt;
  }
}

// What print writes, or nothing if it throws. If it throws, it must have written nothing.
template <typename... Args>
std::optional<std::string> printed(const std::string& format, const Args&... args) {
  std::string target;
  Writer writer;
  EXPECT_TRUE(writer.open(make_memory_sink(target)).ok());
  EXPECT_TRUE(writer.write("before"));  // so that the block has room
  bool has_thrown = false;
  try {
    EXPECT_TRUE(print(writer, fmt::runtime(format), args...));
  } catch (const fmt::format_error&) {
    has_thrown = true;
  }
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(target.substr(0, 6), "before");
  if (!has_thrown) return target.substr(6);
  EXPECT_EQ(target, "before");
  return std::nullopt;
}

// Texts of 0 to 40 characters, with braces anywhere: about half of the formats are wrong.
TEST(Print, FormatsAsFmtDoesWhateverTheFormatIs) {
  std::mt19937_64 random(1);
  const std::initializer_list<std::string_view> pieces = {
      "{}", "{{", "}}", "{", "}", "{:4}", "a", "bcd", "efghijklmnopqr"};
  for (int i = 0; i < 50'000; ++i) {
    std::string format;
    for (std::uint64_t count = random() % 8; count > 0; --count) {
      format += pieces.begin()[random() % (random() % 8 == 0 ? pieces.size() : 3)];
      format += pieces.begin()[pieces.size() - 1 - random() % 3].substr(0, random() % 15);
    }
    ASSERT_EQ(printed(format), formatted(format)) << format;
    ASSERT_EQ(printed(format, 7), formatted(format, 7)) << format;
    ASSERT_EQ(printed(format, -7, "text", 0.5), formatted(format, -7, "text", 0.5)) << format;
  }
}

TEST(Print, FormatsEveryKindOfArgumentThatItFormatsItself) {
  const char padded[16] = "ab";
  const char* const pointer = "pointer";
  expect_printed(
      "-9223372036854775808 18446744073709551615 1 2 true c 0.1 1e+100 text ab pointer\n",
      [&](Writer& writer) {
        return println(
            writer, "{} {} {} {} {} {} {} {} {} {} {}", std::numeric_limits<std::int64_t>::min(),
            std::numeric_limits<std::uint64_t>::max(), short{1}, static_cast<unsigned char>(2),
            true, 'c', 0.1F, 1e100, std::string("text"), padded, pointer);
      });
}

TEST(Print, AnEmptyTextIsRefusedAfterAFailureToo) {
  Writer writer;
  ASSERT_TRUE(writer.open("/dev/full").ok());
  writer.write("text");
  EXPECT_FALSE(writer.flush().ok());
  EXPECT_FALSE(print(writer, ""));
  EXPECT_FALSE(print(writer, FMT_COMPILE("")));
  EXPECT_FALSE(println(writer, FMT_COMPILE("")));
  EXPECT_FALSE(writer.close().ok());
}

TEST(Print, AWidthMayExceedTheLengthOfTheArguments) {
  expect_printed(fmt::format("{:1000}\n", 7),
                 [](Writer& writer) { return println(writer, FMT_COMPILE("{:1000}"), 7); });
}

TEST(Print, AClassThatConvertsToATextMayBePrintedAsALongerOne) {
  static_assert(!printing::Bounded<Label> && !printing::FormattedByFmt<Label>);
  static_assert(printing::Bounded<std::string> && printing::Bounded<std::string_view> &&
                printing::Bounded<fmt::string_view> && printing::Bounded<char[4]> &&
                printing::Bounded<const char*> && printing::Bounded<char*> &&
                printing::Bounded<const char[4]>);
  expect_printed(std::string(5'995, ' ') + "label\n",
                 [](Writer& writer) { return print(writer, FMT_COMPILE("{}\n"), Label{"label"}); });
}

TEST(Print, TakesTheTextInACharArray) {
  const char padded[16] = "ab";
  expect_printed("literal ab\n", [&](Writer& writer) {
    return print(writer, FMT_COMPILE("{} {}\n"), "literal", padded);
  });
}

TEST(Print, TakesTheTextBehindAPointer) {
  const std::string long_text(10'000, 'x');
  const char* const text = long_text.c_str();
  char array[] = "array";
  char* const pointer = array;
  expect_printed(long_text + " array literal\n", [&](Writer& writer) {
    return print(writer, FMT_COMPILE("{} {} {}\n"), text, pointer, "literal");
  });
  expect_printed("    array|pointer\n", [&](Writer& writer) {
    const char* const name = "pointer";
    return print(writer, FMT_COMPILE("{:>9}|{}\n"), pointer, name);
  });
}

TEST(Print, ANullTextThrowsAndHasWrittenNothing) {
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  const char* const null = nullptr;
  EXPECT_THROW(print(writer, FMT_COMPILE("text {}"), null), fmt::format_error);
  EXPECT_THROW(print(writer, "text {}", null), fmt::format_error);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(target, "");
}

// A text of more than 500 bytes that was made beside the block would need memory of its own.
TEST(Print, MakesACompiledTextInTheBlock) {
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  ASSERT_TRUE(writer.write(std::string(2'000, 'x')));  // the block has grown to 8 KiB
  const std::string thousand(1'000, 'y');
  const char* const text = thousand.c_str();
  ScarceMemory memory(1, ScarceMemory::Lasting::for_ever);
  EXPECT_TRUE(memory.in([&] { return print(writer, FMT_COMPILE("{:1000}"), 7); }));
  EXPECT_TRUE(memory.in([&] { return print(writer, FMT_COMPILE("{}"), text); }));
  EXPECT_TRUE(memory.in([&] { return println(writer, FMT_COMPILE("{:.3f}"), 1.5); }));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(target.substr(2'000), fmt::format("{:1000}{}1.500\n", 7, thousand));
}

// The bytes that the formatter writes come first. The block may grow or leave under them.
TEST(Print, AFormatterMayWriteToTheWriterOfThePrint) {
  for (const std::size_t count : {1u, 100u, 2'000u, 20'000u, 300'000u}) {
    std::string target;
    Writer writer;
    ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
    ASSERT_TRUE(writer.write("0123456789"));
    const Nested nested{writer, count};
    EXPECT_TRUE(print(writer, "before {}", nested));
    EXPECT_TRUE(print(writer, FMT_COMPILE("before {:}"), nested));
    EXPECT_TRUE(println(writer, FMT_COMPILE("before {}"), nested));
    EXPECT_TRUE(writer.close().ok());
    const std::string text = std::string(count, 'n') + "before <>";
    EXPECT_TRUE(target == "0123456789" + text + text + text + "\n") << count;
  }
}

// The longest text of each type must fit into the room that print reserves for the type.
TEST(Print, TheLongestNumbersFit) {
  // {fmt} 9 loses digits here if Clang 14 compiles it in C++23, also without this library.
  const std::string expected =
      fmt::format(FMT_COMPILE("{} {} {} {}\n"), -2.2250738585072014e-308, -1.1754944e-38F,
                  -0.00012345678901234567, -12345678901234567);
#if !defined(__clang__) || __cplusplus <= 202002L
  EXPECT_EQ(expected,
            "-2.2250738585072014e-308 -1.1754944e-38 -0.00012345678901234567 -12345678901234567\n");
#endif
  expect_printed(expected, [](Writer& writer) {
    return println(writer, FMT_COMPILE("{} {} {} {}"), -2.2250738585072014e-308, -1.1754944e-38F,
                   -0.00012345678901234567, -12345678901234567);
  });
}

TEST(Print, SaysWhenTheWriterHasFailed) {
  Writer writer;
  ASSERT_TRUE(writer.open("/dev/full").ok());
  EXPECT_TRUE(print(writer, "{}", 1)) << "it fits the block";
  EXPECT_FALSE(writer.flush().ok());
  EXPECT_FALSE(print(writer, "{}", 2));
  EXPECT_FALSE(print(writer, FMT_COMPILE("{}"), 2));
  EXPECT_FALSE(println(writer, ""));
  EXPECT_FALSE(writer.close().ok());
}

TEST(Print, AFormatThatThrowsHasWrittenNothing) {
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  EXPECT_TRUE(print(writer, "before\n"));
  EXPECT_THROW(print(writer, "{}", Unprintable()), std::runtime_error);
  EXPECT_THROW(print(writer, FMT_COMPILE("{}"), Unprintable()), std::runtime_error);
  EXPECT_TRUE(print(writer, "behind\n"));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(target, "before\nbehind\n");
}

TEST(Print, FailsTheWriterWhenMemoryRunsOut) {
  const std::string long_text(10'000, 'x');
  const auto expect_no_memory = [](auto call) {
    std::string target;
    Writer writer;
    ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
    EXPECT_TRUE(writer.put('x'));
    EXPECT_FALSE(call(writer));
    EXPECT_EQ(writer.status().code().value(), ENOMEM);
    EXPECT_FALSE(writer.close().ok());
  };
  const auto without_memory = [](auto call) {
    return [call](Writer& writer) {
      ScarceMemory memory(1, ScarceMemory::Lasting::for_ever);
      return memory.in([&] { return call(writer); });
    };
  };
  expect_no_memory(without_memory([&](Writer& w) { return print(w, "{}", long_text); }));
  expect_no_memory(
      without_memory([&](Writer& w) { return print(w, FMT_COMPILE("{}"), long_text); }));
  expect_no_memory(without_memory([](Writer& w) { return print(w, "{:.1500f}", 1.5); }));
  expect_no_memory(
      without_memory([](Writer& w) { return print(w, FMT_COMPILE("{:.1500f}"), 1.5); }));
  expect_no_memory([](Writer& w) { return print(w, "{}", OutOfMemory()); });
  expect_no_memory([](Writer& w) { return println(w, FMT_COMPILE("{}"), OutOfMemory()); });
  Writer never_opened;
  EXPECT_FALSE(print(never_opened, "{}", OutOfMemory()));
}

// With every_write, one call of print is one write.
TEST(Print, WithEveryWriteOneCallIsOneWrite) {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  ASSERT_TRUE(
      writer
          .open(std::make_unique<RecordingSink>(recording), {.durability = Durability::every_write})
          .ok());
  EXPECT_TRUE(println(writer, "{} {}", 1, 2));
  EXPECT_TRUE(println(writer, FMT_COMPILE("{} {}"), 3, 4));
  EXPECT_EQ(recording->writes().size(), 2u);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(recording->bytes(), "1 2\n3 4\n");
}

}  // namespace
}  // namespace sluice::testing
