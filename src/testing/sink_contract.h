// The contract test that every Sink must pass. To run it over a Sink of your own:
//
//   class MySinkUnderTest : public sluice::testing::SinkUnderTest { ... };
//   INSTANTIATE_TEST_SUITE_P(MySink, SinkContract, ::testing::Values(
//       sink_case<MySinkUnderTest>("MySink")), sluice::testing::name_of_sink_case);
//
// Instantiate FailingSinkContract in the same way, with targets that refuse a byte sooner or later.
// Include this header in only one source file of a test program.
#pragma once

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/sink.h"
#include "testing/pattern.h"

namespace sluice::testing {

// A Sink and its target.
class SinkUnderTest {
 public:
  virtual ~SinkUnderTest() = default;
  virtual Sink& sink() = 0;
  virtual void destroy_sink() = 0;
  // The bytes that the Sink has added to the target, or has put in the place of the old bytes.
  // Called last, when the Sink is closed or destroyed.
  virtual std::string added_bytes() = 0;
  // True if a failure may name `path`: the Sink's own name, or the name of one of its targets.
  virtual bool is_named(std::string_view path) { return path == sink().path(); }
};

struct SinkCase {
  std::string name;
  std::function<std::unique_ptr<SinkUnderTest>()> make;
  bool has_positions = true;

  // The same case for a target that has no positions, such as a pipe.
  SinkCase without_positions() const { return {name, make, false}; }
};

template <typename T, typename... Args>
SinkCase sink_case(std::string name, Args... args) {
  return {std::move(name), [args...] { return std::make_unique<T>(args...); }};
}

inline std::string name_of_sink_case(const ::testing::TestParamInfo<SinkCase>& info) {
  return info.param.name;
}

inline void PrintTo(const SinkCase& sink, std::ostream* out) { *out << sink.name; }

inline BytesView as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

class SinkContract : public ::testing::TestWithParam<SinkCase> {
 protected:
  void SetUp() override {
    under_test_ = GetParam().make();
    position_ = sink().start_position();
  }

  Sink& sink() { return under_test_->sink(); }

  // Writes the pieces after the earlier ones, and adds the written bytes to written_bytes_.
  Status write(const std::vector<std::string>& pieces) {
    std::vector<BytesView> views;
    std::string all;
    for (const std::string& piece : pieces) {
      views.push_back(as_bytes(piece));
      all += piece;
    }
    std::size_t written = all.size() + 1;  // a value that no Sink may leave there
    Status status = sink().write(position_, views, written);
    EXPECT_LE(written, all.size());
    if (status.ok()) {
      EXPECT_EQ(written, all.size()) << "ok with bytes missing";
    } else {
      EXPECT_EQ(status.offset().value_or(position_ + written), position_ + written);
    }
    position_ += written;
    written_bytes_ += all.substr(0, written);
    return status;
  }

  std::string next_bytes(std::size_t count) const { return pattern(written_bytes_.size(), count); }

  // Ends the Sink as a Writer does.
  void publish_and_close() {
    EXPECT_TRUE(sink().publish().ok());
    EXPECT_TRUE(sink().close().ok());
  }

  void expect_no_positions(const Status& status, Operation operation, std::uint64_t position) {
    EXPECT_FALSE(GetParam().has_positions) << status.message();
    EXPECT_EQ(status.operation(), operation) << status.message();
    EXPECT_EQ(status.code().value(), ESPIPE) << status.message();
    EXPECT_EQ(status.path(), sink().path());
    EXPECT_EQ(status.offset(), position);
  }

  void expect_nothing_in_target() { EXPECT_EQ(under_test_->added_bytes(), ""); }

  void expect_everything_in_target() {
    EXPECT_TRUE(under_test_->added_bytes() == written_bytes_)
        << "the target does not hold the " << written_bytes_.size() << " bytes that were written";
  }

