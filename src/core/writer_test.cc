// The Writer as a user sees it: the bytes that it accepts, their positions, and the results of
// close() and the destructor.
#include "sluice/writer.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "os/platform.h"
#include "sluice/lost_error.h"
#include "testing/faulty_system_calls.h"
#include "testing/lost_errors.h"
#include "testing/pattern.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

TEST(Writer, WritesBytesInOrder) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  Writer writer;
  ASSERT_TRUE(writer.open(path).ok());
  const std::array<std::byte, 3> bytes = {std::byte{'b'}, std::byte{'y'}, std::byte{'t'}};
  EXPECT_TRUE(writer.put('a'));
  EXPECT_TRUE(writer.put(std::byte{0}));
  EXPECT_TRUE(writer.write(bytes));
  EXPECT_TRUE(writer.write("literal"));
  EXPECT_TRUE(writer.write(std::string("string")));
  EXPECT_TRUE(writer.write(std::string_view("view\0more", 9)));
  EXPECT_TRUE(writer.write("pointer and size", 7));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path), std::string("a\0bytliteralstringview\0morepointer", 34));
}

TEST(Writer, WritesValuesAsTheyLieInMemory) {
  struct Point {
    std::int32_t x;
    double y;
  };
  const std::array<Point, 2> points = {{{1, 2.5}, {-3, 4.5}}};
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  EXPECT_TRUE(writer.write_value(std::uint16_t{0x1234}));
  EXPECT_TRUE(writer.write_value(points));
  EXPECT_TRUE(writer.write_value(2.5));
  EXPECT_TRUE(writer.write_value('c'));
  EXPECT_TRUE(writer.close().ok());

  const std::uint16_t number = 0x1234;
  const double real = 2.5;
  std::string expected(reinterpret_cast<const char*>(&number), sizeof number);
  expected.append(reinterpret_cast<const char*>(points.data()), sizeof points);
  expected.append(reinterpret_cast<const char*>(&real), sizeof real);
  expected += 'c';
  EXPECT_EQ(target, expected);
}

TEST(Writer, MakesAnEmptyFileWhenNothingIsWritten) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  make_file(path, "old");
  Writer writer;
  ASSERT_TRUE(writer.open(path).ok());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path), "");
}

TEST(Writer, GivesRoomToBuildIn) {
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(target), {.block_bytes = 16}).ok());
  EXPECT_TRUE(writer.write("0123456789"));
  MutableBytesView room = writer.reserve(10);
  ASSERT_EQ(room.size(), 10u);
  for (std::byte& byte : room) byte = std::byte{'x'};
  writer.commit(4);
  writer.commit(0);
  EXPECT_EQ(writer.position(), 14u);
  EXPECT_EQ(writer.reserve(16).size(), 16u);
  EXPECT_TRUE(writer.reserve(17).empty()) << "more than a block";
  EXPECT_TRUE(writer.status().ok()) << "asking for too much is no failure";
  EXPECT_TRUE(writer.write("end"));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(target, "0123456789xxxxend");
}

TEST(Writer, KnowsItsPosition) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  make_file(path, "12345");
  Writer writer;
  EXPECT_EQ(writer.position(), 0u);
  ASSERT_TRUE(writer.open(path, {.create = CreateMode::append, .block_bytes = 4}).ok());
  EXPECT_EQ(writer.position(), 5u);
  EXPECT_TRUE(writer.write("abc"));
  EXPECT_EQ(writer.position(), 8u);
  EXPECT_TRUE(writer.write("defghijk"));
  EXPECT_EQ(writer.position(), 16u);
  EXPECT_TRUE(writer.put('l'));
  EXPECT_EQ(writer.position(), 17u);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(writer.position(), 17u) << "close() must keep the position";
  EXPECT_EQ(contents_of(path), "12345abcdefghijkl");
}

