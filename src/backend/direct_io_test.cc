// Direct::on: whole blocks go past the cache, every other byte arrives too, and files without
// direct I/O are refused.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sluice/reader.h"
#include "sluice/sinks.h"
#include "sluice/writer.h"
#include "testing/cached_pages.h"
#include "testing/failed_in_turn.h"
#include "testing/faulty_system_calls.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr std::size_t block = 64 * 1024;

class DirectIo : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!disk_has_direct_io()) GTEST_SKIP() << "no direct I/O in " << ScratchDirectory::on_disk;
  }

  static WriterOptions directly(CreateMode create = CreateMode::truncate) {
    return {.create = create, .block_bytes = block, .direct = Direct::on};
  }

  // The bytes of the writes that were made while the file was direct.
  static std::uint64_t written_directly(const FaultySystemCalls& calls) {
    bool is_direct = false;
    std::uint64_t bytes = 0;
    for (const CallRecord& record : calls.records()) {
      if (record.call == Call::set_status_flags) is_direct = (record.flags & O_DIRECT) != 0;
      if (record.call != Call::pwritev || !is_direct || record.result < 0) continue;
      EXPECT_EQ(record.position % 4096, 0u);
      bytes += static_cast<std::uint64_t>(record.result);
    }
    return bytes;
  }

  Status write_pieces(const std::string& bytes, std::size_t piece, const WriterOptions& options) {
    Writer writer;
    Status status = writer.open(path_, options);
    for (std::size_t i = 0; status.ok() && i < bytes.size(); i += piece) {
      writer.write(std::string_view(bytes).substr(i, piece));
    }
    return writer.close();
  }

  ScratchDirectory directory_{ScratchDirectory::on_disk};
  const std::string path_ = directory_.file("out");
  ScratchDirectory memory_;
};

