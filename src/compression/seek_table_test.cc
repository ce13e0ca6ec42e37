// Seek tables: what a damaged one, one of another program and a large one mean for a Reader.
#include <gtest/gtest.h>
#include <zstd.h>

#include <cerrno>
#include <cstdint>
#include <string>

#include "sluice/compression.h"
#include "sluice/zstd.h"
#include "testing/compressed_file.h"

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
    std::string frame(ZSTD_compressBound(part.size()), '\0');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), part.data(), part.size(), 1));
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

// Nothing tells whether the table of another program is damaged, so it counts as none.
TEST(SeekTable, OfAnotherProgramIsNotBelieved) {
  const std::string plain = lines(20'000);
  for (const bool has_checksums : {false, true}) {
    std::size_t frames_end = 0;
    const std::string file = foreign_file(plain, has_checksums, &frames_end);
    expect_right_bytes(file, plain);
    for (std::size_t bit = frames_end * 8; bit < file.size() * 8; ++bit) {
      SCOPED_TRACE("bit " + std::to_string(bit));
      std::string damaged = file;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      expect_right_bytes(damaged, plain);
      if (HasFatalFailure()) return;
    }
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
  const std::size_t frames_end = file.size() - (16 + 8 + 5 * 8 + 9);
  for (std::size_t bit = frames_end * 8; bit < file.size() * 8; ++bit) {
    SCOPED_TRACE("bit " + std::to_string(bit));
    std::string damaged = file;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    expect_right_bytes(damaged, plain);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace sluice::testing