TEST(Writer, MakesBytesVisibleWithFlush) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  for (const WriteBehind write_behind : {WriteBehind::off, WriteBehind::on}) {
    Writer writer;
    ASSERT_TRUE(writer.open(path, {.write_behind = write_behind, .block_bytes = 4}).ok());
    EXPECT_TRUE(writer.write("0123456789"));
    EXPECT_TRUE(writer.put('a'));
    EXPECT_TRUE(writer.flush().ok());
    EXPECT_EQ(contents_of(path), "0123456789a");
    EXPECT_TRUE(writer.flush().ok()) << "with nothing to flush";
    EXPECT_TRUE(writer.put('b'));
    EXPECT_TRUE(writer.flush(FlushTo::os).ok());
    EXPECT_EQ(contents_of(path), "0123456789ab");
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(contents_of(path), "0123456789ab");
  }
}

TEST(Writer, WritesAtItsOwnPositionsThoughOthersChangeTheFile) {
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  Writer writer;
  ASSERT_TRUE(writer.open(path, {.block_bytes = 4}).ok());
  EXPECT_TRUE(writer.write("0123"));
  EXPECT_TRUE(writer.flush().ok());
  make_file(path, "01234567-");  // another program writes
  EXPECT_TRUE(writer.write("abcd"));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path), "0123abcd-");
}

TEST(Writer, ClosesOnceAndSaysTheSameTwice) {
  const ScratchDirectory directory;
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(writer.open(directory.file("out")).ok());
  EXPECT_TRUE(writer.is_open());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_FALSE(writer.is_open());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(calls.count(Call::close), 1u);
}

TEST(Writer, SaysTheSameFailureAtEveryClose) {
  const ScratchDirectory directory;
  for (const int error : {EIO, EINTR, ENOSPC, EFBIG}) {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    calls.fail(Call::close, 1, error);
    Writer writer;
    ASSERT_TRUE(writer.open(directory.file("out")).ok());
    EXPECT_TRUE(writer.write("bytes"));
    const Status first = writer.close();
    // After EINTR the descriptor is released and the system has the bytes. Both results are right.
    if (error != EINTR) {
      ASSERT_FALSE(first.ok());
      EXPECT_EQ(first.operation(), Operation::close);
      EXPECT_EQ(first.code().value(), error);
      EXPECT_EQ(first.path(), directory.file("out"));
    }
    EXPECT_EQ(writer.close().message(), first.message());
    EXPECT_EQ(writer.status().message(), first.message());
    EXPECT_EQ(calls.count(Call::close), 1u) << "close(2) must never be called twice";
  }
}

TEST(Writer, AcceptsNothingOnceClosed) {
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  EXPECT_TRUE(writer.write("before"));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_TRUE(writer.status().ok());
  EXPECT_FALSE(writer.put('x'));
  EXPECT_EQ(writer.status().code().value(), EBADF) << "refused bytes must be reported";
  EXPECT_EQ(writer.status().offset(), 6u);
  EXPECT_FALSE(writer.write("after"));
  EXPECT_TRUE(writer.reserve(1).empty());
  EXPECT_FALSE(writer.flush().ok());
  EXPECT_TRUE(writer.close().ok()) << "the accepted bytes are at their positions";
  EXPECT_EQ(target, "before");
}

TEST(Writer, WritesTheElementsThatASpanPointsTo) {
  const std::vector<double> values = {1.5, -2.25, 1e300};
  const std::array<std::uint16_t, 3> numbers = {1, 2, 3};
  const std::string_view as_bytes(reinterpret_cast<const char*>(values.data()), 3 * sizeof(double));
  std::string target;
  Writer writer;
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  EXPECT_TRUE(writer.write_values(std::span<const double>(values)));
  EXPECT_TRUE(writer.write_values(values));
  EXPECT_TRUE(writer.write_values(numbers));
  EXPECT_TRUE(writer.write_values(std::u8string_view(u8"text")));
  EXPECT_TRUE(writer.write_values(std::span<const double>()));
  EXPECT_TRUE(writer.close().ok());
  const std::string expected = std::string(as_bytes) + std::string(as_bytes) +
                               std::string(reinterpret_cast<const char*>(numbers.data()), 6) +
                               "text";
  EXPECT_EQ(target, expected);
}

template <typename T>
concept CanWrite = requires(Writer writer, T value) {
  writer.write(value);
};
template <typename T>
concept CanWriteValue = requires(Writer writer, T value) {
  writer.write_value(value);
};
template <typename T>
concept CanWriteValues = requires(Writer writer, T values) {
  writer.write_values(values);
};

