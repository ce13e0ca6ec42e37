// Status: the description of a failure.
#include "sluice/status.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <type_traits>

#include "testing/allocation_counter.h"
#include "testing/scarce_memory.h"

namespace sluice::testing {
namespace {

TEST(Status, SaysOperationPathOffsetAndReason) {
  const Status status = Status::failure(Operation::write, "/data/run.bin", ENOSPC, 1'048'576);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.operation(), Operation::write);
  EXPECT_EQ(status.path(), "/data/run.bin");
  EXPECT_EQ(status.offset(), 1'048'576u);
  EXPECT_EQ(status.code().value(), ENOSPC);
  EXPECT_EQ(status.message(), "write /data/run.bin at byte 1048576: No space left on device");
}

TEST(Status, LeavesOutAMissingOffset) {
  const Status status = Status::failure(Operation::open, "missing", ENOENT);
  EXPECT_EQ(status.offset(), std::nullopt);
  EXPECT_EQ(status.message(), "open missing: No such file or directory");
  EXPECT_EQ(Status::failure(Operation::read, "f", EIO, 0).message(),
            "read f at byte 0: Input/output error");
}

TEST(Status, GivesTheReasonInPlaceOfTheCodesText) {
  const Status status =
      Status::failure(Operation::open, "f", EINVAL, std::nullopt, "option block_bytes is 0");
  EXPECT_EQ(status.message(), "open f: option block_bytes is 0");
  EXPECT_EQ(status.code().value(), EINVAL);
}

TEST(Status, IsOkByDefault) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.operation(), Operation::open);
  EXPECT_EQ(status.path(), "");
  EXPECT_EQ(status.offset(), std::nullopt);
  EXPECT_FALSE(status.code()) << "no error";
  EXPECT_EQ(status.message(), "ok");
}

TEST(Status, ComparesWithTheStandardErrors) {
  const Status status = Status::failure(Operation::write, "f", ENOSPC);
  EXPECT_EQ(status.code(), std::errc::no_space_on_device);
  EXPECT_NE(status.code(), std::errc::io_error);
}

TEST(Status, OutlivesTheTextsItWasMadeFrom) {
  Status status;
  {
    const std::string path = "a path that is longer than any small string";
    status = Status::failure(Operation::read, path, EIO, 3, "a reason as long as the path is");
  }
  const Status copy = status;
  status = Status();
  EXPECT_EQ(copy.message(),
            "read a path that is longer than any small string at byte 3: "
            "a reason as long as the path is");
}

TEST(Status, CostsNothingWhenOk) {
  const std::size_t before = allocations_by_new();
  {
    Status status;
    const Status copy = status;
    status = copy;
    EXPECT_TRUE(status.ok());
  }
  EXPECT_EQ(allocations_by_new(), before);
  static_assert(std::is_nothrow_default_constructible_v<Status>);
}

TEST(Status, KeepsTheCodeWithoutMemoryForTheText) {
  for (const std::size_t nth : {1u, 2u, 3u}) {
    ScarceMemory memory(nth, ScarceMemory::Lasting::once);
    const Status status = memory.in([] {
      return Status::failure(Operation::write, "a path that is longer than any small string",
                             ENOSPC, 7, "a reason that is longer than any small string");
    });
    EXPECT_TRUE(memory.ran_out());
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(status.code(), std::errc::no_space_on_device);
    EXPECT_EQ(status.offset(), 7u);
    EXPECT_EQ(status.path(), "");
    EXPECT_EQ(status.message(),
              "write (no memory for the path) at byte 7: No space left on device");
    EXPECT_EQ(status.at(8).offset(), 8u);
  }
}

TEST(Status, MovesToAnotherOffsetWithoutMemory) {
  const Status status = Status::failure(Operation::write, "f", ENOSPC, 7, "a reason");
  ScarceMemory memory(1, ScarceMemory::Lasting::for_ever);
  const Status moved = memory.in([&] { return status.at(8); });
  EXPECT_EQ(moved.message(), "write f at byte 8: a reason");
  EXPECT_EQ(status.message(), "write f at byte 7: a reason");
  EXPECT_EQ(Status().at(8).message(), "ok");
}

TEST(Status, ThrowsOnRequest) {
  EXPECT_NO_THROW(Status().throw_if_error());
  try {
    Status::failure(Operation::write, "f", ENOSPC, 7).throw_if_error();
    FAIL() << "nothing was thrown";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_space_on_device);
    EXPECT_STREQ(error.what(), "write f at byte 7: No space left on device");
  }
}

TEST(Status, HasAWordForEveryOperation) {
  const std::pair<Operation, const char*> words[] = {
      {Operation::open, "open"},       {Operation::read, "read"},
      {Operation::write, "write"},     {Operation::sync, "sync"},
      {Operation::close, "close"},     {Operation::stat, "stat"},
      {Operation::map, "map"},         {Operation::allocate, "allocate"},
      {Operation::flush, "flush"},     {Operation::remove, "remove"},
      {Operation::replace, "replace"}, {Operation::sync_directory, "sync directory"},
      {Operation::discard, "discard"}, {Operation::seek, "seek"}};
  for (const auto& [operation, word] : words) {
    EXPECT_EQ(to_string(operation), word);
    EXPECT_EQ(Status::failure(operation, "f", EIO).message(),
              std::string(word) + " f: Input/output error");
  }
}

TEST(Status, NamesASecondFailureToo) {
  const Status first = Status::failure(Operation::write, "file", ENOSPC, 7);
  const Status second = Status::failure(Operation::close, "file", EIO, std::nullopt, "it is late");
  EXPECT_EQ(first.also(second).message(),
            "write file at byte 7: No space left on device; close file: it is late");
  EXPECT_EQ(second.also(first).message(),
            "close file: it is late; write file at byte 7: No space left on device");
  EXPECT_EQ(first.also(second).code().value(), ENOSPC);
  EXPECT_EQ(first.also(second).offset(), 7u);
  EXPECT_EQ(first.also({}).message(), first.message());
  EXPECT_EQ(Status().also(second).message(), second.message());
  EXPECT_TRUE(Status().also({}).ok());
}

TEST(Status, TellsOfTheSameFailureOnce) {
  const Status failure = Status::failure(Operation::write, "file", EIO, 5, "reason");
  EXPECT_EQ(failure.also(failure).message(), failure.message());
  EXPECT_EQ(failure.also(Status::failure(Operation::write, "file", EIO, 5, "reason")).message(),
            failure.message());
  for (const Status& other : {Status::failure(Operation::close, "file", EIO, 5, "reason"),
                              Status::failure(Operation::write, "other", EIO, 5, "reason"),
                              Status::failure(Operation::write, "file", ENOSPC, 5, "reason"),
                              Status::failure(Operation::write, "file", EIO, 6, "reason"),
                              Status::failure(Operation::write, "file", EIO, 5, "other")}) {
    EXPECT_EQ(failure.also(other).message(), failure.message() + "; " + other.message());
    EXPECT_EQ(failure.also(other).also(other).message(), failure.also(other).message());
  }
}

}  // namespace
}  // namespace sluice::testing
