// Direct reads in the background: the same bytes, whatever the kernel refuses.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sluice/reader.h"
#include "testing/cached_pages.h"
#include "testing/failed_in_turn.h"
#include "testing/faulty_system_calls.h"
#include "testing/lost_errors.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr std::size_t block = 64 * 1024;
constexpr std::size_t patterned_bytes = 16 * block;
constexpr std::uint64_t worth_a_queue = std::uint64_t{256} << 20;  // from the first read on

// A disk whose blocks from `bad` on cannot be read.
class BadDisk final : public FaultySystemCalls {
 public:
  os::CallResult pread(int descriptor, void* into, std::size_t bytes,
                       std::uint64_t position) override {
    if (position + bytes > bad) return -EIO;
    return FaultySystemCalls::pread(descriptor, into, bytes, position);
  }
  os::CallResult begin_read(std::uint64_t queue, int descriptor, void* into, std::size_t bytes,
                            std::uint64_t position) override {
    is_bad_ = position + bytes > bad;
    return FaultySystemCalls::begin_read(queue, descriptor, into, bytes, position);
  }
  os::CallResult finish_read(std::uint64_t queue, os::CallResult& read) override {
    const os::CallResult done = FaultySystemCalls::finish_read(queue, read);
    if (is_bad_) read = -EIO;
    return done;
  }

  static constexpr std::uint64_t bad = 12 * block;

 private:
  bool is_bad_ = false;
};

// A kernel that reads late: it has bytes for the memory of a read whenever another call comes, and
// at the latest when the queue is closed. finish_read() is forbidden, and perhaps the closing too.
class LateKernel final : public FaultySystemCalls {
 public:
  explicit LateKernel(bool closing_is_forbidden) : closing_is_forbidden_(closing_is_forbidden) {}

  os::CallResult open_read_queue(std::uint64_t& queue) override {
    queue = 1;
    return 0;
  }
  os::CallResult begin_read(std::uint64_t, int, void* into, std::size_t bytes,
                            std::uint64_t) override {
    ++begun;
    under_way_ = {static_cast<std::byte*>(into), bytes};
    return 1;
  }
  os::CallResult finish_read(std::uint64_t, os::CallResult&) override { return -EPERM; }
  os::CallResult close_read_queue(std::uint64_t) override {
    write_late();
    if (closing_is_forbidden_) return -EPERM;
    under_way_ = {};
    return 0;
  }
  os::CallResult pread(int descriptor, void* into, std::size_t bytes,
                       std::uint64_t position) override {
    const os::CallResult read = FaultySystemCalls::pread(descriptor, into, bytes, position);
    write_late();
    return read;
  }
  void write_late() { std::ranges::fill(under_way_, std::byte{'?'}); }

  int begun = 0;

 private:
  const bool closing_is_forbidden_;
  MutableBytesView under_way_;
};