// Bytes and text can be written. A type that could be either, or is neither, does not compile.
TEST(Writer, DoesNotCompileForArgumentsThatAreNeitherBytesNorText) {
  struct HoldsText {
    std::string_view text;
  };
  const auto lambda = [] { return 1; };
  static_assert(CanWrite<const char*> && CanWrite<std::string> && CanWrite<std::string_view>);
  static_assert(CanWrite<const char(&)[4]> && CanWrite<Bytes&> && CanWrite<BytesView>);
  static_assert(CanWrite<std::vector<std::byte>> && CanWrite<std::array<std::byte, 3>>);
  static_assert(!CanWrite<int> && !CanWrite<char> && !CanWrite<double> && !CanWrite<bool>);
  static_assert(!CanWrite<std::nullptr_t> && !CanWrite<char(&)[16]> && !CanWrite<HoldsText>);
  static_assert(!CanWrite<std::vector<int>> && !CanWrite<std::vector<std::string_view>>);
  static_assert(!CanWrite<std::array<char, 16>> && !CanWrite<decltype(lambda)>);
  static_assert(!CanWrite<int*> && !CanWrite<std::span<const double>>);
}

TEST(Writer, WritesNoAddressesAsValues) {
  struct Point {
    int x, y;
  };
  const auto lambda = [] { return 1; };
  static_assert(CanWriteValue<Point> && CanWriteValue<char> && CanWriteValue<std::array<int, 3>>);
  static_assert(!CanWriteValue<int*> && !CanWriteValue<std::nullptr_t>);
  static_assert(!CanWriteValue<std::string> && !CanWriteValue<std::string_view>);
  static_assert(!CanWriteValue<std::span<int>> && !CanWriteValue<std::vector<int>>);
  static_assert(!CanWriteValue<std::array<const char*, 2>> && !CanWriteValue<decltype(lambda)>);
  const auto generic_lambda = [x = 1](auto y) { return x + y; };
  static_assert(!CanWriteValue<decltype(generic_lambda)>);
  static_assert(!CanWriteValue<std::reference_wrapper<int>>);
  static_assert(!CanWriteValue<std::initializer_list<int>>);
  static_assert(!CanWriteValue<const char(&)[4]> && CanWriteValue<char(&)[4]>);
  static_assert(CanWriteValues<std::vector<Point>> && CanWriteValues<std::span<const int>>);
  static_assert(CanWriteValues<std::vector<std::array<char, 3>>> && CanWriteValues<int(&)[4]>);
  static_assert(!CanWriteValues<std::vector<std::string_view>> && !CanWriteValues<int>);
  static_assert(!CanWriteValues<std::vector<const char*>>);
  static_assert(!CanWriteValues<std::vector<std::span<int>>>);
}

TEST(Writer, AcceptsNothingBeforeItIsOpened) {
  Writer writer;
  EXPECT_FALSE(writer.is_open());
  EXPECT_FALSE(writer.put('x'));
  EXPECT_FALSE(writer.write("x"));
  EXPECT_TRUE(writer.reserve(1).empty());
  EXPECT_FALSE(writer.flush().ok());
  EXPECT_FALSE(writer.status().ok());
  EXPECT_FALSE(writer.close().ok());
}

TEST(Writer, RefusesToBeOpenedTwice) {
  const ScratchDirectory directory;
  Writer writer;
  ASSERT_TRUE(writer.open(directory.file("first")).ok());
  EXPECT_TRUE(writer.write("bytes"));
  const Status again = writer.open(directory.file("second"));
  EXPECT_EQ(again.code().value(), EBUSY) << again.message();
  EXPECT_EQ(again.message(), "open " + directory.file("second") +
                                 ": the Writer is open already, for " + directory.file("first"));
  std::string target;
  EXPECT_EQ(writer.open(make_memory_sink(target)).code().value(), EBUSY);
  EXPECT_FALSE(file_exists(directory.file("second")));
  EXPECT_TRUE(writer.close().ok()) << "the first file must not be disturbed";
  EXPECT_EQ(contents_of(directory.file("first")), "bytes");
}