TEST_F(DirectIo, WholeBlocksGoDirectlyAndTheEndThroughTheCache) {
  const std::string bytes = pattern(0, 10 * block + 5'000);
  for (const std::size_t piece : {std::size_t{100}, block / 3, 3 * block, bytes.size()}) {
    for (const CreateMode create :
         {CreateMode::truncate, CreateMode::replace_atomically, CreateMode::existing}) {
      FaultySystemCalls calls;
      const os::ScopedSystemCalls in_place(calls);
      make_file(path_, "old");
      take_out_of_cache(path_);
      ASSERT_TRUE(write_pieces(bytes, piece, directly(create)).ok());
      EXPECT_EQ(written_directly(calls), 10 * block + 4'096) << calls.log();
      // A payload that happens to be aligned leaves in one call, so the allocator decides.
      EXPECT_LE(calls.count(Call::pwritev), 12u) << "a call for each block, and two for the end";
      EXPECT_LE(cached_bytes(path_), 8'192u);
      EXPECT_EQ(contents_of(path_), bytes);
    }
  }
}

TEST_F(DirectIo, EverySizeAroundAPageArrives) {
  for (const std::size_t begin : {std::size_t{0}, 4'096 * std::size_t{1}, block}) {
    for (const int beyond : {-513, -512, -1, 0, 1, 511, 512, 4'095}) {
      if (begin == 0 && beyond < 0) continue;
      const std::string bytes = pattern(3, begin + static_cast<std::size_t>(beyond));
      ASSERT_TRUE(write_pieces(bytes, 1'000, directly()).ok());
      ASSERT_EQ(contents_of(path_), bytes);
    }
  }
}

TEST_F(DirectIo, FlushedBytesAreVisibleWhereverTheyEnd) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, directly()).ok());
  std::string all;
  for (std::size_t i = 0; i < 60; ++i) {
    const std::string bytes = pattern(all.size(), 1 + i * 1'777 % (block + 100));
    writer.write(bytes);
    all += bytes;
    ASSERT_TRUE(writer.flush(i % 7 == 0 ? FlushTo::storage : FlushTo::os).ok());
    ASSERT_EQ(contents_of(path_), all);
  }
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(DirectIo, PatchesAndSeeksWriteOverDirectBytes) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, directly()).ok());
  std::string all = pattern(0, 5 * block);
  writer.write(all);
  for (const std::size_t at : {std::size_t{0}, std::size_t{5'000}, block - 3, 4 * block}) {
    EXPECT_TRUE(writer.write_at(at, "patched").ok());
    all.replace(at, 7, "patched");
  }
  ASSERT_TRUE(writer.seek(block + 10).ok());
  const std::string over = pattern(99, 2 * block);
  writer.write(over);
  all.replace(block + 10, over.size(), over);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path_), all);
}

TEST_F(DirectIo, EveryDurabilityHolds) {
  for (const Durability durability :
       {Durability::on_close, Durability::every_flush, Durability::every_write}) {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    WriterOptions options = directly();
    options.durability = durability;
    const std::string bytes = pattern(5, 3 * block + 100);
    ASSERT_TRUE(write_pieces(bytes, 9'000, options).ok());
    EXPECT_EQ(contents_of(path_), bytes);
    EXPECT_GE(calls.count(Call::fdatasync), 1u) << "a direct write is not durable by itself";
    if (durability == Durability::every_write) continue;
    EXPECT_GT(calls.last(Call::fdatasync), calls.last(Call::pwritev));
  }
}

TEST_F(DirectIo, ARefusalNamesTheReasonAndKeepsTheOldBytes) {
  const std::string path = memory_.file("old");
  if (memory_.path().starts_with("/dev/shm")) {
    for (const CreateMode create :
         {CreateMode::truncate, CreateMode::existing, CreateMode::replace_atomically}) {
      make_file(path, "old bytes");
      Writer writer;
      const Status status = writer.open(path, directly(create));
      EXPECT_EQ(status.code().value(), ENOTSUP) << status.message();
      EXPECT_NE(status.message().find("no direct I/O"), std::string::npos) << status.message();
      EXPECT_EQ(contents_of(path), "old bytes");
      EXPECT_EQ(number_of_files(memory_.path()), 1u);
    }
    Reader reader;
    EXPECT_EQ(reader.open(path, {.direct = Direct::on}).code().value(), ENOTSUP);
  }
  Writer writer;
  EXPECT_EQ(writer.open("/dev/null", directly()).code().value(), ENOTSUP);
}

TEST_F(DirectIo, TargetsWithoutPlacesAreRefusedBeforeTheyAreOpened) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  const Status appending = writer.open(path_, directly(CreateMode::append));
  const Status attached = writer.attach(1, "standard output", directly());
  Reader reader;
  const Status reading = reader.attach(0, "standard input", {.direct = Direct::on});
  for (const Status& status : {appending, attached, reading}) {
    EXPECT_EQ(status.code().value(), EINVAL) << status.message();
    EXPECT_NE(status.message().find("option direct is on"), std::string::npos) << status.message();
  }
  EXPECT_EQ(calls.count(Call::open), 0u);
  EXPECT_FALSE(file_exists(path_));
}

TEST_F(DirectIo, IfPossibleWritesEveryOtherTargetThroughTheCache) {
  WriterOptions options = directly();
  options.direct = Direct::if_possible;
  const std::string bytes = pattern(1, 2 * block + 77);
  const std::string in_memory = memory_.file("new");
  Writer writer;
  ASSERT_TRUE(writer.open(in_memory, options).ok());
  writer.write(bytes);
  EXPECT_TRUE(writer.close().ok());
  Reader reader;
  ASSERT_TRUE(reader.open(in_memory, {.direct = Direct::if_possible}).ok());
  EXPECT_EQ(reader.skip(1'000'000), bytes.size());

  options.create = CreateMode::append;
  EXPECT_TRUE(write_pieces(bytes, 500, options).ok());
  EXPECT_EQ(contents_of(path_), bytes);
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Writer pipe;
  ASSERT_TRUE(pipe.attach(ends[1], "a pipe", options).ok());
  EXPECT_TRUE(pipe.write("bytes"));
  EXPECT_TRUE(pipe.close().ok());
  EXPECT_EQ(::fcntl(ends[1], F_GETFL) & O_DIRECT, 0) << "O_DIRECT cuts a pipe into packets";
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(DirectIo, OnlyIfPossibleGoesOnWhenTheKernelRefusesAWrite) {
  const std::string bytes = pattern(1, 9 * block + 77);
  for (const Direct direct : {Direct::on, Direct::if_possible}) {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    calls.fail(Call::pwritev, 3, EINVAL);
    WriterOptions options = directly();
    options.direct = direct;
    const Status closed = write_pieces(bytes, 500, options);
    if (direct == Direct::on) {
      EXPECT_EQ(closed.code().value(), EINVAL) << closed.message();
      EXPECT_EQ(closed.offset(), 2 * block);
      EXPECT_EQ(contents_of(path_), bytes.substr(0, 2 * block));
    } else {
      EXPECT_TRUE(closed.ok()) << closed.message();
      EXPECT_EQ(contents_of(path_), bytes);
    }
  }
}

// The first part of a write may still have gone directly.
TEST_F(DirectIo, IfPossibleGoesOnWhenTheKernelRefusesALaterPartOfAWrite) {
  const std::string bytes = pattern(1, 9 * block);
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.limit_transfers(8'192);
  calls.fail(Call::pwritev, 3, EINVAL);
  WriterOptions options = directly();
  options.direct = Direct::if_possible;
  const Status closed = write_pieces(bytes, 500, options);
  EXPECT_TRUE(closed.ok()) << closed.message();
  EXPECT_EQ(contents_of(path_), bytes);
}

TEST_F(DirectIo, OnlyIfPossibleGoesOnWhenTheKernelMakesNoFileDirect) {
  const std::string bytes = pattern(3, 3 * block + 100);
  for (const Direct direct : {Direct::on, Direct::if_possible}) {
    const int expected = direct == Direct::on ? EINVAL : 0;
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    calls.fail(Call::set_status_flags, 1, EINVAL, Repeat::for_ever);
    WriterOptions options = directly();
    options.direct = direct;
    EXPECT_EQ(write_pieces(bytes, block, options).code().value(), expected);
    make_file(path_, bytes);
    Reader reader;
    std::string back;
    Status status = reader.open(path_, {.block_bytes = block, .direct = direct});
    if (status.ok()) status = reader.read_rest(back);
    EXPECT_EQ(status.code().value(), expected) << status.message();
    EXPECT_EQ(back, expected == 0 ? bytes : "");
  }
}

TEST_F(DirectIo, OnlyIfPossibleGoesOnWhenTheKernelRefusesARead) {
  const std::string bytes = pattern(1, 9 * block + 77);
  make_file(path_, bytes);
  for (const Direct direct : {Direct::on, Direct::if_possible}) {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    calls.fail(Call::pread, 3, EINVAL, Repeat::once);
    Reader reader;
    ASSERT_TRUE(reader.open(path_, {.block_bytes = block, .direct = direct}).ok());
    std::string read;
    const Status status = reader.read_rest(read);
    if (direct == Direct::on) {
      EXPECT_EQ(status.code().value(), EINVAL) << status.message();
    } else {
      EXPECT_TRUE(status.ok()) << status.message();
      EXPECT_EQ(read, bytes);
    }
  }
}

TEST_F(DirectIo, AFullDiskKeepsEveryByteBeforeTheNamedOne) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.limit_transfers(8'192);
  calls.fail(Call::pwritev, 10, ENOSPC, Repeat::for_ever);
  const std::string bytes = pattern(1, 9 * block);
  const Status closed = write_pieces(bytes, 500, directly());
  EXPECT_EQ(closed.code().value(), ENOSPC);
  EXPECT_EQ(closed.offset(), 9 * 8'192u);
  EXPECT_EQ(contents_of(path_), bytes.substr(0, 9 * 8'192));
}

TEST_F(DirectIo, EverySystemCallFailsInTurn) {
  const std::string bytes = pattern(1, 2 * block + 5'000);
  for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    const auto run = [&](FaultySystemCalls& calls) {
      make_file(path_, "old");
      const os::ScopedSystemCalls in_place(calls);
      WriterOptions options = directly(create);
      options.durability = Durability::on_close;
      Writer writer;
      Status status = writer.open(path_, options);
      if (!status.ok()) return;
      writer.write(bytes);
      status = writer.flush();
      static_cast<void>(writer.write_at(5, "x"));
      const Status closed = writer.close();
      const std::string contents = contents_of(path_);
      if (closed.ok()) {
        EXPECT_EQ(contents.substr(6), bytes.substr(6));
      } else if (create == CreateMode::replace_atomically) {
        const bool is_new = closed.operation() == Operation::sync_directory ||
                            closed.operation() == Operation::close;
        EXPECT_TRUE(contents == "old" || is_new) << closed.message();
      }
      EXPECT_EQ(closed.ok(), writer.status().ok()) << closed.message();
    };
    FaultySystemCalls counting;
    run(counting);
    fail_in_turn(counting.count_that_can_fail(), EIO, Repeat::once, run);
    fail_in_turn(counting.count_that_can_fail(), EIO, Repeat::for_ever, run);
  }
}

TEST_F(DirectIo, AReaderGetsEveryByteAndLeavesTheCacheAlone) {
  const std::string bytes = pattern(2, 5 * block + 1'234);
  make_file(path_, bytes);
  take_out_of_cache(path_);
  for (const std::size_t block_bytes : {std::size_t{4'096}, block, 16 * block}) {
    Reader reader;
    ASSERT_TRUE(reader.open(path_, {.block_bytes = block_bytes, .direct = Direct::on}).ok());
    std::string read;
    for (std::string piece(9'999, ' ');;) {
      const std::size_t got = reader.read(std::as_writable_bytes(std::span(piece)));
      read.append(piece, 0, got);
      if (got < piece.size()) break;
    }
    EXPECT_EQ(read, bytes);
    EXPECT_TRUE(reader.seek(bytes.size() - 1).ok());
    EXPECT_EQ(reader.get(), static_cast<unsigned char>(bytes.back()));
    EXPECT_EQ(reader.get(), Reader::end);
    EXPECT_TRUE(reader.seek(INT64_MAX - 1).ok());
    EXPECT_EQ(reader.get(), Reader::end);
    EXPECT_TRUE(reader.close().ok()) << reader.status().message();
    EXPECT_EQ(cached_bytes(path_), 0u);
  }
}

TEST_F(DirectIo, AReaderFollowsAFileThatGrows) {
  make_file(path_, "begin");
  Reader reader;
  ASSERT_TRUE(reader.open(path_, {.direct = Direct::on}).ok());
  EXPECT_EQ(reader.skip(100), 5u);
  std::ofstream(path_, std::ios::app) << std::string(10'000, 'y');
  EXPECT_TRUE(reader.seek(5).ok());
  EXPECT_EQ(reader.skip(100'000), 10'000u);
}

TEST_F(DirectIo, AForkedChildWritesNothing) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, directly()).ok());
  const std::string bytes = pattern(1, block + 100);
  writer.write(bytes);
  const pid_t child = ::fork();
  if (child == 0) {
    writer = Writer();
    ::_exit(0);
  }
  int result = 0;
  ASSERT_EQ(::waitpid(child, &result, 0), child);
  writer.write(bytes);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(contents_of(path_), bytes + bytes);
}

TEST_F(DirectIo, AnAlignedPayloadIsNotCopied) {
  std::vector<std::byte> memory(4 * block + 4096 + 100);
  std::byte* const aligned =
      memory.data() + (4096 - reinterpret_cast<std::uintptr_t>(memory.data()) % 4096);
  const std::string bytes = pattern(5, 4 * block);
  std::memcpy(aligned, bytes.data(), bytes.size());
  for (const bool is_aligned : {true, false}) {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    if (!is_aligned) std::memmove(aligned + 1, bytes.data(), bytes.size());
    Writer writer;
    ASSERT_TRUE(writer.open(path_, directly()).ok());
    writer.write_value('x');  // the payload follows a full block
    writer.write(std::string_view(bytes).substr(1, block - 1));
    const std::byte* const data = aligned + (is_aligned ? 0 : 1);
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(writer.write(data, bytes.size()));
    EXPECT_TRUE(writer.close().ok());
    std::string all = bytes.substr(0, block);
    all[0] = 'x';
    all.append(bytes).append(bytes);
    EXPECT_EQ(contents_of(path_), all);
    EXPECT_EQ(written_directly(calls), 9 * block);
    EXPECT_EQ(calls.count(Call::pwritev), is_aligned ? 3u : 9u) << calls.log();
  }
}

TEST_F(DirectIo, AWrappedSinkGetsAlignedBlocks) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  std::unique_ptr<Sink> file;
  ASSERT_TRUE(open_file_sink(path_, directly(), file).ok());
  std::uint64_t counted = 0;
  Writer writer;
  ASSERT_TRUE(
      writer.open(make_counting_sink(std::move(file), counted), {.block_bytes = block}).ok());
  writer.write("a few bytes");
  writer.write(pattern(0, 4 * block));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(counted, 4 * block + 11);
  EXPECT_EQ(calls.count(Call::pwritev), 5u) << calls.log();
}

}  // namespace
}  // namespace sluice::testing
