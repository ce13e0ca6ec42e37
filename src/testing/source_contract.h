// The contract test that every Source must pass. To run it over a Source of your own, derive from
// SourceUnderTest and instantiate SourceContract as in sink_contract.h. FailingSourceContract is
// for sources that give some bytes and then fail. Include this header in only one source file of a
// test program.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/source.h"
#include "testing/pattern.h"

namespace sluice::testing {

// A Source over the bytes that it was made with.
class SourceUnderTest {
 public:
  virtual ~SourceUnderTest() = default;
  virtual Source& source() = 0;
};

struct SourceCase {
  std::string name;
  std::function<std::unique_ptr<SourceUnderTest>(const std::string& bytes)> make;
  bool has_positions = true;
  bool has_size = true;

  // The same case for a Source without positions, without a size, or without both.
  SourceCase without_positions() const { return {name, make, false, has_size}; }
  SourceCase without_size() const { return {name, make, has_positions, false}; }
};

template <typename T, typename... Args>
SourceCase source_case(std::string name, Args... args) {
  return {std::move(name),
          [args...](const std::string& bytes) { return std::make_unique<T>(bytes, args...); }};
}

inline std::string name_of_source_case(const ::testing::TestParamInfo<SourceCase>& info) {
  return info.param.name;
}

inline void PrintTo(const SourceCase& source, std::ostream* out) { *out << source.name; }

class SourceContract : public ::testing::TestWithParam<SourceCase> {
 protected:
  void make(std::size_t bytes) {
    under_test_.reset();  // the settings of one Source end before the next begins
    bytes_ = pattern(0, bytes);
    under_test_ = GetParam().make(bytes_);
  }

  Source& source() { return under_test_->source(); }

  // Reads at most `bytes` bytes after the bytes that were read before.
  Status read(std::size_t bytes, std::size_t& got) {
    const char canary = '\x5a';
    room_.resize(bytes + 1);
    room_[bytes] = canary;
    got = bytes + 1;  // a value that no Source may leave there
    Status status = source().read(begin_ + read_bytes_.size(),
                                  {reinterpret_cast<std::byte*>(room_.data()), bytes}, got);
    if (!status.ok()) got = 0;  // after a failure `got` does not count
    EXPECT_LE(got, bytes);
    EXPECT_EQ(room_[bytes], canary) << "wrote past the end of the room that it got";
    got = std::min(got, bytes);
    read_bytes_.append(room_, 0, got);
    return status;
  }

  // Reads to the end in pieces of at most `bytes` bytes.
  Status read_all(std::size_t bytes) {
    for (;;) {
      std::size_t got = 0;
      Status status = read(bytes, got);
      if (!status.ok() || got == 0) return status;
    }
  }

  void expect_everything_read() {
    EXPECT_EQ(read_bytes_.size(), bytes_.size());
    EXPECT_TRUE(read_bytes_ == bytes_) << "the read bytes differ from the bytes of the Source";
  }

  // Seeks to `position` and reads to the end. A Source without positions reports this, and stays
  // where it is.
  void expect_seek_to(std::uint64_t position) {
    const Status status = source().seek(position);
    EXPECT_EQ(status.ok(), GetParam().has_positions) << status.message();
    if (!status.ok()) {
      EXPECT_EQ(status.operation(), Operation::seek);
      EXPECT_EQ(status.code().value(), ESPIPE) << status.message();
      EXPECT_EQ(status.path(), source().path());
      EXPECT_EQ(status.offset(), position);
      return;
    }
    begin_ = position;
    read_bytes_.clear();
    EXPECT_TRUE(read_all(100).ok());
    EXPECT_EQ(read_bytes_, bytes_.substr(std::min<std::uint64_t>(position, bytes_.size())));
  }