TEST(Writer, CanBeOpenedAnewAfterClose) {
  const ScratchDirectory directory;
  Writer writer;
  for (const std::string name : {"first", "second"}) {
    ASSERT_TRUE(writer.open(directory.file(name)).ok());
    EXPECT_TRUE(writer.write(name));
    EXPECT_EQ(writer.position(), name.size());
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(contents_of(directory.file(name)), name);
  }
  EXPECT_FALSE(writer.open(directory.file("missing/file")).ok());
  ASSERT_TRUE(writer.open(directory.file("third")).ok()) << "after an open that failed";
  EXPECT_TRUE(writer.write("third"));
  EXPECT_TRUE(writer.close().ok());
}

TEST(Writer, RefusesToOpenANullSink) {
  Writer writer;
  EXPECT_FALSE(writer.open(std::unique_ptr<Sink>()).ok());
  EXPECT_FALSE(writer.is_open());
  EXPECT_FALSE(writer.write("x"));
  EXPECT_FALSE(writer.attach(-1, "no descriptor").ok() && writer.write("x") && writer.close().ok());
}

TEST(Writer, NamesAFileThatCouldNotBeOpened) {
  const ScratchDirectory directory;
  const auto failure_of = [](const std::string& path) {
    Writer writer;
    Status status = writer.open(path);
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(writer.status().message(), status.message());
    EXPECT_EQ(writer.close().message(), status.message());
    EXPECT_FALSE(writer.write("x"));
    return status;
  };
  const std::string missing = directory.file("missing/file");
  EXPECT_EQ(failure_of(missing).message(), "open " + missing + ": No such file or directory");
  EXPECT_EQ(failure_of(directory.path()).message(),
            "open " + directory.path() + ": Is a directory");
  EXPECT_EQ(failure_of("").message(), "open (an empty path): No such file or directory");
}

TEST(Writer, KeepsAnExistingFileInExclusiveMode) {
  const ScratchDirectory directory;
  make_file(directory.file("out"), "precious");
  Writer writer;
  EXPECT_EQ(writer.open(directory.file("out"), {.create = CreateMode::exclusive}).code().value(),
            EEXIST);
  EXPECT_EQ(contents_of(directory.file("out")), "precious");
  ASSERT_TRUE(writer.open(directory.file("new"), {.create = CreateMode::exclusive}).ok());
  EXPECT_TRUE(writer.write("x"));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(directory.file("new")), "x");
}

TEST(Writer, CanBeMovedWithPendingBytes) {
  std::string target;
  std::string other_target;
  Writer first;
  ASSERT_TRUE(first.open(make_memory_sink(target), {.block_bytes = 8}).ok());
  EXPECT_TRUE(first.write("12345678901"));
  Writer second(std::move(first));
  EXPECT_TRUE(second.is_open());
  EXPECT_TRUE(second.put('2'));
  Writer third;
  ASSERT_TRUE(third.open(make_memory_sink(other_target)).ok());
  EXPECT_TRUE(third.write("other"));
  third = std::move(second);
  EXPECT_EQ(other_target, "other") << "the open target must be closed first";
  EXPECT_TRUE(third.write("3456789"));
  EXPECT_EQ(third.position(), 19u);
  EXPECT_TRUE(third.close().ok());
  EXPECT_EQ(target, "1234567890123456789");
}

TEST(Writer, LeavesAMovedFromWriterClosed) {
  std::string target;
  Writer first;
  ASSERT_TRUE(first.open(make_memory_sink(target)).ok());
  const Writer second(std::move(first));
  EXPECT_FALSE(first.is_open());  // NOLINT(bugprone-use-after-move)
  EXPECT_FALSE(first.write("x"));
  EXPECT_FALSE(first.close().ok());
  ASSERT_TRUE(first.open(make_memory_sink(target)).ok());
  EXPECT_TRUE(first.close().ok());
}

