// Cache::drop: the pages leave the cache behind a Writer or a Reader, and no failure is lost.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sluice/reader.h"
#include "sluice/writer.h"
#include "testing/cached_pages.h"
#include "testing/failed_in_turn.h"
#include "testing/faulty_system_calls.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr std::size_t mebibyte = 1024 * 1024;
constexpr unsigned wait_flags =
    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;

// Files here lie on a disk, because pages of a file in memory never leave it.
class CacheDrop : public ::testing::Test {
 protected:
  void SetUp() override {
    make_file(path_, "x");
    take_out_of_cache(path_);
    if (cached_bytes(path_) != 0) GTEST_SKIP() << "no disk: pages do not leave the cache";
  }

  Status write(std::size_t mebibytes, WriterOptions options = {}) {
    options.cache = Cache::drop;
    Writer writer;
    Status status = writer.open(path_, options);
    const std::string piece = pattern(7, mebibyte);
    for (std::size_t i = 0; status.ok() && i < mebibytes; ++i) {
      writer.write(piece);
      if (i % 16 == 15) most_cached_ = std::max(most_cached_, cached_bytes(path_));
    }
    return writer.close();
  }

  ScratchDirectory directory_{ScratchDirectory::on_disk};
  const std::string path_ = directory_.file("out");
  std::uint64_t most_cached_ = 0;
};

TEST_F(CacheDrop, AWriterHasAtMost64MebibytesInTheCacheAndNothingAfterClose) {
  EXPECT_TRUE(write(160).ok());
  EXPECT_LE(most_cached_, 64 * mebibyte);
  EXPECT_EQ(cached_bytes(path_), 0u);
  EXPECT_EQ(contents_of(path_).substr(159 * mebibyte), pattern(7, mebibyte));
}

TEST_F(CacheDrop, ALargePaceOfWriteBackChangesNothing) {
  EXPECT_TRUE(write(112, {.write_back_bytes = 100 * mebibyte}).ok());
  EXPECT_LE(most_cached_, 64 * mebibyte);
  EXPECT_EQ(cached_bytes(path_), 0u);
}

TEST_F(CacheDrop, ASmallFileLeavesNothing) {
  for (const CreateMode create :
       {CreateMode::truncate, CreateMode::append, CreateMode::replace_atomically}) {
    read_into_cache(path_);
    Writer writer;
    ASSERT_TRUE(writer.open(path_, {.create = create, .cache = Cache::drop}).ok());
    writer.write("a few bytes");
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(cached_bytes(path_), 0u);
  }
}

TEST_F(CacheDrop, PatchedAndSkippedPlacesLeaveNothing) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.cache = Cache::drop}).ok());
  for (int i = 0; i < 48; ++i) writer.write(std::string(mebibyte, 'x'));
  EXPECT_TRUE(writer.write_at(5, "patch").ok());
  EXPECT_TRUE(writer.seek(100 * mebibyte).ok());
  writer.write("far");
  EXPECT_TRUE(writer.seek(mebibyte).ok());
  writer.write("back");
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(cached_bytes(path_), 0u);
}

// Looks at the bytes in the cache after every large write, and after some of the small ones.
class MostCached final : public FaultySystemCalls {
 public:
  explicit MostCached(std::string path) : path_(std::move(path)) {}
  os::CallResult pwritev(int descriptor, const iovec* pieces, int count,
                         std::uint64_t position) override {
    const os::CallResult result = FaultySystemCalls::pwritev(descriptor, pieces, count, position);
    if (++writes_ % 16 == 0 || result >= static_cast<os::CallResult>(mebibyte)) {
      most = std::max(most, cached_bytes(path_));
    }
    return result;
  }
  std::uint64_t most = 0;

 private:
  const std::string path_;
  std::size_t writes_ = 0;
};

TEST_F(CacheDrop, OneLargeWriteHasAtMost64MebibytesInTheCache) {
  const std::string bytes = pattern(3, 160 * mebibyte);
  MostCached calls(path_);
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.cache = Cache::drop}).ok());
  writer.write("x");
  writer.write(bytes);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_LE(calls.most, 64 * mebibyte);
  EXPECT_TRUE(contents_of(path_) == "x" + bytes);
}

// As a program that writes the columns of a table in turn.
TEST_F(CacheDrop, RegionsThatAreWrittenInTurnHaveAtMost64MebibytesInTheCache) {
  MostCached calls(path_);
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.cache = Cache::drop}).ok());
  const std::string piece = pattern(3, 4 * mebibyte);
  for (std::size_t i = 0; i < 16; ++i) {
    for (const std::size_t region : {std::size_t{0}, 100 * mebibyte}) {
      ASSERT_TRUE(writer.seek(region + i * piece.size()).ok());
      writer.write(piece);
    }
  }
  EXPECT_TRUE(writer.close().ok());
  EXPECT_LE(calls.most, 64 * mebibyte);
}