class DirectReadAhead : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!disk_has_direct_io()) GTEST_SKIP() << "no direct I/O in " << ScratchDirectory::on_disk;
    make_file(path_, bytes_);
    // Zeros follow, and take no room on the disk.
    std::filesystem::resize_file(path_, worth_a_queue + 9 * block);
    take_queues();
  }

  // Leaves no queue of an earlier test: as many Readers as queues are kept use one each.
  void take_queues() {
    while (true) {
      FaultySystemCalls calls;
      const os::ScopedSystemCalls in_place(calls);
      calls.fail(Call::open_read_queue, 1, EAGAIN, Repeat::for_ever);
      auto reader = std::make_unique<Reader>();
      ASSERT_TRUE(reader->open(path_, directly()).ok());
      read_blocks(*reader, 10);
      if (calls.count(Call::begin_read) == 0) return;
      with_queue_.push_back(std::move(reader));
    }
  }

  static ReaderOptions directly() { return {.block_bytes = block, .direct = Direct::on}; }

  // Reads so many blocks, in pieces that are copied. Stops at a failure.
  std::string read_blocks(Reader& reader, std::size_t blocks) {
    std::string all;
    for (std::string piece(block / 4, ' '); all.size() < blocks * block;) {
      const std::size_t got = reader.read(std::as_writable_bytes(std::span(piece)));
      all.append(piece, 0, got);
      if (got == 0) break;
    }
    return all;
  }

  // Reads the first blocks. Afterwards the kernel reads the next one.
  void open_and_begin(Reader& reader, const FaultySystemCalls& calls) {
    ASSERT_TRUE(reader.open(path_, directly()).ok());
    read_until_the_kernel_reads(reader, calls);
  }

  void read_until_the_kernel_reads(Reader& reader, const FaultySystemCalls& calls) {
    const std::size_t under_way = calls.count(Call::begin_read) - calls.count(Call::finish_read);
    ASSERT_TRUE(read_blocks(reader, 10) == bytes_.substr(0, 10 * block));
    ASSERT_EQ(calls.count(Call::begin_read) - calls.count(Call::finish_read), under_way + 1);
  }

  // Every read has ended before its memory was released and before its file was closed.
  static void expect_ended_in_time(const FaultySystemCalls& calls) {
    EXPECT_EQ(calls.count(Call::finish_read), calls.count(Call::begin_read));
    EXPECT_LT(calls.last(Call::finish_read), calls.last(Call::close)) << calls.log();
    const std::vector<CallRecord> records = calls.records();
    const auto unmapped = std::ranges::find(records, Call::unmap, &CallRecord::call);
    ASSERT_NE(unmapped, records.end());
    EXPECT_LT(calls.last(Call::finish_read), unmapped - records.begin()) << calls.log();
  }

  void expect_all(Reader& reader) {
    EXPECT_TRUE(read_blocks(reader, 16) == bytes_) << reader.status().message();
    EXPECT_TRUE(reader.close().ok());
  }

  const std::string bytes_ = pattern(1, patterned_bytes);
  ScratchDirectory directory_{ScratchDirectory::on_disk};
  const std::string path_ = directory_.file("in");
  std::vector<std::unique_ptr<Reader>> with_queue_;
};

TEST_F(DirectReadAhead, ABlockIsReadWhileTheProgramUsesTheLastOne) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Reader reader;
  ASSERT_TRUE(reader.open(path_, directly()).ok());
  EXPECT_TRUE(read_blocks(reader, 16) == bytes_);
  EXPECT_EQ(calls.count(Call::open_read_queue), 1u);
  EXPECT_EQ(calls.count(Call::pread), 8u + 1u) << "the first block comes in two parts";
  EXPECT_EQ(calls.count(Call::begin_read), 8u + 1u) << calls.log();
  for (const CallRecord& read : calls.records(Call::begin_read)) {
    EXPECT_EQ(read.position % block, 0u);
    EXPECT_EQ(read.bytes, block);
  }
  EXPECT_TRUE(reader.close().ok());
  EXPECT_EQ(calls.count(Call::finish_read), 9u);
  EXPECT_EQ(calls.count(Call::unmap), calls.count(Call::map_memory));
  EXPECT_EQ(calls.count(Call::map_memory), 2u) << "two blocks";
  EXPECT_EQ(calls.count(Call::close_read_queue), 0u) << "the next Reader uses the queue";
}

TEST_F(DirectReadAhead, AQueueIsUsedAgainAndFewAreKept) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  std::vector<Reader> readers(6);
  for (Reader& reader : readers) {
    ASSERT_TRUE(reader.open(path_, directly()).ok());
    read_blocks(reader, 9);
  }
  EXPECT_EQ(calls.count(Call::open_read_queue), 6u);
  readers.clear();
  EXPECT_EQ(calls.count(Call::close_read_queue), 2u);
  Reader reader;
  ASSERT_TRUE(reader.open(path_, directly()).ok());
  expect_all(reader);
  EXPECT_EQ(calls.count(Call::open_read_queue), 6u);
}

TEST_F(DirectReadAhead, ASmallFileOpensNoQueueAndTakesOneThatIsThere) {
  bool has_spare = false;
  for (const bool is_small : {true, false, true}) {
    std::filesystem::resize_file(path_, worth_a_queue + 8 * block - (is_small ? 1 : 0));
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    Reader reader;
    ASSERT_TRUE(reader.open(path_, directly()).ok());
    expect_all(reader);
    EXPECT_EQ(calls.count(Call::open_read_queue), is_small ? 0u : 1u);
    EXPECT_EQ(calls.count(Call::begin_read) > 0, !is_small || has_spare);
    has_spare = !is_small;
  }
}