TEST(Writer, ClosesItsSinkOnceAndLast) {
  for (const WriteBehind write_behind : {WriteBehind::off, WriteBehind::on}) {
    const auto recording = std::make_shared<Recording>();
    {
      Writer writer;
      ASSERT_TRUE(writer
                      .open(std::make_unique<RecordingSink>(recording),
                            {.write_behind = write_behind, .block_bytes = 4})
                      .ok());
      EXPECT_TRUE(writer.write("0123456789"));
      EXPECT_TRUE(writer.write("x"));
      EXPECT_TRUE(writer.close().ok());
    }
    EXPECT_EQ(recording->bytes(), "0123456789x");
    EXPECT_EQ(recording->closes(), 1u);
    EXPECT_TRUE(recording->destroyed());
    EXPECT_FALSE(recording->out_of_turn());
  }
}

TEST(Writer, StartsAtThePositionOfTheSink) {
  const auto recording = std::make_shared<Recording>();
  recording->start_position = 1'000;
  recording->fail_at = 1'006;
  Writer writer;
  ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording), {.block_bytes = 4}).ok());
  EXPECT_EQ(writer.position(), 1'000u);
  writer.write("0123456789");
  EXPECT_EQ(writer.close().offset(), 1'006u);
  EXPECT_FALSE(recording->out_of_turn());
}

TEST(Writer, GivesFullBlocksToASinkThatWantsThem) {
  for (const bool wants_full_blocks : {true, false}) {
    auto recording = std::make_shared<Recording>();
    recording->wants_full_blocks = wants_full_blocks;
    Writer writer;
    ASSERT_TRUE(
        writer.open(std::make_unique<RecordingSink>(recording), {.block_bytes = 64 * 1024}).ok());
    const std::string payload = pattern(0, 32 * 1024);
    for (int i = 0; i < 8; ++i) writer.write(payload);
    ASSERT_TRUE(writer.close().ok());
    EXPECT_EQ(recording->writes().size(), wants_full_blocks || !os::gathers ? 4u : 8u);
  }
}

TEST(Writer, AsksItsSinkEachQuestionAtMostOnce) {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  ASSERT_TRUE(writer
                  .open(std::make_unique<RecordingSink>(recording),
                        {.write_behind = WriteBehind::on, .block_bytes = 64})
                  .ok());
  EXPECT_EQ(recording->questions(), 0u) << "the Sink must not be asked before the first byte";
  for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(writer.put('x'));
  EXPECT_TRUE(writer.flush().ok());
  for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(writer.put('x'));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(recording->questions(), 2u);
}

// ---- the destructor, W3 ----

class WriterDestructor : public ::testing::Test {
 protected:
  LostErrors lost_;
};

TEST_F(WriterDestructor, ClosesAnOpenWriter) {
  const ScratchDirectory directory;
  {
    Writer writer;
    ASSERT_TRUE(writer.open(directory.file("out")).ok());
    EXPECT_TRUE(writer.write("bytes"));
  }
  EXPECT_EQ(contents_of(directory.file("out")), "bytes");
  EXPECT_TRUE(lost_.take().empty());
}

TEST_F(WriterDestructor, HandsAFailureToTheHandler) {
  const ScratchDirectory directory;
  {
    Writer writer;
    ASSERT_TRUE(writer.open("/dev/full").ok());
    EXPECT_TRUE(writer.write("bytes"));
  }
  EXPECT_EQ(lost_.take_messages(),
            std::vector<std::string>{"write /dev/full at byte 0: No space left on device"});
}

TEST_F(WriterDestructor, IsSilentAboutAFailureThatACallHasGiven) {
  const std::array<Status (*)(Writer&), 5> calls = {
      [](Writer& writer) { return writer.flush(); },
      [](Writer& writer) { return writer.seek(1); },
      [](Writer& writer) { return writer.write_at(100, "x"); },
      [](Writer& writer) { return writer.flush().also(writer.status()); },
      [](Writer& writer) { return writer.status(); },
  };
  for (const auto& call : calls) {
    const auto recording = std::make_shared<Recording>();
    recording->fail_at = 100;
    Writer writer;
    ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording), {.block_bytes = 4}).ok());
    writer.write(std::string(200, 'x'));
    EXPECT_FALSE(call(writer).ok());
  }
  EXPECT_TRUE(lost_.take_messages().empty());
}

