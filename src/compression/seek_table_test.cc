// Seek tables: what a damaged one, one of another program and a large one mean for a Reader.
#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "compression/seek_table.h"
#include "sluice/compression.h"
#include "sluice/zstd.h"
#include "testing/compressed_file.h"
#include "testing/foreign_frames.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

void put(std::string& to, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) to += static_cast<char>(number >> shift & 0xff);
}

// A file as another program makes it, which protects its seek table with nothing. If the table has
// checksums, they are those of no frame.
std::string foreign_file(const std::string& plain, bool has_checksums, std::size_t* frames_end) {
  std::string file;
  std::string entries;
  std::uint32_t frames = 0;
  for (std::size_t at = 0; at < plain.size(); at += 4096) {
    const std::string part = plain.substr(at, 4096);
    const std::string frame = zstd_frame(part);
    file += frame;
    put(entries, static_cast<std::uint32_t>(frame.size()));
    put(entries, static_cast<std::uint32_t>(part.size()));
    if (has_checksums) put(entries, 12345);
    ++frames;
  }
  *frames_end = file.size();
  put(file, 0x184D2A5E);
  put(file, static_cast<std::uint32_t>(entries.size() + 9));
  file += entries;
  put(file, frames);
  file += has_checksums ? '\x80' : '\0';
  put(file, 0x8F92EAB1);
  return file;
}

// What a Reader gives after seek(), also after size(): the right bytes.
void expect_right_bytes(const std::string& file, const std::string& plain) {
  for (const std::size_t position : {5'000u, 19'000u, 3u}) {
    Reader reader;
    ASSERT_TRUE(open_memory(reader, file).ok());
    std::uint64_t bytes = 0;
    const Status sized = reader.size(bytes);
    ASSERT_TRUE(sized.ok() ? bytes == plain.size() : sized.code().value() == ESPIPE);
    ASSERT_TRUE(reader.seek(position).ok());
    char some[10];
    ASSERT_EQ(std::string(some, reader.read(some, sizeof some)), plain.substr(position, 10));
  }
}

