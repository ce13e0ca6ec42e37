// copy(): every byte is copied once, both positions are right, and a failure names the side that
// failed.
#include "sluice/copy.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <string>

#include "testing/faulty_source.h"
#include "testing/pattern.h"
#include "testing/recording_sink.h"

namespace sluice::testing {
namespace {

class Copy : public ::testing::Test {
 protected:
  void open(std::size_t bytes, const WriterOptions& options = {}) {
    script_->bytes = pattern(0, bytes);
    ASSERT_TRUE(reader_.open(std::make_unique<FaultySource>(script_)).ok());
    recording_->allows_write_behind = false;
    ASSERT_TRUE(writer_.open(std::make_unique<RecordingSink>(recording_), options).ok());
  }

  std::shared_ptr<SourceScript> script_ = std::make_shared<SourceScript>();
  std::shared_ptr<Recording> recording_ = std::make_shared<Recording>();
  Reader reader_;
  Writer writer_;
  std::uint64_t copied_ = 99;
};

TEST_F(Copy, PassesOnAllRemainingBytes) {
  for (const std::size_t bytes : {0u, 1u, 16'384u, 1'000'001u}) {
    for (const std::size_t most : {std::size_t{777}, SIZE_MAX}) {
      if (bytes > 100'000 && most == 777) continue;
      Copy::reader_ = Reader();
      Copy::writer_ = Writer();
      *script_ = SourceScript();
      recording_ = std::make_shared<Recording>();
      script_->max_bytes_per_read = most;
      open(bytes);
      EXPECT_TRUE(copy(reader_, writer_, UINT64_MAX, copied_).ok());
      EXPECT_EQ(copied_, bytes);
      EXPECT_EQ(reader_.position(), bytes);
      EXPECT_EQ(writer_.position(), bytes);
      EXPECT_TRUE(writer_.close().ok());
      EXPECT_TRUE(recording_->bytes() == script_->bytes);
    }
  }
}

TEST_F(Copy, PassesOnTheGivenNumberOfBytes) {
  open(1'000'000);
  reader_.skip(10);
  writer_.write("before");
  EXPECT_TRUE(copy(reader_, writer_, 300'000, copied_).ok());
  EXPECT_EQ(copied_, 300'000u);
  EXPECT_EQ(reader_.position(), 300'010u);
  EXPECT_EQ(writer_.position(), 300'006u);
  EXPECT_TRUE(copy(reader_, writer_, 0, copied_).ok());
  EXPECT_EQ(copied_, 0u);
  EXPECT_EQ(reader_.get(), static_cast<unsigned char>(script_->bytes[300'010]));
  EXPECT_TRUE(copy(reader_, writer_, 5).ok());
  EXPECT_TRUE(writer_.close().ok());
  EXPECT_TRUE(recording_->bytes() ==
              "before" + script_->bytes.substr(10, 300'000) + script_->bytes.substr(300'011, 5));
}

TEST_F(Copy, TakesFewerBytesForTheEnd) {
  open(1'000);
  EXPECT_TRUE(copy(reader_, writer_, 5'000, copied_).ok());
  EXPECT_EQ(copied_, 1'000u);
  EXPECT_TRUE(copy(reader_, writer_, 5'000, copied_).ok());
  EXPECT_EQ(copied_, 0u);
}

TEST_F(Copy, ReadsNothingForACopyOfZeroBytes) {
  open(1'000);
  EXPECT_TRUE(copy(reader_, writer_, 0).ok());
  EXPECT_EQ(script_->reads, 0u);
}

// The second piece of each write is the Reader's own block, because the Writer has no pending
// bytes.
TEST_F(Copy, HandsTheBlocksOfTheReaderToTheSink) {
  constexpr std::size_t block = 256 * 1024;
  open(8 * block);
  EXPECT_TRUE(copy(reader_, writer_).ok());
  EXPECT_TRUE(writer_.close().ok());
  std::uint64_t straight = 0;
  for (const SinkCall& call : recording_->writes()) straight += call.piece_bytes.at(1);
  EXPECT_GE(straight, 7 * block);
  EXPECT_LE(recording_->writes().size(), 12u);
}

TEST_F(Copy, SaysThatReadingHasFailed) {
  script_->fail_at = 123'456;
  open(1'000'000);
  const Status status = copy(reader_, writer_, UINT64_MAX, copied_);
  EXPECT_EQ(status.message(), "read (script) at byte 123456: Input/output error");
  EXPECT_EQ(copied_, 123'456u);
  EXPECT_EQ(reader_.position(), 123'456u);
  EXPECT_TRUE(writer_.status().ok());
  EXPECT_TRUE(writer_.close().ok());
  EXPECT_TRUE(recording_->bytes() == script_->bytes.substr(0, 123'456));
}

TEST_F(Copy, SaysThatWritingHasFailed) {
  recording_->fail_at = 123'456;
  open(1'000'000);
  const Status status = copy(reader_, writer_, UINT64_MAX, copied_);
  EXPECT_EQ(status.message(), "write (recording) at byte 123456: No space left on device");
  EXPECT_EQ(writer_.position(), 123'456u);
  EXPECT_TRUE(reader_.status().ok());
  EXPECT_EQ(reader_.position(), copied_) << "bytes that the Writer refused must be readable again";
  EXPECT_EQ(reader_.get(), static_cast<unsigned char>(script_->bytes[copied_]));
  static_cast<void>(writer_.close());
}

// A program that goes on with another Writer must write no byte twice, and leave none out.
TEST_F(Copy, GoesOnAfterTheBytesThatAFailedWriterHasWritten) {
  for (const std::size_t fail_at : {1u, 65'536u, 81'920u, 262'144u, 299'999u}) {
    SCOPED_TRACE(fail_at);
    Copy::reader_ = Reader();
    Copy::writer_ = Writer();
    *script_ = SourceScript();
    recording_ = std::make_shared<Recording>();
    recording_->fail_at = fail_at;
    open(300'000);
    EXPECT_FALSE(copy(reader_, writer_, UINT64_MAX, copied_).ok() && writer_.flush().ok());
    EXPECT_EQ(writer_.position(), fail_at);
    EXPECT_EQ(reader_.position(), copied_);
    EXPECT_GE(copied_, fail_at) << "the next Writer would write these bytes a second time";
    static_cast<void>(writer_.close());
  }
}

// The Writer writes the whole of a large piece, or fails within it.
TEST_F(Copy, CountsTheWrittenBytesOfThePieceThatFailed) {
  recording_->fail_at = 81'920;
  open(300'000);
  EXPECT_FALSE(copy(reader_, writer_, UINT64_MAX, copied_).ok());
#ifdef __GLIBC__  // on Windows the Writer first puts a piece into the block if the block has room
  EXPECT_EQ(copied_, 81'920u);
#endif
  EXPECT_EQ(reader_.position(), copied_);
  EXPECT_EQ(reader_.get(), static_cast<unsigned char>(script_->bytes[copied_]));
  static_cast<void>(writer_.close());
}

TEST_F(Copy, RefusesAReaderOrWriterThatIsNotOpen) {
  EXPECT_EQ(copy(reader_, writer_, 1, copied_).code().value(), EBADF);
  EXPECT_EQ(copied_, 0u);
  open(1'000);
  Writer closed;
  Status status = copy(reader_, closed, 1);
  EXPECT_EQ(status.operation(), Operation::write);
  EXPECT_EQ(status.code().value(), EBADF);
  EXPECT_EQ(reader_.position(), 0u);
  EXPECT_TRUE(reader_.close().ok());
  status = copy(reader_, writer_);
  EXPECT_EQ(status.operation(), Operation::read);
  EXPECT_EQ(status.code().value(), EBADF);
}

TEST_F(Copy, OfZeroBytesFindsTheFailureOfTheWriter) {
  open(0);
  EXPECT_TRUE(writer_.close().ok());
  EXPECT_EQ(copy(reader_, writer_).code().value(), EBADF);
}

}  // namespace
}  // namespace sluice::testing