TEST_F(WriterDestructor, ReportsAFailureAfterTheProgramHasAskedInVain) {
  {
    Writer writer;
    ASSERT_TRUE(writer.open("/dev/full", {.block_bytes = 4}).ok());
    EXPECT_TRUE(writer.status().ok());
    EXPECT_FALSE(writer.write("more than a block"));
  }
  EXPECT_EQ(lost_.take().size(), 1u);
}

TEST_F(WriterDestructor, ReportsAFailureThatARefusedDiscardHasNotGiven) {
  {
    Writer writer;
    ASSERT_TRUE(writer.open("/dev/full", {.block_bytes = 4}).ok());
    EXPECT_FALSE(writer.write("more than a block"));
    EXPECT_EQ(writer.discard().code().value(), EINVAL);
  }
  EXPECT_EQ(lost_.take().size(), 1u);
}

TEST_F(WriterDestructor, ReportsANumberInABadBaseThatWasRefused) {
  {
    Writer never_opened;
    EXPECT_FALSE(never_opened.write_number(42, 1));
    std::string target;
    Writer closed;
    ASSERT_TRUE(closed.open(make_memory_sink(target)).ok());
    EXPECT_TRUE(closed.close().ok());
    EXPECT_FALSE(closed.write_number(42, 1));
  }
  EXPECT_EQ(lost_.take().size(), 2u);
}

TEST_F(WriterDestructor, ReportsOnlyTheSecondFailureIfTheFirstWasGiven) {
  const ScratchDirectory directory;
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.fail(Call::pwritev, 1, ENOSPC);
  calls.fail(Call::close, 1, EIO);
  {
    Writer writer;
    ASSERT_TRUE(writer.open(directory.file("out")).ok());
    EXPECT_TRUE(writer.write("bytes"));
    EXPECT_EQ(writer.flush().code().value(), ENOSPC);
  }
  EXPECT_EQ(lost_.take_messages(),
            std::vector<std::string>{"close " + directory.file("out") + ": Input/output error"});
}

TEST_F(WriterDestructor, IsSilentAboutADiscardedFileWhoseFailureWasGiven) {
  const ScratchDirectory directory;
  make_file(directory.file("out"), "old");
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.fail(Call::pwritev, 1, ENOSPC);
  {
    Writer writer;
    ASSERT_TRUE(
        writer.open(directory.file("out"), {.create = CreateMode::replace_atomically}).ok());
    EXPECT_TRUE(writer.write("bytes"));
    EXPECT_EQ(writer.flush().code().value(), ENOSPC);
  }
  EXPECT_TRUE(lost_.take_messages().empty());
  EXPECT_EQ(contents_of(directory.file("out")), "old");
}

TEST_F(WriterDestructor, IsSilentAfterAClose) {
  {
    Writer writer;
    ASSERT_TRUE(writer.open("/dev/full").ok());
    EXPECT_TRUE(writer.write("bytes"));
    EXPECT_FALSE(writer.close().ok());
  }
  {
    Writer writer;
    EXPECT_FALSE(writer.open("/missing/file").ok());
  }
  EXPECT_TRUE(lost_.take().empty());
}

TEST_F(WriterDestructor, ReportsTheFailureOfAWriterThatIsReplaced) {
  Writer writer;
  ASSERT_TRUE(writer.open("/dev/full").ok());
  EXPECT_TRUE(writer.write("bytes"));
  writer = Writer();
  EXPECT_EQ(lost_.take().size(), 1u);
}

TEST_F(WriterDestructor, PrintsOneLineWhenThereIsNoHandler) {
  set_lost_error_handler(nullptr);
  ::testing::internal::CaptureStderr();
  {
    Writer writer;
    ASSERT_TRUE(writer.open("/dev/full").ok());
    EXPECT_TRUE(writer.write("bytes"));
  }
  const std::string printed = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(printed.find("write /dev/full at byte 0: No space left on device\n"), std::string::npos)
      << printed;
  EXPECT_EQ(printed.find('\n'), printed.size() - 1) << "more than one line: " << printed;
}

}  // namespace
}  // namespace sluice::testing