// Also if a bit of the bytes from `table_begin` on is wrong.
void expect_right_bytes_in_spite_of_damage(const std::string& file, std::size_t table_begin,
                                           const std::string& plain) {
  for (std::size_t bit = table_begin * 8; bit < file.size() * 8; ++bit) {
    SCOPED_TRACE("bit " + std::to_string(bit));
    expect_right_bytes(with_flipped_bit(file, bit), plain);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// Nothing tells whether the table of another program is damaged, so it counts as none.
TEST(SeekTable, OfAnotherProgramIsNotBelieved) {
  const std::string plain = lines(20'000);
  for (const bool has_checksums : {false, true}) {
    std::size_t frames_end = 0;
    const std::string file = foreign_file(plain, has_checksums, &frames_end);
    expect_right_bytes(file, plain);
    expect_right_bytes_in_spite_of_damage(file, frames_end, plain);
  }
}

// The table of the library is believed: if it is damaged, it counts as none.
TEST(SeekTable, OfTheLibraryIsBelievedUnlessItIsDamaged) {
  const std::string plain = lines(20'000);
  const std::string file = compressed_by(zstd(), plain);
  Reader reader;
  ASSERT_TRUE(open_memory(reader, file).ok());
  std::uint64_t bytes = 0;
  EXPECT_TRUE(reader.size(bytes).ok());
  const std::size_t frames_end = file.size() - (16 + 8 + 6 * 8 + 9);
  expect_right_bytes_in_spite_of_damage(file, frames_end, plain);
}

// The table as it stands in a file. Empty if there are too many frames.
Bytes encoded(NewSeekTable& table) {
  Bytes all;
  for (const BytesView part : table.encode()) {
    const std::size_t at = all.size();
    EXPECT_TRUE(all.resize(at + part.size()));
    std::ranges::copy(part, all.data() + at);
  }
  return all;
}

// Some frames have no bytes, as skippable frames do.
TEST(SeekTable, FindsTheFrameOfEveryByte) {
  std::mt19937 random(1);
  for (const std::size_t frames : {0u, 1u, 63u, 64u, 65u, 1000u}) {
    NewSeekTable made(frames);
    std::vector<SeekTable::Frame> all{{0, 0}};  // and the frame that protects the table
    for (std::size_t i = 0; i < frames; ++i) {
      const std::uint32_t compressed_bytes = 1 + static_cast<std::uint32_t>(random() % 100);
      const std::uint32_t bytes = static_cast<std::uint32_t>(random() % 5);
      ASSERT_TRUE(made.add(compressed_bytes, bytes));
      all.push_back(
          {all.back().compressed_position + compressed_bytes, all.back().position + bytes});
    }
    Bytes end = encoded(made);
    SeekTable table;
    const std::uint64_t file_bytes = all.back().compressed_position + end.size();
    ASSERT_TRUE(table.decode(std::move(end), file_bytes));
    const std::uint64_t bytes = all.back().position;
    EXPECT_EQ(table.bytes(), bytes);
    for (std::uint64_t position = 0; position < bytes + 10; ++position) {
      SeekTable::Frame expected{};
      bool is_end = position == bytes;
      for (const SeekTable::Frame& frame : all) {
        if (frame.position <= position) expected = frame;
        is_end = is_end || frame.position == position;
      }
      ASSERT_EQ(table.frame_at(position).position, expected.position);
      ASSERT_EQ(table.frame_at(position).compressed_position, expected.compressed_position);
      ASSERT_EQ(table.has_end_at(position), is_end);
    }
  }
}

// Such a table would move every byte behind it to another position.
TEST(SeekTable, WithBytesOfAFrameThatIsNowhereDoesNotFitAnyFile) {
  for (const std::uint32_t compressed_bytes : {0u, 1u}) {
    NewSeekTable made(2);
    ASSERT_TRUE(made.add(compressed_bytes, 100));
    ASSERT_TRUE(made.add(10, 20));
    Bytes end = encoded(made);
    const std::uint64_t file_bytes = compressed_bytes + 10 + end.size();
    SeekTable table;
    EXPECT_EQ(table.decode(std::move(end), file_bytes), compressed_bytes != 0);
  }
}

TEST(SeekTable, IsNotMadeOfTooManyFrames) {
  NewSeekTable table(3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(table.add(10, 20));
  EXPECT_EQ(encoded(table).size(), 16 + 8 + 4 * 8 + 9);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(table.add(10, 20));
  EXPECT_TRUE(encoded(table).empty());
}

// What sluice/compression.h says of the memory of a table. Each flush makes a frame.
TEST(SeekTable, TakesAFewBytesOfMemoryForEachFrame) {
  if (sanitized) GTEST_SKIP() << "a sanitizer needs memory of its own";
  constexpr std::size_t frames = 100'000;
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const ScratchDirectory directory;
  if (!reset_peak_resident_bytes()) GTEST_SKIP() << "the kernel does not count";
  std::size_t before = resident_bytes();
  {
    Writer writer;
    ASSERT_TRUE(open_compressed(writer, directory.file("f"), zstd(),
                                {.frame_bytes = 4096, .frames_at_a_time = 1},
                                {.write_behind = WriteBehind::off, .block_bytes = 4096})
                    .ok());
    for (std::size_t i = 0; i < frames; ++i) {
      writer.write_value(i);
      ASSERT_TRUE(writer.flush().ok());
    }
    ASSERT_TRUE(writer.close().ok());
  }
  EXPECT_LE(peak_resident_bytes() - before, frames * 12 + mebibyte);
  ASSERT_TRUE(reset_peak_resident_bytes());
  before = resident_bytes();
  Reader reader;
  ASSERT_TRUE(open_decompressed(reader, directory.file("f"), {&zstd()}).ok());
  std::uint64_t bytes = 0;
  EXPECT_TRUE(reader.size(bytes).ok());
  EXPECT_EQ(bytes, frames * sizeof(std::size_t));
  for (const std::size_t i : {std::size_t{70'000}, std::size_t{5}, frames - 1}) {
    EXPECT_TRUE(reader.seek(i * sizeof i).ok());
    std::size_t value = 0;
    EXPECT_TRUE(reader.read_value(value));
    EXPECT_EQ(value, i);
  }
  EXPECT_LE(peak_resident_bytes() - before, frames * 9 + mebibyte);
}

}  // namespace
}  // namespace sluice::testing
