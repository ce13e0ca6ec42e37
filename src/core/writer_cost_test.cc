// W5 and W6: the calls that the fast path does not make, and the memory that a Writer does not
// need.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "sluice/files.h"
#include "sluice/writer.h"
#include "testing/allocation_counter.h"
#include "testing/faulty_system_calls.h"
#include "testing/process_facts.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

TEST(WriterCost, BytesThatFitIntoTheBlockCostNoCallAndNoAllocation) {
  const ScratchDirectory directory;
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(writer.open(directory.file("out"), {.block_bytes = 16'384}).ok());
  for (int i = 0; i < 20'000; ++i) writer.put('x');  // until the block has its full size
  EXPECT_TRUE(writer.flush().ok());

  calls.forget_records();
  const std::size_t allocations_before = allocations_by_new();
  const std::size_t heap_before = heap_bytes_in_use();
  bool accepted = true;
  for (int i = 0; i < 100; ++i) {
    accepted &= writer.put('x');
    accepted &= writer.write("ten bytes.");
    accepted &= writer.write_value(2.5);
    const MutableBytesView room = writer.reserve(7);
    accepted &= room.size() == 7;
    writer.commit(3);
    accepted &= writer.position() > 0 && writer.status().ok();
  }
  const std::size_t heap_after = heap_bytes_in_use();
  EXPECT_EQ(allocations_by_new(), allocations_before);
  EXPECT_EQ(heap_after, heap_before);
  EXPECT_TRUE(accepted);
  EXPECT_EQ(calls.total(), 0u) << calls.log();
  EXPECT_TRUE(writer.close().ok());
}

TEST(WriterCost, SteadyWritingAllocatesNothing) {
  for (const WriteBehind write_behind : {WriteBehind::off, WriteBehind::on}) {
    const auto recording = std::make_shared<Recording>();
    recording->keep_bytes = false;
    Writer writer;
    ASSERT_TRUE(
        writer
            .open(std::make_unique<RecordingSink>(recording),
                  {.write_behind = write_behind, .block_bytes = 8192, .blocks_in_flight = 2})
            .ok());
    // Two blocks wait for the gate, and the third one is filled: all blocks are allocated.
    if (write_behind == WriteBehind::on) recording->gate.close();
    for (int i = 0; i < 2'000; ++i) writer.write("ten bytes.");
    recording->gate.open();
    for (int i = 0; i < 8'000; ++i) writer.write("ten bytes.");
    const std::size_t heap_before = heap_bytes_in_use();
    for (int i = 0; i < 10'000; ++i) writer.write("ten bytes.");
    // The RecordingSink keeps a list of calls, which grows a little.
    EXPECT_LT(heap_bytes_in_use(), heap_before + 4096);
    EXPECT_TRUE(writer.close().ok());
  }
}

// The kernel zeroes a whole huge page, which a short file would not need.
TEST(WriterCost, LargeBlocksOfALargeFileLieInHugePages) {
  const ScratchDirectory directory;
  constexpr std::size_t large = std::size_t{4} << 20;
  struct Case {
    std::size_t block_bytes;
    std::size_t file_bytes;
    bool is_huge;
  };
  for (const Case& each : {Case{large / 16, 2 * large, false}, Case{large, large / 2, false},
                           Case{large, 2 * large, true}}) {
    FaultySystemCalls calls;
    const os::ScopedSystemCalls in_place(calls);
    Writer writer;
    ASSERT_TRUE(writer
                    .open(directory.file("out"),
                          {.write_behind = WriteBehind::on, .block_bytes = each.block_bytes})
                    .ok());
    for (std::size_t i = 0; i < each.file_bytes; i += 10) writer.write("ten bytes.");
    EXPECT_EQ(calls.count(Call::advise_huge_pages) > 0, each.is_huge) << each.file_bytes;
    EXPECT_TRUE(writer.close().ok());
  }
}

TEST(WriterCost, ASmallFileIsOpenedWrittenAndClosed) {
  const ScratchDirectory directory;
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  const std::set<pid_t> threads_before = threads();
  Writer writer;
  ASSERT_TRUE(writer.open(directory.file("out")).ok());
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(writer.write("ten bytes."));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(calls.count(Call::open), 1u);
  EXPECT_EQ(calls.count(Call::writev) + calls.count(Call::pwritev), 1u);
  EXPECT_EQ(calls.count(Call::close), 1u);
  EXPECT_LE(calls.total(), 4u) << "more than one question asked:\n" << calls.log();
  EXPECT_TRUE(threads_since(threads_before).empty());
}

TEST(WriterCost, ALargeWriteLeavesInOneCallWithTheBufferedBytes) {
  const ScratchDirectory directory;
  const std::string large(100'000, 'x');
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(writer.open(directory.file("out"), {.write_behind = WriteBehind::off}).ok());
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(writer.write("small"));
    EXPECT_TRUE(writer.write(large));
  }
  EXPECT_TRUE(writer.close().ok());
  // close() writes the end of a large write that lies after the last aligned position.
  EXPECT_LE(calls.count(Call::pwritev), 101u);
  EXPECT_EQ(contents_of(directory.file("out")).size(), 100u * (large.size() + 5));
}

TEST(WriterCost, SmallWritesLeaveInFullBlocks) {
  const ScratchDirectory directory;
  FaultySystemCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  Writer writer;
  ASSERT_TRUE(
      writer
          .open(directory.file("out"), {.write_behind = WriteBehind::off, .block_bytes = 64 * 1024})
          .ok());
  for (int i = 0; i < 1'000'000; ++i) writer.write("ten bytes.");
  EXPECT_TRUE(writer.close().ok());
  const std::vector<CallRecord> writes = calls.records(Call::pwritev);
  EXPECT_EQ(writes.size(), (10'000'000 + 65'535) / 65'536);
  for (std::size_t i = 0; i + 1 < writes.size(); ++i) {
    EXPECT_EQ(writes[i].position % 4096, 0u) << "a block that is not aligned";
  }
}

// ---- W6 ----

// The Sink counts blocks and keeps no bytes.
std::unique_ptr<Sink> counting_sink(const std::shared_ptr<Recording>& recording) {
  recording->keep_bytes = false;
  return std::make_unique<RecordingSink>(recording);
}

std::size_t peak_while_writing(std::uint64_t bytes, const WriterOptions& options) {
  const auto recording = std::make_shared<Recording>();
  EXPECT_TRUE(reset_peak_resident_bytes());
  Writer writer;
  EXPECT_TRUE(writer.open(counting_sink(recording), options).ok());
  const std::string piece(1'000, 'x');
  for (std::uint64_t i = 0; i < bytes / piece.size(); ++i) writer.write(piece);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(recording->byte_count(), bytes / piece.size() * piece.size());
  return peak_resident_bytes();
}

TEST(WriterCost, MemoryDoesNotGrowWithTheFile) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's memory is not the library's";
  constexpr std::uint64_t mebibyte = 1 << 20;
  for (const WriteBehind write_behind : {WriteBehind::off, WriteBehind::on}) {
    const WriterOptions options{.write_behind = write_behind};
    const std::size_t small = peak_while_writing(16 * mebibyte, options);
    const std::size_t large = peak_while_writing(2'048 * mebibyte, options);
    EXPECT_LE(large, small + 2 * mebibyte) << "which blocks are in use at the end is chance";
  }
}

TEST(WriterCost, MemoryIsBoundedByTheBlocksInFlight) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's memory is not the library's";
  constexpr std::size_t mebibyte = 1 << 20;
  const std::size_t before = resident_bytes();
  const WriterOptions options{
      .write_behind = WriteBehind::on, .block_bytes = 4 * mebibyte, .blocks_in_flight = 3};
  const std::size_t peak = peak_while_writing(200 * mebibyte, options);
  EXPECT_LE(peak, before + 4 * mebibyte * (3 + 1) + mebibyte);
}

TEST(WriterCost, TenThousandOpenWritersStaySmall) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's memory is not the library's";
  constexpr std::size_t writer_count = 10'000;
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = limit.rlim_max;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  const bool own_files = limit.rlim_max > writer_count + 100;
  if (!own_files) std::cout << "few descriptors allowed: all Writers share one\n";

  const ScratchDirectory directory;
  const int shared = ::open(directory.file("shared").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_GE(shared, 0);
  const std::string hundred(100, 'x');
  std::vector<Writer> writers(writer_count);
  const std::size_t before = resident_bytes();
  const std::size_t threads_before = threads().size();
  for (std::size_t i = 0; i < writer_count; ++i) {
    const Status opened = own_files ? writers[i].open(directory.file(std::to_string(i)))
                                    : writers[i].attach(shared, "shared");
    ASSERT_TRUE(opened.ok()) << opened.message();
    ASSERT_TRUE(writers[i].write(hundred));
  }
  EXPECT_LE(resident_bytes() - before, 60'000'000u);
  EXPECT_LE(threads().size(), threads_before + 2);
  for (Writer& writer : writers) EXPECT_TRUE(writer.close().ok());
  if (own_files) {
    EXPECT_EQ(contents_of(directory.file("9999")), hundred);
  }
  ::close(shared);
}

TEST(WriterCost, TenThousandWritersOfFullBlocksShareTwoThreads) {
  const auto before = threads();
  constexpr std::size_t writer_count = sanitized ? 1'000 : 10'000;
  std::vector<std::shared_ptr<Recording>> recordings(writer_count);
  std::vector<Writer> writers(writer_count);
  for (std::size_t i = 0; i < writer_count; ++i) {
    recordings[i] = std::make_shared<Recording>();
    ASSERT_TRUE(writers[i]
                    .open(std::make_unique<RecordingSink>(recordings[i]),
                          {.write_behind = WriteBehind::on, .block_bytes = 64})
                    .ok());
    for (int j = 0; j < 200; ++j) ASSERT_TRUE(writers[i].put('x'));
  }
  EXPECT_LE(threads_since(before).size(), 2u + sanitizer_threads);
  for (Writer& writer : writers) EXPECT_TRUE(writer.close().ok());
  EXPECT_NE(recordings[0]->writes().at(0).thread, this_thread());
  for (const auto& recording : recordings) EXPECT_EQ(recording->byte_count(), 200u);
}

}  // namespace
}  // namespace sluice::testing