TEST_F(CacheDrop, PatchesHaveAtMost64MebibytesInTheCache) {
  for (const Direct direct : {Direct::off, Direct::if_possible}) {
    MostCached calls(path_);
    const os::ScopedSystemCalls in_place(calls);
    Writer writer;
    ASSERT_TRUE(writer.open(path_, {.cache = Cache::drop, .direct = direct}).ok());
    const std::string piece = pattern(3, mebibyte);
    for (std::size_t i = 0; i < 128; ++i) ASSERT_TRUE(writer.write_at(i * mebibyte, piece).ok());
    EXPECT_TRUE(writer.close().ok());
    EXPECT_LE(calls.most, 64 * mebibyte);
  }
}

TEST_F(CacheDrop, OneLargePatchHasAtMost64MebibytesInTheCache) {
  for (const Direct direct : {Direct::off, Direct::if_possible}) {
    MostCached calls(path_);
    const os::ScopedSystemCalls in_place(calls);
    Writer writer;
    ASSERT_TRUE(writer.open(path_, {.cache = Cache::drop, .direct = direct}).ok());
    EXPECT_TRUE(writer.write_at(0, pattern(3, 128 * mebibyte)).ok());
    EXPECT_TRUE(writer.close().ok());
    EXPECT_LE(calls.most, 64 * mebibyte);
  }
}

TEST_F(CacheDrop, WithoutItTheFileStaysInTheCache) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  writer.write(std::string(mebibyte, 'x'));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(cached_bytes(path_), mebibyte);
}

// Pages that are given up before the disk has them would stay.
TEST_F(CacheDrop, BytesAreGivenUpOnlyWhenTheDiskHasThem) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  EXPECT_TRUE(write(80).ok());
  std::uint64_t waited_to = 0;
  std::size_t forgotten = 0;
  for (const CallRecord& record : calls.records()) {
    const std::uint64_t end = record.bytes == 0 ? UINT64_MAX : record.position + record.bytes;
    if (record.call == Call::sync_file_range && record.flags == wait_flags) {
      EXPECT_LE(record.position, waited_to) << "a gap";
      waited_to = std::max(waited_to, end);
    }
    if (record.call != Call::forget_cached) continue;
    EXPECT_LE(end, waited_to) << calls.log();
    ++forgotten;
  }
  EXPECT_GE(forgotten, 5u);
  EXPECT_EQ(waited_to, UINT64_MAX);
}

TEST_F(CacheDrop, AFailureOfTheDiskIsFinal) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.fail(Call::sync_file_range, 5, EIO);  // the first wait comes after four beginnings
  const Status closed = write(80);
  EXPECT_EQ(closed.operation(), Operation::sync) << closed.message();
  EXPECT_EQ(closed.code().value(), EIO);
  const std::vector<CallRecord> waits = calls.records(Call::sync_file_range);
  ASSERT_FALSE(waits.empty());
  EXPECT_EQ(waits.back().flags, wait_flags) << "the failure must be one of a wait";
  EXPECT_TRUE(waits.back().injected) << "no second try";
  EXPECT_EQ(calls.count(Call::forget_cached), 0u);
}

TEST_F(CacheDrop, AFailureOfTheDiskAtTheEndFailsClose) {
  for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    make_file(path_, "old");
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    calls.fail(Call::sync_file_range, 1, EIO);
    Writer writer;
    ASSERT_TRUE(writer.open(path_, {.create = create, .cache = Cache::drop}).ok());
    writer.write("new");
    const Status closed = writer.close();
    EXPECT_EQ(closed.operation(), Operation::sync) << closed.message();
    EXPECT_EQ(closed.code().value(), EIO);
    EXPECT_EQ(writer.status().message(), closed.message());
    EXPECT_EQ(writer.close().message(), closed.message());
    EXPECT_EQ(contents_of(path_), create == CreateMode::truncate ? "new" : "old");
  }
}

TEST_F(CacheDrop, AFileSystemWithoutWriteBackCallsLosesNothing) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.fail(Call::sync_file_range, 1, ENOSYS, Repeat::for_ever);
  calls.fail(Call::forget_cached, 1, ENOSYS, Repeat::for_ever);
  EXPECT_TRUE(write(48).ok());
  EXPECT_EQ(contents_of(path_).size(), 48 * mebibyte);
}

TEST_F(CacheDrop, EverySystemCallFailsInTurn) {
  const auto run = [&](FaultySystemCalls& calls) {
    make_file(path_, "");
    const os::ScopedSystemCalls in_place(calls);
    const Status closed = write(34, {.durability = Durability::on_close});
    const std::string contents = contents_of(path_);
    if (!closed.ok()) return;
    EXPECT_EQ(contents.size(), 34 * mebibyte);
  };
  FaultySystemCalls counting;
  run(counting);
  const std::size_t calls = counting.count_that_can_fail();
  fail_in_turn(calls, EIO, Repeat::once, run, 13);
}

