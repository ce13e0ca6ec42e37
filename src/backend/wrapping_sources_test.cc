// Sources that wrap other Sources: their counts, limits and checksums, and the calls that they
// refuse.
#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "sluice/reader.h"
#include "sluice/sources.h"
#include "testing/faulty_source.h"
#include "testing/pattern.h"
#include "testing/scarce_memory.h"

namespace sluice::testing {
namespace {

BytesView bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

TEST(WrappingSources, AreNullAroundANullTarget) {
  std::uint64_t bytes = 0;
  Crc32c checksum;
  EXPECT_EQ(make_counting_source(nullptr, bytes), nullptr);
  EXPECT_EQ(make_limiting_source(nullptr, 1), nullptr);
  EXPECT_EQ(make_checksumming_source(nullptr, checksum), nullptr);
}

TEST(WrappingSources, PassOnTheFailureOfAClose) {
  auto script = std::make_shared<SourceScript>();
  script->close_error = EIO;
  EXPECT_EQ(make_limiting_source(std::make_unique<FaultySource>(script), 5)->close().code().value(),
            EIO);
}

TEST(NullSource, EndsAtOnce) {
  Reader reader;
  ASSERT_TRUE(reader.open(make_null_source()).ok());
  EXPECT_EQ(reader.get(), Reader::end);
  EXPECT_TRUE(reader.seek(5).ok());
  std::uint64_t bytes = 99;
  EXPECT_TRUE(reader.size(bytes).ok());
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(reader.get(), Reader::end);
  EXPECT_TRUE(reader.close().ok());
}

TEST(NullSource, IsNullWithoutMemory) {
  for (std::size_t nth = 1; nth <= 3; ++nth) {
    ScarceMemory memory(nth, ScarceMemory::Lasting::for_ever);
    const bool is_null = memory.in([] { return make_null_source() == nullptr; });
    EXPECT_EQ(is_null, memory.ran_out()) << nth;
  }
}

TEST(CountingSource, CountsTheBytesThatAreFetched) {
  const std::string text = pattern(0, 300'000);
  std::uint64_t bytes = 1'000;
  Reader reader;
  ASSERT_TRUE(reader.open(make_counting_source(make_memory_source(bytes_of(text)), bytes)).ok());
  std::string read;
  EXPECT_TRUE(reader.read_rest(read).ok());
  EXPECT_TRUE(read == text);
  EXPECT_EQ(bytes, 301'000u);
}

TEST(WrappingSources, DoNotUseTheNumberOfBytesOfAFailedRead) {
  auto script = std::make_shared<SourceScript>();
  script->bytes = pattern(0, 1'000);
  script->fail_at = 500;
  std::uint64_t bytes = 0;
  Crc32c checksum;
  Reader reader;
  ASSERT_TRUE(
      reader
          .open(make_checksumming_source(
              make_counting_source(std::make_unique<FaultySource>(script), bytes), checksum))
          .ok());
  EXPECT_EQ(reader.skip(1'000), 500u);
  EXPECT_EQ(reader.close().code().value(), EIO);
  EXPECT_EQ(bytes, 500u);
  Crc32c expected;
  expected.add(bytes_of(script->bytes).first(500));
  EXPECT_EQ(checksum.value(), expected.value());
}

TEST(LimitingSource, EndsAtItsLimit) {
  const std::string text = pattern(0, 300'000);
  for (const std::size_t limit : {0u, 1u, 100'000u, 300'000u, 400'000u}) {
    Reader reader;
    ASSERT_TRUE(reader.open(make_limiting_source(make_memory_source(bytes_of(text)), limit)).ok());
    std::uint64_t bytes = 0;
    EXPECT_TRUE(reader.size(bytes).ok());
    EXPECT_EQ(bytes, std::min(limit, text.size()));
    std::string read;
    EXPECT_TRUE(reader.read_rest(read).ok());
    EXPECT_TRUE(read == text.substr(0, limit)) << limit;
    EXPECT_TRUE(reader.seek(200'000).ok());
    EXPECT_EQ(reader.get() == Reader::end, limit <= 200'000);
  }
}

TEST(LimitingSource, FetchesNothingBeyondItsLimit) {
  auto script = std::make_shared<SourceScript>();
  script->bytes = pattern(0, 1'000);
  script->fail_at = 500;
  Reader reader;
  ASSERT_TRUE(reader.open(make_limiting_source(std::make_unique<FaultySource>(script), 500)).ok());
  std::string read;
  EXPECT_TRUE(reader.read_rest(read).ok());
  EXPECT_EQ(read.size(), 500u);
}

TEST(ChecksummingSource, SumsEachByteOnceThoughTheReaderGoesAbout) {
  const std::string text = pattern(0, 300'000);
  Crc32c checksum;
  Reader reader;
  ASSERT_TRUE(
      reader.open(make_checksumming_source(make_memory_source(bytes_of(text)), checksum)).ok());
  EXPECT_EQ(reader.skip(1'000), 1'000u);
  EXPECT_TRUE(reader.seek(10).ok()) << "the position is in the block";
  const Status status = reader.seek(200'000);
  EXPECT_EQ(status.code().value(), ESPIPE);
  EXPECT_EQ(status.message(),
            "seek (memory) at byte 200000: it has no positions, because its checksum needs the "
            "bytes in sequence");
  EXPECT_EQ(reader.skip(270'000), 270'000u) << "by reading";
  std::string read;
  EXPECT_TRUE(reader.read_rest(read).ok());
  EXPECT_TRUE(read == text.substr(270'010));
  Crc32c expected;
  expected.add(bytes_of(text));
  EXPECT_EQ(checksum.value(), expected.value());
}

}  // namespace
}  // namespace sluice::testing
