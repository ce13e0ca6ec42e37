// A Reader that looks ahead, skips, seeks, and reads the rest; failures that nobody asks for.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sluice/reader.h"
#include "testing/faulty_source.h"
#include "testing/faulty_system_calls.h"
#include "testing/lost_errors.h"
#include "testing/pattern.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr std::size_t file_bytes = 3 << 20;

std::string_view text_of(BytesView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class ReaderOfAFile : public ::testing::Test {
 protected:
  void SetUp() override {
    make_file(path_, bytes_);
    ASSERT_TRUE(reader_.open(path_).ok());
    calls_.forget_records();
  }

  const ScratchDirectory directory_;
  const std::string path_ = directory_.file("in");
  const std::string bytes_ = pattern(0, file_bytes);
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  Reader reader_;
};

TEST_F(ReaderOfAFile, ShowsMoreThanABlockWithoutPassingOverIt) {
  EXPECT_EQ(text_of(reader_.peek(10)).substr(0, 10), std::string_view(bytes_).substr(0, 10));
  EXPECT_EQ(text_of(reader_.peek(1 << 20)).substr(0, 1 << 20),
            std::string_view(bytes_).substr(0, 1 << 20));
  EXPECT_EQ(reader_.position(), 0u);
  EXPECT_EQ(reader_.peek(file_bytes + 1).size(), file_bytes) << "fewer at the end";
  EXPECT_TRUE(reader_.status().ok());
  std::string rest;
  EXPECT_TRUE(reader_.read_rest(rest).ok());
  EXPECT_TRUE(rest == bytes_);
  EXPECT_TRUE(reader_.peek(1).empty());
}

TEST_F(ReaderOfAFile, PassesOverBytesWithoutReadingThem) {
  EXPECT_EQ(reader_.skip(file_bytes - 1), file_bytes - 1);
  EXPECT_EQ(reader_.position(), file_bytes - 1);
  EXPECT_EQ(calls_.count(Call::pread), 1u) << calls_.log();
  EXPECT_EQ(reader_.get(), static_cast<unsigned char>(bytes_.back()));
  EXPECT_EQ(reader_.skip(1), 0u);
  EXPECT_TRUE(reader_.status().ok());
}

TEST_F(ReaderOfAFile, PassesOverAllBytesIfThereAreFewer) {
  EXPECT_EQ(reader_.skip(file_bytes + 100), file_bytes);
  EXPECT_EQ(reader_.position(), file_bytes);
}

TEST_F(ReaderOfAFile, SeeksInsideTheBlockWithoutACall) {
  ASSERT_EQ(reader_.get(), static_cast<unsigned char>(bytes_[0]));
  const std::size_t calls = calls_.total();
  for (const std::uint64_t position : {10'000u, 0u, 16'000u, 9'999u}) {
    ASSERT_TRUE(reader_.seek(position).ok());
    EXPECT_EQ(reader_.position(), position);
    EXPECT_EQ(reader_.get(), static_cast<unsigned char>(bytes_[position]));
  }
  EXPECT_EQ(calls_.total(), calls) << calls_.log();
}

TEST_F(ReaderOfAFile, ReadsTheWantedBytesByOneCallAfterASeek) {
  ASSERT_FALSE(reader_.peek(300'000).empty());  // the block has grown
  std::uint64_t position = 7;
  for (const std::size_t bytes : {8u, 9u, 512u, 513u, 4'096u, 4'097u, 65'536u, 200'001u}) {
    const bool peeks = bytes % 2 == 0;
    std::string got(bytes, ' ');
    position = (position + 1'234'567) % (2 << 20);
    ASSERT_TRUE(reader_.seek(position).ok());
    calls_.forget_records();
    EXPECT_GE(peeks ? reader_.peek(bytes).size() : reader_.read(got.data(), bytes), bytes);
    EXPECT_EQ(calls_.count(Call::pread), 1u) << bytes << calls_.log();
    EXPECT_TRUE(peeks || got == bytes_.substr(position, bytes));
  }
}

TEST_F(ReaderOfAFile, SeeksAnywhereAndReadsLittleAtFirst) {
  for (const std::uint64_t position : {2'000'000u, 17u, 3'000'001u, 1'000'000u}) {
    std::uint64_t value = 0;
    std::uint64_t expected = 0;
    ASSERT_TRUE(reader_.seek(position).ok());
    ASSERT_TRUE(reader_.read_value(value));
    std::memcpy(&expected, bytes_.data() + position, sizeof expected);
    EXPECT_EQ(value, expected);
    EXPECT_LT(reader_.peek(1).size(), 1'000u);
  }
}

TEST_F(ReaderOfAFile, ReadsOnlyLinesOfTheCacheForAValueBehindAFarSeek) {
  for (const std::uint64_t position : {2'000'000u, 17u, 3'000'001u, 1'000'000u}) {
    std::uint64_t value = 0;
    ASSERT_TRUE(reader_.seek(position).ok());
    ASSERT_TRUE(reader_.read_value(value));
    BytesView rest = reader_.peek(0);
    EXPECT_LT(rest.size(), 64u);
    EXPECT_EQ((position + sizeof value + rest.size()) % 64, 0u);
    const std::size_t calls = calls_.total();
    ASSERT_TRUE(reader_.seek(position / 64 * 64).ok());
    EXPECT_EQ(reader_.get(), static_cast<unsigned char>(bytes_[position / 64 * 64]));
    EXPECT_EQ(calls_.total(), calls) << "the line's beginning is not in the block";
  }
}

TEST_F(ReaderOfAFile, ReadsOnBehindTheLinesOfAFarSeek) {
  for (const std::uint64_t position : {2'000'000u, 17u, 3'000'001u}) {
    ASSERT_TRUE(reader_.seek(position).ok());
    std::string bytes(10'000, '\0');
    ASSERT_EQ(reader_.read(bytes.data(), 20), 20u);
    ASSERT_EQ(reader_.read(bytes.data() + 20, bytes.size() - 20), bytes.size() - 20);
    EXPECT_EQ(bytes, bytes_.substr(position, bytes.size()));
  }
}

// The bytes before the position are read for speed alone.
TEST_F(ReaderOfAFile, DoesNotNeedTheBytesBeforeThePosition) {
  std::uint64_t value = 0;
  ASSERT_TRUE(reader_.seek(2'000'001).ok());
  calls_.fail(Call::pread, 1, EIO);
  ASSERT_TRUE(reader_.read_value(value)) << reader_.status().message();
  EXPECT_EQ(std::memcmp(&value, bytes_.data() + 2'000'001, sizeof value), 0);
  EXPECT_TRUE(reader_.status().ok());
  ASSERT_TRUE(reader_.seek(1'000'001).ok());
  calls_.fail(Call::pread, 1, EIO, Repeat::for_ever);
  EXPECT_FALSE(reader_.read_value(value));
  EXPECT_EQ(reader_.status().message(), "read " + path_ + " at byte 1000001: Input/output error");
  EXPECT_EQ(reader_.position(), 1'000'001u);
}

TEST_F(ReaderOfAFile, FindsTheEndInTheLineOfThePosition) {
  std::uint64_t value = 0;
  ASSERT_EQ(::truncate(path_.c_str(), 1'000'010), 0);
  ASSERT_TRUE(reader_.seek(1'000'030).ok());
  EXPECT_FALSE(reader_.read_value(value));
  EXPECT_TRUE(reader_.status().ok());
  EXPECT_EQ(reader_.position(), 1'000'030u);
}

class CallsThatKnowPositions : public FaultySystemCalls {
 public:
  os::CallResult pread(int descriptor, void* into, std::size_t bytes,
                       std::uint64_t position) override {
    positions.push_back(position);
    max_bytes = std::max(max_bytes, bytes);
    return FaultySystemCalls::pread(descriptor, into, bytes, position);
  }
  std::vector<std::uint64_t> positions;
  std::size_t max_bytes = 0;
};

TEST(ReaderOfASmallBlock, ReadsNoMoreThanTheBlockHolds) {
  const ScratchDirectory directory;
  make_file(directory.file("in"), pattern(0, 100'000));
  CallsThatKnowPositions calls;
  const os::ScopedSystemCalls in_place(calls);
  Reader reader;
  std::uint64_t value = 0;
  ASSERT_TRUE(reader.open(directory.file("in"), {.block_bytes = 100}).ok());
  ASSERT_TRUE(reader.seek(64'060).ok());
  ASSERT_TRUE(reader.read_value(value));
  EXPECT_EQ(std::memcmp(&value, pattern(0, 100'000).data() + 64'060, sizeof value), 0);
  EXPECT_LE(calls.max_bytes, 100u);
}

// In a device a position may stand for something other than a byte.
TEST(ReaderOfADevice, ReadsFromThePositionItself) {
  CallsThatKnowPositions calls;
  const os::ScopedSystemCalls in_place(calls);
  Reader reader;
  std::uint64_t value = 1;
  ASSERT_TRUE(reader.open("/dev/zero").ok());
  ASSERT_TRUE(reader.seek(1'000'001).ok());
  ASSERT_TRUE(reader.read_value(value));
  EXPECT_EQ(value, 0u);
  EXPECT_EQ(calls.positions, std::vector<std::uint64_t>{1'000'001});
  ASSERT_TRUE(reader.seek(10'000'000).ok());
  EXPECT_EQ(calls.count(Call::seek_current), 1u) << "asked again whether there are positions";
}

TEST_F(ReaderOfAFile, FindsMostNearPositionsInTheBlock) {
  std::uint64_t position = file_bytes / 2;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    position += i * 2'654'435'761 % 8'192;
    position -= 4'096;
    ASSERT_TRUE(reader_.seek(position).ok());
    ASSERT_EQ(reader_.position(), position);
    ASSERT_EQ(reader_.get(), static_cast<unsigned char>(bytes_[position]));
  }
  EXPECT_LT(calls_.total(), 50u) << calls_.log();
}

TEST_F(ReaderOfAFile, FindsMostPositionsInTheBlockOnTheWayToTheBeginning) {
  for (std::uint64_t position = file_bytes; position >= 3'000;) {
    position -= 3'000;
    ASSERT_TRUE(reader_.seek(position).ok());
    ASSERT_EQ(reader_.get(), static_cast<unsigned char>(bytes_[position]));
  }
  EXPECT_LT(calls_.total(), 50u) << calls_.log();
}

TEST_F(ReaderOfAFile, FindsTheEndNearTheBlock) {
  ASSERT_TRUE(reader_.seek(file_bytes - 1).ok());
  EXPECT_EQ(reader_.get(), static_cast<unsigned char>(bytes_.back()));
  for (const std::uint64_t beyond : {1u, 0u, 4'000u}) {
    ASSERT_TRUE(reader_.seek(file_bytes + beyond).ok());
    EXPECT_EQ(reader_.position(), file_bytes + beyond);
    EXPECT_EQ(reader_.get(), Reader::end);
  }
  EXPECT_TRUE(reader_.status().ok());
}

TEST_F(ReaderOfAFile, FindsTheEndBehindTheEndAndComesBack) {
  ASSERT_TRUE(reader_.seek(file_bytes + 10).ok());
  EXPECT_EQ(reader_.get(), Reader::end);
  EXPECT_EQ(reader_.position(), file_bytes + 10);
  ASSERT_TRUE(reader_.seek(1).ok());
  EXPECT_EQ(reader_.get(), static_cast<unsigned char>(bytes_[1]));
}

TEST_F(ReaderOfAFile, LooksAgainAtTheEndWhenItSeeksThere) {
  ASSERT_EQ(reader_.skip(file_bytes), file_bytes);
  ASSERT_EQ(reader_.get(), Reader::end);
  std::ofstream(path_, std::ios::app) << "more";
  EXPECT_EQ(reader_.get(), Reader::end);
  ASSERT_TRUE(reader_.seek(file_bytes).ok());
  EXPECT_EQ(reader_.get(), 'm');
}

TEST_F(ReaderOfAFile, StaysAtTheEndWhenItSkips) {
  ASSERT_EQ(reader_.skip(file_bytes), file_bytes);
  ASSERT_EQ(reader_.get(), Reader::end);
  std::ofstream(path_, std::ios::app) << bytes_;
  EXPECT_EQ(reader_.skip(file_bytes / 2), 0u);
  EXPECT_EQ(reader_.position(), file_bytes);
}

TEST_F(ReaderOfAFile, KnowsItsSize) {
  std::uint64_t bytes = 0;
  EXPECT_TRUE(reader_.size(bytes).ok());
  EXPECT_EQ(bytes, file_bytes);
}

TEST_F(ReaderOfAFile, FindsLinesAfterASeekBack) {
  make_file(path_, "one\ntwo\nthree\n");
  std::string_view line;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(reader_.seek(4).ok());
    ASSERT_TRUE(reader_.next_line(line));
    EXPECT_EQ(line, "two");
    ASSERT_TRUE(reader_.seek(0).ok());
    ASSERT_TRUE(reader_.next_line(line));
    EXPECT_EQ(line, "one");
  }
}

// A Reader of ten bytes, from the fifth one on.
class ReaderOfADescriptor : public ::testing::Test {
 protected:
  void SetUp() override {
    make_file(directory_.file("in"), "0123456789");
    descriptor_ = ::open(directory_.file("in").c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(::lseek(descriptor_, 4, SEEK_SET), 4);
    ASSERT_TRUE(reader_.attach(descriptor_, "in").ok());
  }
  void TearDown() override {
    EXPECT_TRUE(reader_.close().ok());
    ::close(descriptor_);
  }

  const ScratchDirectory directory_;
  int descriptor_ = -1;
  Reader reader_;
};

TEST_F(ReaderOfADescriptor, CountsFromTheDescriptorsOffset) {
  std::uint64_t bytes = 0;
  EXPECT_TRUE(reader_.size(bytes).ok());
  EXPECT_EQ(bytes, 6u);
  EXPECT_EQ(reader_.get(), '4');
  ASSERT_TRUE(reader_.seek(5).ok());
  EXPECT_EQ(reader_.get(), '9');
  EXPECT_EQ(reader_.get(), Reader::end);
  ASSERT_TRUE(reader_.seek(0).ok());
  EXPECT_EQ(reader_.get(), '4');
}

TEST_F(ReaderOfAFile, FindsTheEndAtEveryPositionThatIsLargeAndRefusesLarger) {
  constexpr std::uint64_t first_refused = std::uint64_t{1} << 63;
  for (const std::uint64_t before : {1u, 2u, 4'096u, 300'000u}) {
    ASSERT_TRUE(reader_.seek(first_refused - before).ok());
    EXPECT_EQ(reader_.get(), Reader::end);
    EXPECT_EQ(reader_.status().message(), "ok") << before;
    EXPECT_EQ(reader_.position(), first_refused - before);
  }
  EXPECT_EQ(reader_.seek(first_refused).code().value(), EFBIG);
  EXPECT_EQ(reader_.seek(UINT64_MAX).code().value(), EFBIG);
  EXPECT_TRUE(reader_.seek(0).ok());
}

TEST_F(ReaderOfADescriptor, RefusesAPositionThatIsTooLargeForTheKernel) {
  constexpr std::uint64_t largest = INT64_MAX;
  for (const std::uint64_t position : {largest, largest - 3, largest + 1}) {
    EXPECT_EQ(reader_.seek(position).message(),
              "seek in at byte " + std::to_string(position) + ": File too large");
  }
  for (const std::uint64_t position : {largest - 4, largest - 5}) {
    const Status status = reader_.seek(position);  // the file system may have a smaller limit
    EXPECT_TRUE(status.ok() || status.code().value() == EFBIG) << status.message();
    if (!status.ok()) continue;
    EXPECT_EQ(reader_.get(), Reader::end);
    EXPECT_EQ(reader_.status().message(), "ok");
  }
  ASSERT_TRUE(reader_.seek(5).ok());
  EXPECT_EQ(reader_.get(), '9');
}

TEST(ReaderOfAPipe, PassesByReadingAndCannotSeek) {
  std::array<int, 2> ends;
  ASSERT_EQ(::pipe(ends.data()), 0);
  std::thread writes([&] {
    const std::string bytes = pattern(0, file_bytes);
    EXPECT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(file_bytes));
    ::close(ends[1]);
  });
  Reader reader;
  ASSERT_TRUE(reader.attach(ends[0], "pipe").ok());
  EXPECT_EQ(reader.skip(1'000'000), 1'000'000u);
  EXPECT_EQ(reader.seek(10).message(),
            "seek pipe at byte 10: it has no positions, like a pipe, a terminal, a socket or a "
            "file that is appended to");
  std::uint64_t bytes = 0;
  EXPECT_EQ(reader.size(bytes).code().value(), ESPIPE);
  EXPECT_EQ(reader.get(), static_cast<unsigned char>(pattern_at(1'000'000)));
  EXPECT_EQ(reader.skip(file_bytes), file_bytes - 1'000'001);
  EXPECT_TRUE(reader.close().ok());
  writes.join();
  ::close(ends[0]);
}

// ---- Sources that a test orders ----

class ReaderOfAScript : public ::testing::Test {
 protected:
  Reader open(std::string bytes, const ReaderOptions& options = {}) {
    script_->bytes = std::move(bytes);
    Reader reader;
    EXPECT_TRUE(reader.open(std::make_unique<FaultySource>(script_), options).ok());
    return reader;
  }

  const std::shared_ptr<SourceScript> script_ = std::make_shared<SourceScript>();
};

// Files in /sys are like this: they report the size of a page.
TEST_F(ReaderOfAScript, SkipsOnlyTheExistingBytesIfTheSizeIsTooLarge) {
  script_->has_positions = true;
  script_->size = 4096;
  Reader reader = open("always [madvise] never\n", {.block_bytes = 8});
  EXPECT_EQ(reader.skip(4096), 23u);
  EXPECT_GE(script_->seeks, 2u) << "there and back";
  ASSERT_TRUE(reader.seek(8).ok());
  EXPECT_EQ(reader.get(), 'm');
}

// Such a Source may fail for good. So its failure must come when the program reads the bytes that
// cannot be read.
TEST_F(ReaderOfAScript, ReadsNothingBeforeTheNearPositionOfASeek) {
  script_->has_positions = true;
  script_->fail_at = 5'000;
  Reader reader = open(std::string(20'000, 'x'));
  ASSERT_EQ(reader.get(), 'x');
  const std::size_t reads = script_->reads;
  const std::uint64_t position = 5'000 + 4'096;
  EXPECT_TRUE(reader.seek(position).ok());
  EXPECT_EQ(script_->reads, reads);
  EXPECT_TRUE(reader.status().ok());
  EXPECT_EQ(reader.position(), position);
  EXPECT_EQ(reader.get(), Reader::end);
  EXPECT_EQ(script_->reads, reads + 1);
  EXPECT_EQ(reader.status().message(), "read (script) at byte 9096: Input/output error");
}

TEST_F(ReaderOfAFile, SeeksWhereBytesBeforeANearPositionCannotBeRead) {
  ASSERT_TRUE(reader_.seek(1'000'000).ok());
  ASSERT_EQ(reader_.get(), static_cast<unsigned char>(bytes_[1'000'000]));
  calls_.fail(Call::pread, 1, EIO);
  ASSERT_TRUE(reader_.seek(1'004'000).ok());
  EXPECT_EQ(calls_.injected().size(), 1u) << "no bytes were read before the position";
  EXPECT_TRUE(reader_.status().ok());
  EXPECT_EQ(reader_.position(), 1'004'000u);
  EXPECT_EQ(reader_.get(), static_cast<unsigned char>(bytes_[1'004'000]));
}

TEST_F(ReaderOfAScript, GivesPartsUpToAnyByte) {
  script_->max_bytes_per_read = 2;
  Reader reader = open(std::string("one\0two\0\0four", 13), {.block_bytes = 3});
  std::vector<std::string> parts;
  std::string_view part;
  while (reader.read_until('\0', part)) parts.emplace_back(part);
  EXPECT_EQ(parts, (std::vector<std::string>{"one", "two", "", "four"}));
  EXPECT_TRUE(reader.status().ok());
}

TEST_F(ReaderOfAScript, RefusesAPartThatIsTooLong) {
  for (const std::size_t block_bytes : {2u, 4096u}) {
    script_->next_position = 0;
    Reader reader = open("1234,12345,", {.block_bytes = block_bytes, .max_line_bytes = 4});
    std::string_view part;
    EXPECT_TRUE(reader.read_until(',', part));
    EXPECT_FALSE(reader.read_until(',', part));
    EXPECT_EQ(reader.status().code().value(), EMSGSIZE);
    EXPECT_EQ(reader.status().offset(), 5u);
  }
}

TEST_F(ReaderOfAScript, ReportsAPartialValue) {
  Reader reader = open("12345678abc");
  std::uint64_t value = 0;
  EXPECT_TRUE(reader.read_value(value));
  EXPECT_FALSE(reader.read_value(value));
  EXPECT_EQ(reader.status().message(),
            "read (script) at byte 8: the input ends with 3 of the 8 bytes of a value");
  EXPECT_EQ(reader.status().code().value(), EBADMSG);
}

TEST_F(ReaderOfAScript, GivesTheRemainingValues) {
  Reader reader = open("aabbccdde");
  std::array<std::array<char, 2>, 3> values;
  EXPECT_EQ(reader.read_values(values), 3u);
  EXPECT_EQ(values[2], (std::array<char, 2>{'c', 'c'}));
  EXPECT_EQ(reader.read_values(values), 1u);
  EXPECT_EQ(values[0], (std::array<char, 2>{'d', 'd'}));
  EXPECT_EQ(reader.status().offset(), 8u);
}

TEST_F(ReaderOfAScript, KeepsTheBytesOfTheRestBeforeAFailure) {
  script_->fail_at = 5;
  Reader reader = open("0123456789");
  EXPECT_EQ(reader.get(), '0');
  std::string rest = "old";
  EXPECT_EQ(reader.read_rest(rest).message(), "read (script) at byte 5: Input/output error");
  EXPECT_EQ(rest, "1234");
  Bytes bytes;
  EXPECT_FALSE(reader.read_rest(bytes).ok());
  EXPECT_TRUE(bytes.empty());
}

TEST_F(ReaderOfAScript, StaysAtItsFailure) {
  script_->fail_at = 5;
  script_->has_positions = true;
  Reader reader = open("0123456789");
  EXPECT_EQ(reader.skip(7), 5u);
  EXPECT_EQ(reader.seek(0).offset(), 5u);
  EXPECT_TRUE(reader.peek(1).empty());
}

TEST(AReaderThatIsNotOpen, RefusesEveryCall) {
  Reader reader;
  std::uint64_t bytes = 0;
  std::string text;
  std::string_view part;
  EXPECT_TRUE(reader.peek(1).empty());
  EXPECT_EQ(reader.skip(1), 0u);
  EXPECT_FALSE(reader.read_value(bytes));
  EXPECT_FALSE(reader.read_until(',', part));
  EXPECT_EQ(reader.seek(0).code().value(), EBADF);
  EXPECT_EQ(reader.size(bytes).code().value(), EBADF);
  EXPECT_EQ(reader.read_rest(text).code().value(), EBADF);
  ASSERT_TRUE(reader.open(make_memory_source({})).ok());
  EXPECT_TRUE(reader.close().ok());
  EXPECT_EQ(reader.seek(0).code().value(), EBADF);
  EXPECT_EQ(reader.size(bytes).code().value(), EBADF);
  EXPECT_EQ(reader.read_rest(text).code().value(), EBADF);
  EXPECT_TRUE(reader.status().ok());
}

TEST(AReaderThatIsNotOpen, SaysWhyItsOpenFailed) {
  const ScratchDirectory directory;
  Reader reader;
  std::uint64_t bytes = 0;
  std::string text;
  EXPECT_EQ(reader.open(directory.file("missing")).code().value(), ENOENT);
  EXPECT_EQ(reader.seek(0).code().value(), ENOENT);
  EXPECT_EQ(reader.size(bytes).code().value(), ENOENT);
  EXPECT_EQ(reader.read_rest(text).code().value(), ENOENT);
  EXPECT_EQ(reader.skip(1), 0u);
  EXPECT_TRUE(reader.peek(1).empty());
  EXPECT_EQ(reader.close().code().value(), ENOENT);
}

// ---- failures that nobody asks for ----

class ReaderDestructor : public ReaderOfAScript {
 protected:
  void SetUp() override { script_->fail_at = 3; }

  LostErrors lost_;
};

TEST_F(ReaderDestructor, ReportsAFailureThatLookedLikeTheEnd) {
  {
    Reader reader = open("one\ntwo\n");
    for (const std::string_view line : reader.lines()) static_cast<void>(line);
  }
  EXPECT_EQ(lost_.take_messages(),
            std::vector<std::string>{"read (script) at byte 3: Input/output error"});
}

TEST_F(ReaderDestructor, IsSilentIfTheProgramHasAskedForTheFailure) {
  {
    Reader reader = open("one\ntwo\n");
    EXPECT_EQ(reader.skip(10), 3u);
    EXPECT_FALSE(reader.status().ok());
  }
  {
    Reader reader = open("one\ntwo\n");
    EXPECT_EQ(reader.skip(10), 3u);
    EXPECT_FALSE(reader.close().ok());
  }
  EXPECT_TRUE(lost_.take().empty());
}

TEST_F(ReaderDestructor, ReportsAFailureThatCameAfterTheQuestion) {
  {
    Reader reader = open("one\ntwo\n");
    EXPECT_EQ(reader.get(), 'o');
    EXPECT_TRUE(reader.status().ok());
    EXPECT_EQ(reader.skip(10), 2u);
  }
  EXPECT_EQ(lost_.take().size(), 1u);
}

TEST_F(ReaderDestructor, IsSilentIfNothingFailed) {
  script_->fail_at = UINT64_MAX;
  {
    Reader reader = open("one\ntwo\n");
    EXPECT_EQ(reader.skip(10), 8u);
  }
  EXPECT_TRUE(lost_.take().empty());
}

// The skip first reads the last byte that it passes, and this byte cannot be read here.
TEST(ReaderOfASource, ASkipThatCannotReadReportsTheBytesItPassed) {
  const auto script = std::make_shared<SourceScript>();
  script->bytes = std::string(3 << 20, 'x');
  script->has_positions = true;
  script->size = script->bytes.size();
  script->fail_at = 2 << 20;
  Reader reader;
  ASSERT_TRUE(reader.open(std::make_unique<FaultySource>(script)).ok());
  EXPECT_EQ(reader.get(), 'x');
  const std::uint64_t before = reader.position();
  const std::uint64_t passed = reader.skip(3 << 20);
  EXPECT_EQ(reader.position(), before + passed);
  EXPECT_EQ(reader.close().code().value(), EIO);
}

// The size is only a hint, so a wrong size is not a failure.
TEST(ReaderOfASource, ReadsTheRestThoughTheSizeExceedsTheMemory) {
  for (const std::uint64_t size : {std::uint64_t{1} << 46, std::uint64_t{1} << 63}) {
    if (sanitized && size < std::uint64_t{1} << 63) continue;  // a sanitizer ends the program
    const auto script = std::make_shared<SourceScript>();
    script->bytes = "12345678";
    script->size = size;
    Reader reader;
    std::string rest;
    ASSERT_TRUE(reader.open(std::make_unique<FaultySource>(script)).ok());
    EXPECT_EQ(reader.read_rest(rest).message(), "ok");
    EXPECT_EQ(rest, "12345678");
  }
}

}  // namespace
}  // namespace sluice::testing