TEST_F(CacheDrop, AReaderLeavesNothing) {
  ASSERT_TRUE(write(48).ok());
  for (const std::size_t block_bytes : {std::size_t{4'096}, 256 * 1024 * std::size_t{1}}) {
    Reader reader;
    ASSERT_TRUE(reader.open(path_, {.block_bytes = block_bytes, .cache = Cache::drop}).ok());
    std::uint64_t most = 0;
    std::vector<std::byte> piece(block_bytes / 2);
    while (reader.read(piece) == piece.size()) {
      if (reader.position() % (12 * mebibyte) == 0) most = std::max(most, cached_bytes(path_));
    }
    EXPECT_EQ(reader.position(), 48 * mebibyte);
    EXPECT_GE(most, mebibyte);
    EXPECT_LE(most, 40 * mebibyte);
    EXPECT_TRUE(reader.close().ok());
    EXPECT_EQ(cached_bytes(path_), 0u);
  }
}

TEST_F(CacheDrop, ADirectReaderGivesUpThePagesThatWereInTheCacheBefore) {
  if (!disk_has_direct_io()) GTEST_SKIP() << "the disk has no direct I/O";
  ASSERT_TRUE(write(20).ok());
  read_into_cache(path_);
  ASSERT_EQ(cached_bytes(path_), 20 * mebibyte);
  Reader reader;
  ASSERT_TRUE(reader.open(path_, {.cache = Cache::drop, .direct = Direct::on}).ok());
  EXPECT_EQ(reader.skip(20 * mebibyte), 20 * mebibyte);
  std::vector<std::byte> piece(10'000);
  ASSERT_TRUE(reader.seek(0).ok());
  while (reader.read(piece) == piece.size()) {
  }
  EXPECT_TRUE(reader.close().ok());
  EXPECT_EQ(cached_bytes(path_), 0u);
}

// What the kernel has read ahead, and whether it can give up such pages at once, is its own matter.
TEST_F(CacheDrop, AReaderThatStopsEarlyAsksTheKernelToGiveUpPages) {
  ASSERT_TRUE(write(40).ok());
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Reader reader;
  ASSERT_TRUE(reader.open(path_, {.cache = Cache::drop}).ok());
  std::vector<std::byte> piece(10'000);
  while (reader.position() < 3 * mebibyte) ASSERT_EQ(reader.read(piece), piece.size());
  EXPECT_EQ(calls.count(Call::forget_cached), 0u);
  EXPECT_TRUE(reader.close().ok());
  EXPECT_EQ(calls.count(Call::forget_cached), 1u);
}

TEST_F(CacheDrop, AReaderAtRandomPlacesGivesUpPagesToo) {
  ASSERT_TRUE(write(80).ok());
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Reader reader;
  ASSERT_TRUE(reader.open(path_, {.cache = Cache::drop}).ok());
  std::string bytes(3 * mebibyte, ' ');
  EXPECT_EQ(reader.read(std::as_writable_bytes(std::span(bytes))), bytes.size());
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    ASSERT_TRUE(reader.seek(i * 7'919'993 % (80 * mebibyte)).ok());
    ASSERT_NE(reader.get(), Reader::end);
  }
  EXPECT_TRUE(reader.seek(10 * mebibyte).ok());
  EXPECT_NE(reader.get(), Reader::end);
  EXPECT_GE(calls.count(Call::forget_cached), 1u) << "8 MiB of pages were read";
  EXPECT_TRUE(reader.close().ok());
  EXPECT_LE(cached_bytes(path_), 13 * mebibyte) << "pages of the last seeks may stay";
}

TEST_F(CacheDrop, AnAttachedDescriptorIsReadSo) {
  ASSERT_TRUE(write(20).ok());
  const int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  Reader reader;
  ASSERT_TRUE(reader.attach(descriptor, "mine", {.cache = Cache::drop}).ok());
  std::vector<std::byte> piece(10'000);
  while (reader.read(piece) == piece.size()) {
  }
  EXPECT_TRUE(reader.close().ok());
  EXPECT_EQ(cached_bytes(path_), 0u);
  ::close(descriptor);
}

TEST_F(CacheDrop, HasNoEffectOnAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Writer writer;
  ASSERT_TRUE(writer.attach(ends[1], "a pipe", {.cache = Cache::drop}).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_TRUE(writer.close().ok()) << writer.status().message();
  ::close(ends[1]);
  Reader reader;
  ASSERT_TRUE(reader.attach(ends[0], "a pipe", {.cache = Cache::drop}).ok());
  EXPECT_EQ(reader.skip(100), 5u);
  EXPECT_TRUE(reader.close().ok());
  ::close(ends[0]);
}

}  // namespace
}  // namespace sluice::testing