  std::string bytes_;
  std::uint64_t begin_ = 0;
  std::string read_bytes_;
  std::string room_;
  std::unique_ptr<SourceUnderTest> under_test_;
};

TEST_P(SourceContract, GivesTheBytesInOrder) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{4095},
                                  std::size_t{4096}, std::size_t{1'000'000}}) {
    make(piece == 1 ? 1'000 : 300'001);
    read_bytes_.clear();
    EXPECT_TRUE(read_all(piece).ok());
    expect_everything_read();
    EXPECT_TRUE(source().close().ok());
  }
}

TEST_P(SourceContract, StaysAtTheEnd) {
  make(10);
  EXPECT_TRUE(read_all(100).ok());
  expect_everything_read();
  for (int i = 0; i < 3; ++i) {
    std::size_t got = 0;
    EXPECT_TRUE(read(100, got).ok());
    EXPECT_EQ(got, 0u);
  }
  EXPECT_TRUE(source().close().ok());
}

TEST_P(SourceContract, GivesNoBytesForAnEmptyInput) {
  make(0);
  EXPECT_TRUE(read_all(100).ok());
  expect_everything_read();
  EXPECT_TRUE(source().close().ok());
}

TEST_P(SourceContract, GivesWayToDestructionHalfRead) {
  make(1'000);
  std::size_t got = 0;
  EXPECT_TRUE(read(10, got).ok());
  EXPECT_GT(got, 0u);
  under_test_.reset();
}

TEST_P(SourceContract, SeeksOrReportsThatItCannot) {
  make(1'000);
  for (const std::uint64_t position : {500u, 0u, 999u, 1'000u, 5'000u, 1u}) {
    expect_seek_to(position);
  }
  const bool has_positions = source().seek(0).ok();
  EXPECT_EQ(source().seek(0).ok(), has_positions);
  begin_ = 0;
  read_bytes_.clear();
  EXPECT_TRUE(read_all(100).ok());
  expect_everything_read();
  EXPECT_TRUE(source().close().ok());
}

TEST_P(SourceContract, ReadsAnywhereWithoutASeekIfItSaysSo) {
  make(1'000);
  if (!source().reads_anywhere()) return;
  EXPECT_TRUE(GetParam().has_positions);
  for (const std::uint64_t position : {500u, 0u, 999u, 1'000u, 5'000u, 1u}) {
    begin_ = position;
    read_bytes_.clear();
    EXPECT_TRUE(read_all(100).ok());
    EXPECT_EQ(read_bytes_, bytes_.substr(std::min<std::uint64_t>(position, bytes_.size())));
  }
}

TEST_P(SourceContract, KnowsItsSizeOrReportsThatItDoesNot) {
  make(1'000);
  std::uint64_t bytes = 0;
  const Status status = source().size(bytes);
  EXPECT_EQ(status.ok(), GetParam().has_size) << status.message();
  if (status.ok()) {
    EXPECT_EQ(bytes, 1'000u);
  } else {
    EXPECT_EQ(status.operation(), Operation::stat);
    EXPECT_EQ(status.code().value(), ESPIPE) << status.message();
    EXPECT_EQ(status.path(), source().path());
  }
  EXPECT_TRUE(read_all(100).ok());
  expect_everything_read();
}

TEST_P(SourceContract, HasAName) {
  make(1);
  EXPECT_FALSE(source().path().empty());
}

// For Sources that fail somewhere between the first and the last of 100,000 bytes.
class FailingSourceContract : public SourceContract {};

TEST_P(FailingSourceContract, SaysWhichByteCouldNotBeRead) {
  make(100'000);
  const Status status = read_all(1'000);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.operation(), Operation::read) << status.message();
  EXPECT_EQ(status.path(), source().path());
  EXPECT_EQ(status.offset(), read_bytes_.size()) << status.message();
  EXPECT_LT(read_bytes_.size(), bytes_.size());
  EXPECT_EQ(read_bytes_, bytes_.substr(0, read_bytes_.size()));
  EXPECT_TRUE(source().close().ok());
}

}  // namespace sluice::testing