TEST_F(DirectReadAhead, NothingIsReadAheadIfTheProgramWantsNone) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  for (const bool is_direct : {true, false}) {
    Reader reader;
    ReaderOptions options = directly();
    if (is_direct) options.read_ahead = ReadAhead::off;
    if (!is_direct) options.direct = Direct::off;
    ASSERT_TRUE(reader.open(path_, options).ok());
    std::string piece(block / 4, ' ');
    for (int i = 0; i < 64; ++i) {
      reader.peek(piece.size());
      ASSERT_EQ(reader.skip(piece.size()), piece.size());
    }
  }
  EXPECT_EQ(calls.count(Call::open_read_queue), 0u);
  EXPECT_EQ(calls.count(Call::map_memory), 0u);
}

TEST_F(DirectReadAhead, EveryRefusalOfTheKernelLeavesEveryByte) {
  for (const Call call : {Call::open_read_queue, Call::begin_read, Call::finish_read,
                          Call::map_memory, Call::advise_huge_pages}) {
    for (const int error : {EAGAIN, EINVAL, ENOSYS, ENOMEM, EIO}) {
      for (const Repeat repeat : {Repeat::once, Repeat::for_ever}) {
        for (const std::size_t nth : {1u, 2u}) {
          const bool comes_once = call == Call::open_read_queue;
          if (nth > 1 && comes_once) continue;
          // One time in some hundred, the Reader's own block happens to lie where a huge page
          // begins, and no second block is made.
          const bool is_for_memory = call == Call::map_memory || call == Call::advise_huge_pages;
          const bool may_not_come = nth > 1 && is_for_memory;
          SCOPED_TRACE(::testing::Message()
                       << to_string(call) << ' ' << nth << ", error " << error);
          take_queues();
          FaultySystemCalls calls;
          const os::ScopedSystemCalls in_place(calls);
          calls.fail(call, nth, error, repeat);
          Reader reader;
          ASSERT_TRUE(reader.open(path_, directly()).ok());
          expect_all(reader);
          EXPECT_TRUE(may_not_come || !calls.injected().empty()) << calls.log();
        }
      }
    }
  }
}

TEST_F(DirectReadAhead, EveryFailedCallIsReportedOrDoesNotMatter) {
  LostErrors lost;
  const auto run = [&](FaultySystemCalls& calls) {
    const os::ScopedSystemCalls in_place(calls);
    Reader reader;
    if (!reader.open(path_, directly()).ok()) return;
    const std::string all = read_blocks(reader, 16);
    EXPECT_TRUE(all == bytes_.substr(0, all.size()));
    if (all.size() < bytes_.size()) {
      EXPECT_FALSE(reader.status().ok());
      EXPECT_EQ(reader.status().offset(), all.size()) << reader.status().message();
    }
    static_cast<void>(reader.close());
  };
  FaultySystemCalls counting;
  run(counting);
  fail_in_turn(counting.count_that_can_fail(), EIO, Repeat::once, run);
  fail_in_turn(counting.count_that_can_fail(), EIO, Repeat::for_ever, run);
}

TEST_F(DirectReadAhead, SignalsInterruptNothing) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  calls.interrupt_every_call();
  Reader reader;
  ASSERT_TRUE(reader.open(path_, directly()).ok());
  expect_all(reader);
  EXPECT_GE(calls.count(Call::begin_read), 8u);
}

TEST_F(DirectReadAhead, ASeekWhileTheKernelReadsLeadsToTheRightBytes) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Reader reader;
  open_and_begin(reader, calls);
  for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{3 * block + 1},
                                       std::uint64_t{10 * block}, std::uint64_t{11 * block + 77}}) {
    ASSERT_TRUE(reader.seek(position).ok());
    EXPECT_TRUE(read_blocks(reader, 2) == bytes_.substr(position, 2 * block)) << position;
    ASSERT_TRUE(reader.seek(0).ok());
    EXPECT_TRUE(read_blocks(reader, 10) == bytes_.substr(0, 10 * block));
    ASSERT_EQ(calls.count(Call::begin_read), calls.count(Call::finish_read) + 1);
  }
  EXPECT_TRUE(reader.close().ok());
  expect_ended_in_time(calls);
}

TEST_F(DirectReadAhead, AReaderThatIsClosedOrDestroyedWaitsForTheKernel) {
  for (const bool is_closed : {true, false}) {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    {
      Reader reader;
      open_and_begin(reader, calls);
      if (is_closed) {
        EXPECT_TRUE(reader.close().ok());
        EXPECT_EQ(calls.count(Call::finish_read), calls.count(Call::begin_read));
      }
    }
    expect_ended_in_time(calls);
  }
}

