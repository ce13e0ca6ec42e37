// Result: a value or a failure, and the functions that return a Result.
#include "sluice/result.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "testing/scarce_memory.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

Status some_failure() { return Status::failure(Operation::read, "file", EIO, 7); }

// A value that can only be moved.
using Owned = std::unique_ptr<int>;

TEST(Result, HoldsAValue) {
  Result<std::string> result = std::string("value");
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_TRUE(result.status().ok());
  EXPECT_EQ(*result, "value");
  EXPECT_EQ(result.value(), "value");
  EXPECT_EQ(result->size(), 5u);
  result->push_back('s');
  EXPECT_EQ(std::as_const(result).value(), "values");
  EXPECT_EQ(*std::as_const(result), "values");
  EXPECT_EQ(std::as_const(result)->size(), 6u);
  EXPECT_EQ(result.value_or("other"), "values");
}

TEST(Result, HoldsAFailure) {
  const Result<int> result = some_failure();
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.status().message(), "read file at byte 7: Input/output error");
  EXPECT_EQ(result.value_or(5), 5);
}

TEST(Result, GivesAwayAValueThatCanOnlyBeMoved) {
  Result<Owned> result = std::make_unique<int>(5);
  Result<Owned> moved = std::move(result);
  const Owned taken = *std::move(moved);
  EXPECT_EQ(*taken, 5);
  EXPECT_EQ(*Result<Owned>(std::make_unique<int>(6)).value(), 6);
  EXPECT_EQ(*Result<Owned>(std::make_unique<int>(7)).value_or(nullptr), 7);
  EXPECT_EQ(Result<Owned>(some_failure()).value_or(nullptr), nullptr);
}

TEST(Result, ThrowsTheWholeStatusOfAFailure) {
  Result<Owned> result = some_failure();
  try {
    static_cast<void>(result.value());
    FAIL() << "nothing was thrown";
  } catch (const StatusError& error) {
    EXPECT_EQ(error.status().message(), some_failure().message());
    EXPECT_EQ(error.status().offset(), 7u);
    EXPECT_EQ(error.status().path(), "file");
    EXPECT_EQ(std::string(error.what()), some_failure().message());
    EXPECT_EQ(error.code().value(), EIO);
  }
  EXPECT_THROW(static_cast<void>(std::move(result).value()), std::system_error);
  EXPECT_THROW(static_cast<void>(std::as_const(result).value()), StatusError);
}

// A Result that is made from an ok Status would have neither a value nor a failure.
TEST(Result, MakesAFailureOfAnOkStatus) {
  const Result<int> result = Status();
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.status().code().value(), EINVAL);
}

TEST(Result, CannotBeTakenForItsValue) {
  static_assert(!std::is_convertible_v<Result<bool>, bool>);
  static_assert(!std::is_convertible_v<Result<int>, int>);
}

class ResultOfFile : public ::testing::Test {
 protected:
  ScratchDirectory directory_;
  const std::string path_ = directory_.file("file");
  const std::string missing_ = directory_.file("missing");
  const std::string message_ = "open " + missing_ + ": No such file or directory";
};

TEST_F(ResultOfFile, HasTheBytes) {
  make_file(path_, "some bytes");
  EXPECT_EQ(read_text(path_).value(), "some bytes");
  EXPECT_EQ(read_bytes(path_).value().text(), "some bytes");
  EXPECT_EQ(size_of_file(path_).value(), 10u);
  const BytesView mapped = mapped_file(path_).value().bytes();
  EXPECT_EQ(mapped.size(), 10u);
  std::array<std::byte, 20> into;
  EXPECT_EQ(read_bytes_into(path_, into).value(), 10u);
  const int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(size_of_file(descriptor).value(), 10u);
  ::close(descriptor);
}

TEST_F(ResultOfFile, HasTheFailure) {
  EXPECT_EQ(read_text(missing_).status().message(), message_);
  EXPECT_EQ(read_bytes(missing_).status().message(), message_);
  EXPECT_EQ(mapped_file(missing_).status().message(), message_);
  EXPECT_EQ(open_reader(missing_).status().message(), message_);
  EXPECT_EQ(open_writer(missing_, {.create = CreateMode::existing}).status().message(), message_);
  EXPECT_EQ(size_of_file(missing_).status().code().value(), ENOENT);
  EXPECT_EQ(size_of_file(-1).status().code().value(), EBADF);
  make_file(path_, "some bytes");
  std::array<std::byte, 5> into;
  EXPECT_EQ(read_bytes_into(path_, into).status().code().value(), EFBIG);
}

TEST_F(ResultOfFile, OpensAndCopies) {
  make_file(path_, "some bytes");
  {
    Reader reader = open_reader(path_).value();
    Writer writer = open_writer(missing_).value();
    EXPECT_EQ(copy_bytes(reader, writer, 4).value(), 4u);
    EXPECT_EQ(copy_bytes(reader, writer).value(), 6u);
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(copy_bytes(reader, writer).status().code().value(), EBADF);
  }
  EXPECT_EQ(contents_of(missing_), "some bytes");
}

TEST_F(ResultOfFile, IsAFailureWithoutMemory) {
  make_file(path_, std::string(100'000, 'x'));
  bool ran_out = true;
  for (std::size_t nth = 1; ran_out; ++nth) {
    ScarceMemory memory(nth, ScarceMemory::Lasting::for_ever);
    const Result<std::string> text = memory.in([&] { return read_text(path_); });
    ran_out = memory.ran_out();
    EXPECT_EQ(text.status().code().value(), text.ok() ? 0 : ENOMEM);
    ASSERT_LT(nth, 100u);
  }
}

template <typename R>
concept GivesLines = requires(R reader) {
  static_cast<R>(reader).lines();
};
template <typename R>
concept GivesRecords = requires(R reader) {
  static_cast<R>(reader).template records<int>();
};
template <typename R>
concept GivesLinesOfValue = requires(R result) {
  static_cast<R>(result)->lines();
};

// The range would outlive its Reader.
TEST(Reader, GivesNoRangeIfItIsATemporary) {
  static_assert(GivesLines<Reader&> && !GivesLines<Reader&&>);
  static_assert(GivesRecords<Reader&> && !GivesRecords<Reader&&>);
  static_assert(GivesLinesOfValue<Result<Reader>&> && !GivesLinesOfValue<Result<Reader>&&>);
}

}  // namespace
}  // namespace sluice::testing
