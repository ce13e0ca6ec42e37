// Which Sources a Reader reads at any position: regular files, also inside other Sources, but no
// file that is a stream.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "sluice/reader.h"
#include "sluice/sources.h"
#include "testing/faulty_source.h"
#include "testing/faulty_system_calls.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr std::size_t file_bytes = 3 << 20;

int byte_at(std::uint64_t position) { return static_cast<unsigned char>(pattern_at(position)); }

// ---- regular files that are streams, as FUSE and tracefs have them ----

class StreamCalls : public FaultySystemCalls {
 public:
  explicit StreamCalls(bool has_offset) : has_offset_(has_offset) {}
  os::CallResult pread(int, void*, std::size_t, std::uint64_t) override { return -ESPIPE; }
  os::CallResult seek_current(int descriptor) override {
    return has_offset_ ? FaultySystemCalls::seek_current(descriptor) : -ESPIPE;
  }
  os::CallResult seek_to(int descriptor, std::uint64_t position) override {
    return has_offset_ ? FaultySystemCalls::seek_to(descriptor, position) : -ESPIPE;
  }

 private:
  const bool has_offset_;
};

class ReaderOfAStream : public ::testing::Test {
 protected:
  void SetUp() override {
    make_file(path_, pattern(0, file_bytes));
    ASSERT_TRUE(reader_.open(path_).ok());
  }

  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("in");
  StreamCalls calls_{false};
  os::ScopedSystemCalls in_place_{calls_};
  Reader reader_;
};

TEST_F(ReaderOfAStream, RefusesASeekAndReadsOn) {
  EXPECT_EQ(reader_.seek(1'000'000).code().value(), ESPIPE) << "before the first read";
  ASSERT_EQ(reader_.get(), byte_at(0));
  for (const std::uint64_t position : {1'000'000u, 17'000u}) {
    EXPECT_EQ(reader_.seek(position).code().value(), ESPIPE) << position;
  }
  EXPECT_EQ(reader_.position(), 1u);
  std::string rest;
  EXPECT_TRUE(reader_.read_rest(rest).ok());
  EXPECT_TRUE(rest == pattern(1, file_bytes - 1));
}

TEST_F(ReaderOfAStream, PassesByReading) {
  EXPECT_EQ(reader_.skip(1'000'000), 1'000'000u);
  EXPECT_EQ(reader_.get(), byte_at(1'000'000));
  EXPECT_EQ(reader_.skip(1'000'000), 1'000'000u);
  EXPECT_EQ(reader_.get(), byte_at(2'000'001));
  EXPECT_TRUE(reader_.status().ok());
}

// The file has an offset that moves, but cannot be read at a position.
TEST(ReaderOfAnOddFile, FailsRatherThanReadAtAnotherPosition) {
  const ScratchDirectory directory;
  make_file(directory.file("in"), pattern(0, file_bytes));
  StreamCalls calls(true);
  const os::ScopedSystemCalls in_place(calls);
  Reader reader;
  ASSERT_TRUE(reader.open(directory.file("in")).ok());
  ASSERT_TRUE(reader.seek(1'000'000).ok());
  EXPECT_EQ(reader.get(), Reader::end);
  EXPECT_EQ(reader.status().code().value(), ESPIPE);
  EXPECT_EQ(reader.status().offset(), 1'000'000u);
}

// ---- regular files, also inside other Sources ----

class ReaderOfARegularFile : public ::testing::Test {
 protected:
  void SetUp() override { make_file(path_, pattern(0, file_bytes)); }

  std::unique_ptr<Source> file() {
    std::unique_ptr<Source> source;
    EXPECT_TRUE(open_file_source(path_, {}, source).ok());
    return source;
  }

  void expect_few_calls_for_near_seeks(std::unique_ptr<Source> source) {
    Reader reader;
    ASSERT_TRUE(reader.open(std::move(source)).ok());
    calls_.forget_records();
    std::uint64_t position = file_bytes / 2;
    for (std::uint64_t i = 0; i < 2'000; ++i) {
      position += i * 2'654'435'761 % 8'192;
      position -= 4'096;
      ASSERT_TRUE(reader.seek(position).ok());
      ASSERT_EQ(reader.get(), byte_at(position));
    }
    EXPECT_LT(calls_.total(), 50u) << calls_.log();
  }

  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("in");
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
};

TEST_F(ReaderOfARegularFile, IsAskedOnceAndThenOnlyRead) {
  Reader reader;
  ASSERT_TRUE(reader.open(path_, {.read_ahead = ReadAhead::off}).ok());
  calls_.forget_records();
  for (const std::uint64_t position : {2'000'000u, 17u, 1'000'000u, 1'002'000u}) {
    ASSERT_TRUE(reader.seek(position).ok());
    ASSERT_EQ(reader.get(), byte_at(position));
  }
  EXPECT_EQ(calls_.count(Call::seek_current), 1u) << calls_.log();
  EXPECT_EQ(calls_.count(Call::fstat), 1u) << calls_.log();
  EXPECT_EQ(calls_.count(Call::pread), 4u) << calls_.log();
  EXPECT_EQ(calls_.total(), 6u) << calls_.log();
}

TEST_F(ReaderOfARegularFile, FindsMostNearPositionsInTheBlockAlsoInsideAnotherSource) {
  std::uint64_t bytes = 0;
  expect_few_calls_for_near_seeks(file());
  expect_few_calls_for_near_seeks(make_counting_source(file(), bytes));
  expect_few_calls_for_near_seeks(make_limiting_source(file(), file_bytes));
}

TEST_F(ReaderOfARegularFile, CannotSeekIfEachByteCountsOnce) {
  Crc32c checksum;
  Reader reader;
  ASSERT_TRUE(reader.open(make_checksumming_source(file(), checksum)).ok());
  ASSERT_EQ(reader.get(), byte_at(0));
  for (const std::uint64_t position : {17'000u, 1'000'000u}) {
    EXPECT_EQ(reader.seek(position).code().value(), ESPIPE);
  }
  EXPECT_EQ(reader.get(), byte_at(1));
}

// ---- Sources of the program's own ----

TEST(ReaderOfASource, AsksOnceWhetherItReadsAnywhere) {
  const auto script = std::make_shared<SourceScript>();
  script->bytes = pattern(0, 100'000);
  script->has_positions = script->reads_anywhere = true;
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<FaultySource>(script)).ok());
  for (const std::uint64_t position : {50'000u, 52'000u, 10u, 99'000u}) {
    ASSERT_TRUE(reader.seek(position).ok());
    EXPECT_EQ(reader.get(), byte_at(position));
  }
  EXPECT_EQ(script->questions, 1u);
  EXPECT_EQ(script->seeks, 0u);
}

}  // namespace
}  // namespace sluice::testing