  std::unique_ptr<SinkUnderTest> under_test_;
  std::uint64_t position_ = 0;
  std::string written_bytes_;
};

TEST_P(SinkContract, WritesPiecesInOrder) {
  EXPECT_TRUE(write({"one", "", "two", "three"}).ok());
  EXPECT_TRUE(write({"four"}).ok());
  publish_and_close();
  EXPECT_EQ(written_bytes_, "onetwothreefour");
  expect_everything_in_target();
}

TEST_P(SinkContract, WritesNothingWhenGivenNothing) {
  EXPECT_TRUE(write({}).ok());
  EXPECT_TRUE(write({""}).ok());
  EXPECT_TRUE(write({"", "", ""}).ok());
  publish_and_close();
  expect_everything_in_target();
}

TEST_P(SinkContract, ContinuesWhereTheLastWriteEnded) {
  for (std::size_t bytes = 0; bytes < 300; ++bytes) {
    ASSERT_TRUE(write({next_bytes(bytes)}).ok()) << bytes;
  }
  publish_and_close();
  expect_everything_in_target();
}

TEST_P(SinkContract, WritesPiecesLargerThanAnyBufferBelow) {
  const std::string large = next_bytes(1'500'001);
  EXPECT_TRUE(write({"a", large, "b"}).ok());
  EXPECT_TRUE(write({large}).ok());
  publish_and_close();
  expect_everything_in_target();
}

TEST_P(SinkContract, TakesMorePiecesThanOneSystemCallDoes) {
  std::vector<std::string> pieces;
  for (int i = 0; i < 2'500; ++i) pieces.push_back(i % 7 == 0 ? "" : std::to_string(i));
  EXPECT_TRUE(write(pieces).ok());
  publish_and_close();
  expect_everything_in_target();
}

// A Sink without positions reports this, and goes on.
TEST_P(SinkContract, OverwritesBytesOrReportsThatItCannot) {
  EXPECT_TRUE(write({"one two three"}).ok());
  const std::uint64_t start = position_ - 13;
  std::size_t written = 99;
  const Status status = sink().write_at(start + 4, as_bytes("TWO"), written);
  if (status.ok()) {
    EXPECT_EQ(written, 3u);
    written_bytes_.replace(4, 3, "TWO");
  } else {
    expect_no_positions(status, Operation::write, start + 4);
    EXPECT_EQ(written, 0u);
  }
  EXPECT_TRUE(write({" four"}).ok());
  publish_and_close();
  expect_everything_in_target();
}

// A Writer uses these two calls to ask whether the Sink has positions.
TEST_P(SinkContract, AnswersWithoutAChangeWhetherItHasPositions) {
  EXPECT_TRUE(write({"one two"}).ok());
  const std::uint64_t there = position_ - 4;
  std::size_t written = 99;
  const Status asked = sink().write_at(there, {}, written);
  EXPECT_EQ(written, 0u);
  const Status sought = sink().seek(position_);
  EXPECT_EQ(asked.code(), sought.code());
  EXPECT_EQ(sink().write_at(position_ + 10, {}, written).code(), asked.code());
  if (!asked.ok()) {
    expect_no_positions(asked, Operation::write, there);
    expect_no_positions(sought, Operation::seek, position_);
  }
  EXPECT_TRUE(write({" three"}).ok());
  publish_and_close();
  expect_everything_in_target();
}

TEST_P(SinkContract, SeeksOrReportsThatItCannot) {
  EXPECT_TRUE(write({"one two three"}).ok());
  const std::uint64_t start = position_ - 13;
  const Status status = sink().seek(start + 4);
  if (status.ok()) {
    EXPECT_TRUE(GetParam().has_positions);
    position_ = start + 4;
    written_bytes_.resize(4);
    EXPECT_TRUE(write({"TWO"}).ok());
    written_bytes_ += " three";
    EXPECT_TRUE(sink().seek(start + 13).ok());
    position_ = start + 13;
  } else {
    expect_no_positions(status, Operation::seek, start + 4);
  }
  EXPECT_TRUE(write({" four"}).ok());
  publish_and_close();
  expect_everything_in_target();
}

TEST_P(SinkContract, SeeksToTheLargestPositionOrReportsThatItCannot) {
  EXPECT_TRUE(write({"one"}).ok());
  const std::uint64_t largest = INT64_MAX;
  const Status status = sink().seek(largest);
  if (status.ok()) {
    EXPECT_TRUE(sink().seek(position_).ok());
  } else if (status.code().value() != EFBIG) {
    expect_no_positions(status, Operation::seek, largest);
  }
  EXPECT_TRUE(write({"two"}).ok());
  publish_and_close();
  expect_everything_in_target();
}

TEST_P(SinkContract, FillsSkippedBytesWithZeros) {
  EXPECT_TRUE(write({"one"}).ok());
  if (!sink().seek(position_ + 5).ok()) return;
  written_bytes_ += std::string(5, '\0');
  position_ += 5;
  EXPECT_TRUE(write({"two"}).ok());
  publish_and_close();
  expect_everything_in_target();
}

TEST_P(SinkContract, HoldsNothingBackUnlessItIsStaged) {
  const bool is_staged = sink().is_staged();
  EXPECT_TRUE(write({"visible without close"}).ok());
  under_test_->destroy_sink();
  is_staged ? expect_nothing_in_target() : expect_everything_in_target();
}

TEST_P(SinkContract, LeavesTheTargetAsItWasWhenItIsStagedAndNotPublished) {
  if (!sink().is_staged()) return;
  EXPECT_TRUE(write({"some bytes"}).ok());
  EXPECT_TRUE(sink().sync().ok());
  EXPECT_TRUE(sink().close().ok());
  expect_nothing_in_target();
}

TEST_P(SinkContract, KeepsPublishedBytesWhenItIsDestroyedWithoutClose) {
  EXPECT_TRUE(write({"some bytes"}).ok());
  EXPECT_TRUE(sink().publish().ok());
  under_test_->destroy_sink();
  expect_everything_in_target();
}

TEST_P(SinkContract, LeavesTheBytesAloneWhenAskedToSync) {
  EXPECT_TRUE(write({"some bytes"}).ok());
  if (Status status = sink().sync(); !status.ok()) {
    EXPECT_EQ(status.operation(), Operation::sync) << status.message();
    EXPECT_TRUE(under_test_->is_named(status.path())) << status.message();
  }
  publish_and_close();
  expect_everything_in_target();
}

TEST_P(SinkContract, HasANameAndFixedWishes) {
  EXPECT_FALSE(sink().path().empty());
  const bool wants_lines = sink().wants_lines();
  const bool allows_write_behind = sink().allows_write_behind();
  const bool is_staged = sink().is_staged();
  EXPECT_TRUE(write({"line\n"}).ok());
  EXPECT_EQ(sink().wants_lines(), wants_lines);
  EXPECT_EQ(sink().allows_write_behind(), allows_write_behind);
  EXPECT_EQ(sink().is_staged(), is_staged);
}

// For Sinks whose target refuses a byte before a megabyte is written.
class FailingSinkContract : public SinkContract {};

TEST_P(FailingSinkContract, SaysHowManyBytesReachedTheTarget) {
  Status status;
  while (status.ok() && written_bytes_.size() < 1'000'000) {
    status = write({next_bytes(100), next_bytes(1'000), next_bytes(7)});
  }
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.operation(), Operation::write) << status.message();
  EXPECT_TRUE(under_test_->is_named(status.path())) << status.message();
  EXPECT_NE(status.code().value(), 0);
  const bool is_staged = sink().is_staged();
  static_cast<void>(sink().close());
  is_staged ? expect_nothing_in_target() : expect_everything_in_target();
}

}  // namespace sluice::testing
