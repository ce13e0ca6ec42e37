// A Reader that reads a block ahead: every byte arrives, failures come in their place, and no
// memory that a read may write to is looked at or released.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sluice/reader.h"
#include "testing/faulty_source.h"
#include "testing/lost_errors.h"
#include "testing/pattern.h"

namespace sluice::testing {
namespace {

constexpr std::size_t block = 64 * 1024;
constexpr std::size_t blocks_before = 8;  // before the Reader reads ahead

class BlockAhead : public ::testing::Test {
 protected:
  BlockAhead() {
    script_->bytes = pattern(0, 20 * block + 1'234);
    script_->has_positions = script_->reads_anywhere = script_->reads_in_background = true;
    script_->size = script_->bytes.size();
  }
  ~BlockAhead() override {
    reader_ = Reader();
    EXPECT_FALSE(script_->out_of_turn) << "a call came while a read was under way, or after close";
    EXPECT_TRUE(script_->under_way.empty()) << "the memory of a read was released too early";
  }

  void open(std::size_t block_bytes = block) {
    ASSERT_TRUE(
        reader_.open(std::make_unique<FaultySource>(script_), {.block_bytes = block_bytes}).ok());
  }

  // Reads `bytes` bytes in pieces, and compares them with those at the Reader's position.
  void expect_bytes(std::size_t bytes, std::size_t piece = 10'000) {
    while (bytes > 0) {
      const std::uint64_t at = reader_.position();
      std::string into(std::min(bytes, piece), ' ');
      ASSERT_EQ(reader_.read(std::as_writable_bytes(std::span(into))), into.size())
          << reader_.status().message();
      ASSERT_EQ(into, script_->bytes.substr(at, into.size())) << "at byte " << at;
      bytes -= into.size();
    }
  }

  std::size_t left() const { return script_->bytes.size() - reader_.position(); }

  const std::shared_ptr<SourceScript> script_ = std::make_shared<SourceScript>();
  Reader reader_;
};

TEST_F(BlockAhead, ASourceThatSaysTooManyBytesIsReadAgain) {
  script_->says_too_many = true;
  open();
  expect_bytes(left());
  EXPECT_GE(script_->begun, 5u);
}

// The read may write to its memory for ever.
TEST_F(BlockAhead, TheMemoryOfAReadThatCannotBeWaitedForIsLeftToIt) {
  script_->cannot_wait = true;
  open();
  expect_bytes(9 * block + 1);
  const MutableBytesView memory = script_->under_way;
  ASSERT_FALSE(memory.empty());
  const auto write_to_it = [&] { std::memset(memory.data(), '?', memory.size()); };
  expect_bytes(block);
  write_to_it();
  expect_bytes(left());
  reader_ = Reader();
  write_to_it();
  script_->under_way = {};
  script_->out_of_turn = false;  // close() came although a read was under way
}

TEST_F(BlockAhead, ASourceOfTheProgramIsNotReadAheadIfReadAheadIsOff) {
  ASSERT_TRUE(reader_
                  .open(std::make_unique<FaultySource>(script_),
                        {.read_ahead = ReadAhead::off, .block_bytes = block})
                  .ok());
  expect_bytes(left());
  EXPECT_EQ(script_->begun, 0u);
}

TEST_F(BlockAhead, EveryByteArrivesAndMostBlocksAreReadAhead) {
  for (const std::size_t piece : {std::size_t{1'000}, block / 3, block - 1}) {
    reader_ = Reader();
    script_->begun = script_->reads = script_->closes = 0;
    open();
    expect_bytes(left(), piece);
    EXPECT_EQ(reader_.get(), Reader::end);
    EXPECT_GE(script_->begun, 11u);
    EXPECT_LE(script_->reads, 8u + 5u) << "some bytes were read twice";
    EXPECT_TRUE(reader_.close().ok());
  }
}

TEST_F(BlockAhead, TheFirstBlocksAreNotReadAhead) {
  open();
  expect_bytes((blocks_before - 1) * block);
  EXPECT_EQ(script_->begun, 0u);
  expect_bytes(1);
  EXPECT_EQ(script_->begun, 1u);
}

TEST_F(BlockAhead, NothingIsReadAheadWithoutLongSequences) {
  open();
  for (std::size_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(reader_.seek(i * 7'919 * 13 % (12 * block)).ok());
    expect_bytes(i % 3 == 0 ? 8 : 6 * block);
  }
  EXPECT_EQ(script_->begun, 0u);
}

TEST_F(BlockAhead, NothingIsReadAheadOfReadsThatPassTheBlock) {
  open();
  expect_bytes(20 * block, block);
  EXPECT_EQ(script_->begun, 0u);
}

TEST_F(BlockAhead, ASourceThatCannotReadInTheBackgroundIsNotAsked) {
  script_->reads_in_background = false;
  open();
  expect_bytes(left());
  EXPECT_EQ(script_->begun, 0u);
}

TEST_F(BlockAhead, BytesThatComeShortAreReadWithoutALoss) {
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, block / 2, block - 1}) {
    reader_ = Reader();
    script_->begun = script_->closes = 0;
    script_->max_bytes_in_background = most;
    open();
    expect_bytes(left());
    EXPECT_EQ(reader_.get(), Reader::end);
    EXPECT_TRUE(reader_.close().ok());
    EXPECT_GE(script_->begun, 1u);
  }
}

// The failed read lies ahead of the program for a whole block.
TEST_F(BlockAhead, AFailureComesInItsPlace) {
  for (const std::size_t at : {10 * block, 11 * block - 1, 11 * block + 77}) {
    reader_ = Reader();
    script_->closes = script_->begun = 0;
    script_->fail_at = at;
    open();
    expect_bytes(at, 1'000);
    EXPECT_GE(script_->begun, 2u);
    EXPECT_TRUE(reader_.status().ok()) << "too early";
    EXPECT_EQ(reader_.get(), Reader::end);
    EXPECT_EQ(reader_.status().code().value(), EIO);
    EXPECT_EQ(reader_.status().offset(), at);
    EXPECT_FALSE(reader_.close().ok());
  }
}

TEST_F(BlockAhead, AFailureThatNobodyReachesIsNone) {
  LostErrors lost;
  script_->fail_at = 10 * block;
  open();
  expect_bytes(9 * block + 1);
  EXPECT_EQ(script_->begun, 3u) << "the last one will fail";
  reader_ = Reader();
  EXPECT_EQ(script_->closes, 1u);
  EXPECT_TRUE(lost.take().empty());
}

TEST_F(BlockAhead, ASeekForgetsWhatWasReadAhead) {
  open();
  expect_bytes(9 * block + 100);
  ASSERT_FALSE(script_->under_way.empty());
  ASSERT_TRUE(reader_.seek(3 * block).ok());
  EXPECT_FALSE(script_->under_way.empty()) << "the seek waited";
  expect_bytes(100);
  for (std::size_t i = 0; i < script_->bytes.size(); ++i) script_->bytes[i] ^= 1;
  ASSERT_TRUE(reader_.seek(10 * block).ok());
  expect_bytes(left());
  EXPECT_GE(script_->begun, 4u) << "after a seek nothing is read ahead any more";
}

TEST_F(BlockAhead, ASeekWithinTheBlockKeepsWhatWasReadAhead) {
  open();
  expect_bytes(9 * block + 100);
  const std::size_t reads = script_->reads;
  ASSERT_TRUE(reader_.seek(9 * block + 1).ok());
  expect_bytes(4 * block);
  EXPECT_EQ(script_->reads, reads);
}

TEST_F(BlockAhead, AFileThatGrowsIsReadOn) {
  open();
  expect_bytes(left());
  EXPECT_EQ(reader_.get(), Reader::end);
  script_->bytes += pattern(script_->bytes.size(), 3 * block);
  ASSERT_TRUE(reader_.seek(reader_.position()).ok());
  expect_bytes(left());
}

TEST_F(BlockAhead, AFileThatEndsAtABlockEnds) {
  script_->bytes.resize(12 * block);
  open();
  expect_bytes(left());
  EXPECT_EQ(reader_.get(), Reader::end);
  EXPECT_TRUE(reader_.close().ok());
}

TEST_F(BlockAhead, HalfALineStaysBeforeTheBytesThatFollow) {
  for (const std::size_t line_bytes : {std::size_t{100}, std::size_t{3'000}, std::size_t{40'000}}) {
    reader_ = Reader();
    script_->closes = script_->begun = 0;
    std::replace(script_->bytes.begin(), script_->bytes.end(), '\n', ' ');
    for (std::size_t i = line_bytes; i < script_->bytes.size(); i += line_bytes + 1) {
      script_->bytes[i] = '\n';
    }
    open();
    std::uint64_t at = 0;
    for (std::string_view line; at < script_->bytes.size();) {
      ASSERT_TRUE(reader_.next_line(line));
      ASSERT_EQ(line, std::string_view(script_->bytes).substr(at, line_bytes)) << at;
      at += line_bytes + 1;
    }
    EXPECT_EQ(reader_.get(), Reader::end);
    EXPECT_TRUE(reader_.close().ok());
    if (line_bytes < 40'000) {
      EXPECT_GE(script_->begun, 11u);
    }
  }
}

TEST_F(BlockAhead, RecordsAreWholeAndAligned) {
  struct alignas(16) Record {
    std::uint64_t words[6];
  };
  // If the records begin at byte 1, no block begins where an aligned record could.
  for (const std::size_t begin : {0u, 1u}) {
    reader_ = Reader();
    script_->closes = script_->begun = 0;
    open();
    ASSERT_EQ(reader_.skip(begin), begin);
    std::string all;
    for (const std::span<const Record> some : reader_.records<Record>()) {
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(some.data()) % alignof(Record), 0u);
      all.append(reinterpret_cast<const char*>(some.data()), some.size_bytes());
    }
    EXPECT_TRUE(all == script_->bytes.substr(begin, all.size()));
    EXPECT_EQ(all.size(), (script_->bytes.size() - begin) / sizeof(Record) * sizeof(Record));
    EXPECT_EQ(reader_.status().code().value(), EBADMSG) << "the last record is not whole";
    EXPECT_GE(script_->begun, begin == 0 ? 11u : 1u);
  }
}

TEST_F(BlockAhead, AReadOfTheRestTakesWhatWasReadAhead) {
  open();
  expect_bytes(9 * block + 100);
  const std::size_t at = reader_.position();
  std::string rest;
  ASSERT_TRUE(reader_.read_rest(rest).ok());
  EXPECT_TRUE(rest == script_->bytes.substr(at));
  EXPECT_TRUE(reader_.close().ok());
  EXPECT_EQ(script_->given_bytes, script_->bytes.size()) << "some bytes were read twice";
}

TEST_F(BlockAhead, CloseWaitsForTheRead) {
  open();
  expect_bytes(9 * block + 100);
  ASSERT_FALSE(script_->under_way.empty());
  EXPECT_TRUE(reader_.close().ok());
  EXPECT_TRUE(script_->under_way.empty());
}

TEST_F(BlockAhead, TheDestructorAndAMoveKeepTheReadApart) {
  open();
  expect_bytes(9 * block + 100);
  ASSERT_FALSE(script_->under_way.empty());
  {
    Reader other = std::move(reader_);
    std::string into(3 * block, ' ');
    EXPECT_EQ(other.read(std::as_writable_bytes(std::span(into)).first(1'000)), 1'000u);
    EXPECT_EQ(into.substr(0, 1'000), script_->bytes.substr(9 * block + 100, 1'000));
  }
  EXPECT_TRUE(script_->under_way.empty());
}

}  // namespace
}  // namespace sluice::testing