TEST_F(DirectReadAhead, AReaderThatIsMovedKeepsTheReadOfTheKernel) {
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  {
    Reader first;
    open_and_begin(first, calls);
    Reader moved = std::move(first);
    EXPECT_TRUE(read_blocks(moved, 1) == bytes_.substr(10 * block, block));
    Reader other;
    open_and_begin(other, calls);
    ASSERT_EQ(calls.count(Call::begin_read), calls.count(Call::finish_read) + 2);
    moved = std::move(other);  // the read of the Reader that is replaced ends first
    EXPECT_EQ(calls.count(Call::begin_read), calls.count(Call::finish_read) + 1);
    EXPECT_TRUE(read_blocks(moved, 6) == bytes_.substr(10 * block, 6 * block));
  }
  EXPECT_EQ(calls.count(Call::finish_read), calls.count(Call::begin_read));
}

// For example, a program has forbidden itself these calls after the read was begun.
TEST_F(DirectReadAhead, AReadThatCannotBeWaitedForHarmsNoByte) {
  for (const bool closing_is_forbidden : {false, true}) {
    LateKernel calls(closing_is_forbidden);
    const os::ScopedSystemCalls in_place(calls);
    Reader reader;
    ASSERT_TRUE(reader.open(path_, directly()).ok());
    expect_all(reader);
    EXPECT_EQ(calls.begun, 1) << "the kernel is asked again";
    calls.write_late();
  }
}

// The disk cannot read a block: the read in the background says so, and so does every other.
TEST_F(DirectReadAhead, ABadBlockFailsInItsPlace) {
  BadDisk calls;
  const os::ScopedSystemCalls in_place(calls);
  Reader reader;
  ASSERT_TRUE(reader.open(path_, directly()).ok());
  EXPECT_TRUE(read_blocks(reader, 12) == bytes_.substr(0, BadDisk::bad));
  EXPECT_GE(calls.count(Call::begin_read), 5u);
  EXPECT_TRUE(reader.status().ok()) << "too early";
  EXPECT_EQ(read_blocks(reader, 1), "");
  EXPECT_EQ(reader.status().code().value(), EIO);
  EXPECT_EQ(reader.status().offset(), BadDisk::bad);
}

TEST_F(DirectReadAhead, AForkedChildAndItsParentReadOn) {
  std::filesystem::resize_file(path_, worth_a_queue + 20 * block);
  Reader reader;
  ASSERT_TRUE(reader.open(path_, directly()).ok());
  std::string all = read_blocks(reader, 10);
  const pid_t child = ::fork();
  if (child == 0) {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    const bool is_right = all + read_blocks(reader, 6) == bytes_ && reader.close().ok();
    Reader another;
    const bool reads_another =
        another.open(path_, directly()).ok() && read_blocks(another, 16) == bytes_;
    another = Reader();
    bool reads_ahead = calls.count(Call::begin_read) >= 5u + 8u;
    for (const CallRecord& read : calls.records(Call::begin_read)) {
      reads_ahead = reads_ahead && read.result == 1;
    }
    ::_exit(!is_right || !reads_another ? 1 : !reads_ahead ? 2 : 0);
  }
  int result = -1;
  ASSERT_EQ(::waitpid(child, &result, 0), child);
  EXPECT_EQ(result, 0);
  all += read_blocks(reader, 6);
  EXPECT_TRUE(all == bytes_);
  EXPECT_TRUE(reader.close().ok());
}

TEST_F(DirectReadAhead, PagesThatWereInTheCacheAreGivenUp) {
  read_into_cache(path_);
  ReaderOptions options = directly();
  options.cache = Cache::drop;
  Reader reader;
  ASSERT_TRUE(reader.open(path_, options).ok());
  while (reader.skip(block / 2) != 0) {
    reader.peek(1);
  }
  EXPECT_TRUE(reader.close().ok());
  EXPECT_EQ(cached_bytes(path_), 0u);
}

TEST_F(DirectReadAhead, ThreadsShareTheQueuesThatAreLeft) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this] {
      for (int j = 0; j < 5; ++j) {
        Reader reader;
        ASSERT_TRUE(reader.open(path_, directly()).ok());
        expect_all(reader);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace sluice::testing
