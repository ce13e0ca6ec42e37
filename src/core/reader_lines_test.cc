// Lines: all combinations of endings, lengths and block boundaries, compared with a simple model.
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sluice/reader.h"
#include "testing/faulty_source.h"

namespace sluice::testing {
namespace {

using Sizes = std::initializer_list<std::size_t>;

constexpr CarriageReturn carriage_returns[] = {CarriageReturn::keep, CarriageReturn::strip};

// Splits the whole text into lines in the simplest way.
std::vector<std::string> model_lines(const std::string& text, CarriageReturn carriage_return) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t newline = text.find('\n', begin);
    std::string line = text.substr(begin, newline - begin);
    const bool strip = carriage_return == CarriageReturn::strip && newline != std::string::npos;
    if (strip && line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
    if (newline == std::string::npos) break;
    begin = newline + 1;
  }
  return lines;
}

Reader open_text(const std::string& text, const ReaderOptions& options,
                 std::size_t max_bytes_per_read = SIZE_MAX) {
  const auto script = std::make_shared<SourceScript>();
  script->bytes = text;
  script->max_bytes_per_read = max_bytes_per_read;
  Reader reader;
  EXPECT_TRUE(reader.open(std::make_unique<FaultySource>(script), options).ok());
  return reader;
}

// The text in printable form, for the message of a failed test.
std::string shown(const std::string& text) {
  std::string out;
  for (const char byte : text) {
    out += byte == '\n'   ? "\\n"
           : byte == '\r' ? "\\r"
           : byte == '\0' ? "\\0"
                          : std::string(1, byte);
  }
  return out;
}

void expect_model_lines(const std::string& text, std::size_t block_bytes,
                        CarriageReturn carriage_return, std::size_t max_bytes_per_read) {
  Reader reader = open_text(text, {.block_bytes = block_bytes}, max_bytes_per_read);
  const std::vector<std::string> expected = model_lines(text, carriage_return);
  std::size_t count = 0;
  bool same = true;
  for (const std::string_view line : reader.lines(carriage_return)) {
    same = same && count < expected.size() && line == expected[count];
    ++count;
  }
  same = same && count == expected.size() && reader.position() == text.size();
  if (same && reader.status().ok() && reader.close().ok()) return;
  ADD_FAILURE() << "blocks of " << block_bytes << ", reads of " << max_bytes_per_read << ": "
                << shown(text.substr(0, 300)) << ": " << reader.status().message();
}

TEST(ReaderLines, AgreesWithTheModelOnEveryShortText) {
  const std::string alphabet("a\n\r\0", 4);
  for (std::size_t length = 0; length <= 6; ++length) {
    for (std::size_t number = 0; number < std::size_t{1} << (2 * length); ++number) {
      std::string text;
      for (std::size_t i = 0; i < length; ++i) text += alphabet[number >> (2 * i) & 3];
      for (const CarriageReturn carriage_return : carriage_returns) {
        for (const std::size_t block_bytes : Sizes{1, 2, 3, 4, 64}) {
          expect_model_lines(text, block_bytes, carriage_return, SIZE_MAX);
        }
        expect_model_lines(text, 4, carriage_return, 1);
      }
      if (::testing::Test::HasFailure()) return;
    }
  }
}

// All awkward cases in one text: both endings, NULs, empty lines, a line longer than most blocks,
// carriage returns in odd places, and no newline at the end.
std::string nasty_text() {
  std::string text = "first\r\n\r\n\n\n\rnot an ending\r\r\nnul:";
  text += std::string("\0\0 between\0\n", 12);
  text += std::string(300, 'l') + "\r\n";
  for (int i = 0; i < 70; ++i) text += std::string(static_cast<std::size_t>(i), 'x') + '\n';
  text += std::string(40, '\n') + std::string(64, '\r') + "\nlast without an end\r";
  return text;
}

TEST(ReaderLines, AgreesWithTheModelForEveryEndOfABlock) {
  const std::string text = nasty_text();
  for (std::size_t block_bytes = 1; block_bytes <= 200; ++block_bytes) {
    for (const CarriageReturn carriage_return : carriage_returns) {
      for (const std::size_t max_bytes : {std::size_t{1}, std::size_t{7}, SIZE_MAX}) {
        expect_model_lines(text, block_bytes, carriage_return, max_bytes);
        expect_model_lines(text + '\n', block_bytes, carriage_return, max_bytes);
        expect_model_lines(text + "\r\n", block_bytes, carriage_return, max_bytes);
      }
    }
    if (HasFailure()) return;
  }
}

TEST(ReaderLines, AgreesWithTheModelAtEveryOffsetInABlock) {
  const std::string text = nasty_text();
  for (std::size_t offset = 0; offset <= 130; ++offset) {
    const std::string shifted = std::string(offset, 'o') + text;
    for (const std::size_t block_bytes : Sizes{64, 65, 4096, 65'536}) {
      expect_model_lines(shifted, block_bytes, CarriageReturn::strip, SIZE_MAX);
    }
    if (HasFailure()) return;
  }
}

TEST(ReaderLines, AgreesWithTheModelOnTextOfManyBlocks) {
  std::string text;
  for (std::size_t i = 0; text.size() < 2'000'000; ++i) {
    text += std::string(i * i % 131, static_cast<char>('a' + i % 26));
    text += i % 7 == 0 ? "\r\n" : "\n";
  }
  text += std::string(700'000, 'l') + "\nend";
  for (const std::size_t block_bytes : Sizes{1'000, 4'096, 16'384, 65'536, 262'144, 1'048'576}) {
    expect_model_lines(text, block_bytes, CarriageReturn::keep, SIZE_MAX);
    expect_model_lines(text, block_bytes, CarriageReturn::strip, 10'007);
  }
}

TEST(ReaderLines, GivesNoLineOfAnEmptyText) {
  Reader reader = open_text("", {});
  std::string_view line = "untouched";
  EXPECT_FALSE(reader.next_line(line));
  EXPECT_FALSE(reader.next_line(line)) << "and stays there";
  EXPECT_TRUE(reader.status().ok());
  EXPECT_TRUE(reader.close().ok());
}

TEST(ReaderLines, KnowsThePositionAfterEachLine) {
  for (const std::size_t block_bytes : Sizes{1, 3, 4096}) {
    Reader reader = open_text("ab\r\n\ncdef\nlast", {.block_bytes = block_bytes});
    std::string_view line;
    for (const std::uint64_t position : {4u, 5u, 10u, 14u}) {
      ASSERT_TRUE(reader.next_line(line, CarriageReturn::strip));
      EXPECT_EQ(reader.position(), position);
    }
    EXPECT_FALSE(reader.next_line(line));
    EXPECT_EQ(reader.position(), 14u);
  }
}

TEST(ReaderLines, MixesWithGetAndRead) {
  const std::string text = nasty_text();
  for (unsigned seed = 0; seed < 3'000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    const auto random = [&](std::uint64_t bound) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<std::size_t>((state >> 33) % bound);
    };
    Reader reader =
        open_text(text, {.block_bytes = 1 + random(random(2) == 0 ? 8 : 700)}, 1 + random(400));
    std::size_t at = 0;  // the position in the model
    while (at < text.size()) {
      switch (random(3)) {
        case 0: {
          ASSERT_EQ(reader.get(), static_cast<unsigned char>(text[at]));
          ++at;
          break;
        }
        case 1: {
          std::string into(random(random(2) == 0 ? 10 : 200), '\0');
          const std::size_t expected = std::min(into.size(), text.size() - at);
          ASSERT_EQ(reader.read(into.data(), into.size()), expected);
          ASSERT_EQ(into.substr(0, expected), text.substr(at, expected));
          at += expected;
          break;
        }
        default: {
          std::string_view line;
          const std::size_t newline = text.find('\n', at);
          ASSERT_TRUE(reader.next_line(line));
          ASSERT_EQ(line, text.substr(at, newline - at));
          at = newline == std::string::npos ? text.size() : newline + 1;
        }
      }
      ASSERT_EQ(reader.position(), at);
    }
    EXPECT_EQ(reader.get(), Reader::end);
    EXPECT_TRUE(reader.status().ok());
  }
}

TEST(ReaderLines, CanBeMovedBetweenLines) {
  Reader first = open_text("one\ntwo\nthree\nfour\n", {.block_bytes = 8});
  std::string_view line;
  ASSERT_TRUE(first.next_line(line));
  Reader second(std::move(first));
  ASSERT_TRUE(second.next_line(line));
  EXPECT_EQ(line, "two");
  Reader third;
  third = std::move(second);
  ASSERT_TRUE(third.next_line(line));
  EXPECT_EQ(line, "three");
  ASSERT_TRUE(third.next_line(line));
  EXPECT_EQ(line, "four");
  EXPECT_FALSE(third.next_line(line));
  EXPECT_TRUE(third.close().ok());
}

// ---- max_line_bytes ----

// The offset of the first line that is longer than `max_bytes`.
std::optional<std::size_t> first_too_long(const std::string& text, std::size_t max_bytes) {
  std::size_t at = 0;
  for (const std::string& line : model_lines(text, CarriageReturn::keep)) {
    if (line.size() > max_bytes) return at;
    at += line.size() + 1;
  }
  return std::nullopt;
}

TEST(ReaderLines, RefusesALineThatIsTooLongWithItsOffset) {
  const std::string text = nasty_text();
  for (const std::size_t block_bytes : Sizes{1, 7, 64, 100, 4096}) {
    for (std::size_t max_bytes = 1; max_bytes <= 310; ++max_bytes) {
      SCOPED_TRACE("lines of " + std::to_string(max_bytes) + ", blocks of " +
                   std::to_string(block_bytes));
      Reader reader =
          open_text(text, {.block_bytes = block_bytes, .max_line_bytes = max_bytes}, 90);
      const std::vector<std::string> expected = model_lines(text, CarriageReturn::keep);
      const std::optional<std::size_t> offset = first_too_long(text, max_bytes);
      std::size_t count = 0;
      for (const std::string_view line : reader.lines()) ASSERT_EQ(line, expected[count++]);
      ASSERT_EQ(reader.status().ok(), !offset.has_value()) << reader.status().message();
      if (!offset) {
        ASSERT_EQ(count, expected.size());
        continue;
      }
      ASSERT_EQ(reader.status().code().value(), EMSGSIZE);
      ASSERT_EQ(reader.status().offset(), *offset) << reader.status().message();
      ASSERT_GT(expected[count].size(), max_bytes) << "an earlier line was refused";
      std::string_view line;
      ASSERT_FALSE(reader.next_line(line)) << "a failure stays";
      ASSERT_EQ(reader.close().offset(), *offset);
    }
  }
}

// A loop over lines that also reads bytes in other ways must get all bytes in order.
TEST(ReaderLines, AllowsOtherReadsInsideTheLoop) {
  const std::string text = nasty_text();
  for (const std::size_t block_bytes : Sizes{1, 7, 64, 4096}) {
    SCOPED_TRACE("blocks of " + std::to_string(block_bytes));
    Reader reader = open_text(text, {.block_bytes = block_bytes}, 90);
    std::string seen;
    std::size_t step = 0;
    const auto note_line = [&](std::string_view line) {
      seen += line;
      if (reader.position() > seen.size()) seen += '\n';  // the last line has no newline
    };
    for (const std::string_view line : reader.lines()) {
      note_line(line);
      ASSERT_EQ(reader.position(), seen.size()) << "line " << step;
      const std::size_t way = step++ % 4;
      if (way == 1) {
        if (const int byte = reader.get(); byte != Reader::end) seen += static_cast<char>(byte);
      }
      if (way == 2) {
        std::array<char, 5> bytes;
        seen.append(bytes.data(), reader.read(bytes.data(), bytes.size()));
      }
      if (way == 3) {
        std::string_view next;
        if (reader.next_line(next)) note_line(next);
      }
    }
    EXPECT_EQ(seen, text);
  }
}

TEST(ReaderLines, NeedsLittleMemoryToRefuseALongLine) {
  const auto script = std::make_shared<SourceScript>();
  script->bytes = std::string(10'000'000, 'x');
  Reader reader;
  ASSERT_TRUE(reader
                  .open(std::make_unique<FaultySource>(script),
                        {.block_bytes = 4096, .max_line_bytes = 100'000})
                  .ok());
  std::string_view line;
  EXPECT_FALSE(reader.next_line(line));
  EXPECT_EQ(reader.status().offset(), 0u);
  EXPECT_NE(reader.status().message().find("max_line_bytes"), std::string::npos)
      << reader.status().message();
  EXPECT_LE(script->next_position, 500'000u) << "read on though the line was too long already";
}

}  // namespace
}  // namespace sluice::testing
