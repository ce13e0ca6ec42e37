// W11: open refuses impossible options, and options that this version does not have, and names the
// option.
#include "sluice/options.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "sluice/reader.h"
#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr std::size_t gibibyte = std::size_t{1} << 30;

// Opens in every way. Each open must be refused in the same manner, and change nothing.
void expect_refused(const WriterOptions& options, int error, const std::string& option) {
  SCOPED_TRACE(option);
  const ScratchDirectory directory;
  const std::string path = directory.file("out");
  std::string target;
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  const Status by_path = writer.open(path, options);
  const Status by_sink = writer.open(make_memory_sink(target), options);
  const Status by_descriptor = writer.attach(1, "standard output", options);
  std::unique_ptr<Sink> sink;
  const Status by_file_sink = open_file_sink(path, options, sink);
  for (const Status& status : {by_path, by_sink, by_descriptor, by_file_sink}) {
    EXPECT_EQ(status.code().value(), error) << status.message();
    EXPECT_NE(status.message().find(option), std::string::npos) << status.message();
    EXPECT_EQ(status.operation(), Operation::open);
  }
  EXPECT_EQ(by_path.path(), path);
  EXPECT_FALSE(writer.is_open());
  EXPECT_FALSE(writer.write("x"));
  EXPECT_EQ(calls.count(Call::open), 0u) << "refused, and opened all the same";
  EXPECT_FALSE(file_exists(path));
}

TEST(WriterOptions, RefusesBlocksOfNoSize) {
  expect_refused({.block_bytes = 0}, EINVAL, "block_bytes");
}

TEST(WriterOptions, RefusesBlocksBeyondAGibibyte) {
  expect_refused({.block_bytes = gibibyte + 1}, EINVAL, "block_bytes");
  expect_refused({.block_bytes = SIZE_MAX}, EINVAL, "block_bytes");
}

TEST(WriterOptions, RefusesNoBlocksInFlight) {
  expect_refused({.blocks_in_flight = 0}, EINVAL, "blocks_in_flight");
}

TEST(WriterOptions, RefusesMoreThan64BlocksInFlight) {
  expect_refused({.blocks_in_flight = 65}, EINVAL, "blocks_in_flight");
  expect_refused({.blocks_in_flight = SIZE_MAX}, EINVAL, "blocks_in_flight");
}

TEST(WriterOptions, RefusesInvalidPermissions) {
  expect_refused({.permissions = 010000}, EINVAL, "permissions");
}

TEST(WriterOptions, RefusesToWaitLongerThanATebibyteForWriteBack) {
  expect_refused({.write_back_bytes = (std::size_t{1} << 40) + 1}, EINVAL, "write_back_bytes");
  expect_refused({.write_back_bytes = SIZE_MAX}, EINVAL, "write_back_bytes");
}

TEST(WriterOptions, RefusesPlacesThatDoNotExist) {
  expect_refused({.cache = static_cast<Cache>(2)}, EINVAL, "cache");
  expect_refused({.direct = static_cast<Direct>(3)}, EINVAL, "direct");
}

TEST(WriterOptions, RefusesBlocksThatDirectIoCannotWrite) {
  for (const Direct direct : {Direct::on, Direct::if_possible}) {
    expect_refused({.block_bytes = 4'095, .direct = direct}, EINVAL, "block_bytes");
    expect_refused({.block_bytes = 100'000, .direct = direct}, EINVAL, "multiple of 4096");
  }
}

TEST(WriterOptions, NamesTheValueAndTheRange) {
  std::string target;
  Writer writer;
  const std::string message =
      writer.open(make_memory_sink(target), {.blocks_in_flight = 65}).message();
  EXPECT_NE(message.find("65"), std::string::npos) << message;
  EXPECT_NE(message.find("1 to 64"), std::string::npos) << message;
}

TEST(WriterOptions, TakesTheSmallestAndTheLargest) {
  for (const WriterOptions& options :
       {WriterOptions{.block_bytes = 1, .blocks_in_flight = 1},
        WriterOptions{.block_bytes = gibibyte, .blocks_in_flight = 64},
        WriterOptions{.permissions = 0}, WriterOptions{.permissions = 07777},
        WriterOptions{.write_back_bytes = 1},
        WriterOptions{.write_back_bytes = std::size_t{1} << 40}}) {
    std::string target;
    Writer writer;
    EXPECT_TRUE(writer.open(make_memory_sink(target), options).ok());
    EXPECT_TRUE(writer.write("some bytes"));
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(target, "some bytes");
  }
}

TEST(WriterOptions, GivesANewFileItsPermissions) {
  const ScratchDirectory directory;
  const mode_t umask_before = ::umask(022);
  Writer writer;
  EXPECT_TRUE(writer.open(directory.file("out"), {.permissions = 0660}).ok());
  EXPECT_TRUE(writer.close().ok());
  ::umask(umask_before);
  struct stat facts {};
  ASSERT_EQ(::stat(directory.file("out").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777, 0640u);
}

void expect_refused(const ReaderOptions& options, const std::string& option) {
  SCOPED_TRACE(option);
  const ScratchDirectory directory;
  make_file(directory.file("in"), "bytes");
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Reader reader;
  const Status by_path = reader.open(directory.file("in"), options);
  const Status by_source = reader.open(make_memory_source({}), options);
  const Status by_descriptor = reader.attach(0, "standard input", options);
  for (const Status& status : {by_path, by_source, by_descriptor}) {
    EXPECT_EQ(status.code().value(), EINVAL) << status.message();
    EXPECT_NE(status.message().find(option), std::string::npos) << status.message();
  }
  EXPECT_FALSE(reader.is_open());
  EXPECT_EQ(reader.get(), Reader::end);
  EXPECT_EQ(calls.count(Call::open), 0u) << "refused, and opened all the same";
}

TEST(WriterOptions, RefusesUnknownChoices) {
  expect_refused({.create = static_cast<CreateMode>(77)}, EINVAL, "create");
  expect_refused({.durability = static_cast<Durability>(77)}, EINVAL, "durability");
  expect_refused({.write_behind = static_cast<WriteBehind>(77)}, EINVAL, "write_behind");
}

TEST(ReaderOptions, RefusesUnknownChoices) {
  expect_refused({.read_ahead = static_cast<ReadAhead>(9)}, "read_ahead");
}

TEST(ReaderOptions, RefusesBlocksOfNoSizeOrBeyondAGibibyte) {
  expect_refused({.block_bytes = 0}, "block_bytes");
  expect_refused({.block_bytes = gibibyte + 1}, "block_bytes");
}

TEST(ReaderOptions, RefusesAMaximumLineOfZeroOrTooManyBytes) {
  expect_refused({.max_line_bytes = 0}, "max_line_bytes");
  expect_refused({.max_line_bytes = (std::uint64_t{1} << 62) + 1}, "max_line_bytes");
}

}  // namespace
}  // namespace sluice::testing
