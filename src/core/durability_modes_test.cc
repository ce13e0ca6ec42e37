// every_flush, every_write, paced write-back, and targets that cannot be made durable.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sluice/files.h"
#include "sluice/sinks.h"
#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

class DurabilityModes : public ::testing::Test {
 protected:
  std::size_t syncs() const { return calls_.count(Call::fdatasync) + calls_.count(Call::fsync); }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("out");
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
};

// ---- every_flush ----

TEST_F(DurabilityModes, EveryFlushMakesEachFlushDurable) {
  for (const FlushTo to : {FlushTo::os, FlushTo::storage}) {
    calls_.forget_records();
    Writer writer;
    ASSERT_TRUE(writer.open(path_, {.durability = Durability::every_flush}).ok());
    EXPECT_TRUE(writer.write("some"));
    EXPECT_EQ(syncs(), 0u) << "a write is no flush";
    EXPECT_TRUE(writer.flush(to).ok());
    EXPECT_EQ(calls_.count(Call::fdatasync), 1u) << calls_.log();
    EXPECT_EQ(calls_.count(Call::fsync), 1u) << "the name, once\n" << calls_.log();
    EXPECT_GT(calls_.last(Call::fdatasync), calls_.last(Call::pwritev));
    EXPECT_TRUE(writer.write("more"));
    EXPECT_TRUE(writer.flush(to).ok());
    EXPECT_EQ(calls_.count(Call::fdatasync), 2u);
    EXPECT_EQ(calls_.count(Call::fsync), 1u);
    EXPECT_TRUE(writer.write("the end"));
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(calls_.count(Call::fdatasync), 3u);
    EXPECT_GT(calls_.last(Call::fdatasync), calls_.last(Call::pwritev));
  }
}

TEST_F(DurabilityModes, EveryFlushTakesAFailedSyncAsFinal) {
  calls_.fail(Call::fdatasync, 1, EIO);  // a second sync would succeed
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.durability = Durability::every_flush}).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_EQ(writer.flush().message(), "sync " + path_ + ": Input/output error");
  EXPECT_FALSE(writer.write("more"));
  EXPECT_FALSE(writer.flush().ok());
  EXPECT_FALSE(writer.close().ok());
  EXPECT_EQ(calls_.count(Call::fdatasync), 1u);
}

// ---- every_write ----

TEST_F(DurabilityModes, EveryWriteIsOneCallThatReturnsWhenItsBytesAreDurable) {
  Writer writer;
  ASSERT_TRUE(writer
                  .open(path_, {.durability = Durability::every_write,
                                .write_behind = WriteBehind::on,
                                .block_bytes = 16})
                  .ok());
  EXPECT_NE(calls_.records(Call::open).at(0).flags & O_DSYNC, 0u);
  EXPECT_TRUE(writer.put('a'));
  EXPECT_EQ(contents_of(path_), "a");
  EXPECT_EQ(calls_.count(Call::fsync), 1u) << "the name, before the first success\n"
                                           << calls_.log();
  calls_.forget_records();
  EXPECT_TRUE(writer.write("bcd"));
  EXPECT_EQ(contents_of(path_), "abcd");
  EXPECT_TRUE(writer.write(std::string(100, 'x')));
  const MutableBytesView room = writer.reserve(3);
  ASSERT_EQ(room.size(), 3u);
  room[0] = room[1] = std::byte{'y'};
  writer.commit(2);
  EXPECT_EQ(contents_of(path_), "abcd" + std::string(100, 'x') + "yy");
  EXPECT_TRUE(writer.write(""));
  EXPECT_TRUE(writer.flush(FlushTo::storage).ok());
  EXPECT_EQ(calls_.count(Call::pwritev), 3u);
  EXPECT_EQ(calls_.total(), 3u) << "calls that are not needed\n" << calls_.log();
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(syncs(), 0u);
}

TEST_F(DurabilityModes, EveryWriteMakesAnEmptyFileDurableAtClose) {
  make_file(path_, "what was there");
  EXPECT_TRUE(write_file(path_, "", {.durability = Durability::every_write}).ok());
  EXPECT_EQ(calls_.count(Call::fdatasync), 1u) << "the cut of the old bytes must be made durable";
  EXPECT_EQ(calls_.count(Call::fsync), 1u) << "the name must be made durable";
}

TEST_F(DurabilityModes, EveryWriteFailsWithTheWriteThatTheDiskRefuses) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.durability = Durability::every_write}).ok());
  EXPECT_TRUE(writer.write("good"));
  calls_.fail(Call::pwritev, 1, EIO);
  EXPECT_FALSE(writer.write("bad"));
  EXPECT_EQ(writer.status().message(), "write " + path_ + " at byte 4: Input/output error");
  EXPECT_FALSE(writer.write("again"));
  EXPECT_EQ(writer.close().message(), writer.status().message());
  EXPECT_EQ(contents_of(path_), "good");
}

TEST_F(DurabilityModes, EveryWriteFailsWhenTheNameCannotBeMadeDurable) {
  calls_.fail(Call::fsync, 1, EIO);
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.durability = Durability::every_write}).ok());
  EXPECT_FALSE(writer.put('a'));
  EXPECT_EQ(writer.status().operation(), Operation::sync_directory);
  EXPECT_FALSE(writer.put('b'));
  EXPECT_FALSE(writer.close().ok());
}

TEST_F(DurabilityModes, EveryWriteSyncsADescriptorOfTheCaller) {
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  Writer writer;
  ASSERT_TRUE(writer.attach(descriptor, "mine", {.durability = Durability::every_write}).ok());
  for (int i = 1; i <= 3; ++i) {
    EXPECT_TRUE(writer.write("x"));
    EXPECT_EQ(calls_.count(Call::fdatasync), static_cast<std::size_t>(i));
    EXPECT_GT(calls_.last(Call::fdatasync), calls_.last(Call::writev));
  }
  calls_.fail(Call::fdatasync, 1, EIO);
  EXPECT_FALSE(writer.write("y"));
  EXPECT_FALSE(writer.write("z"));
  EXPECT_EQ(writer.close().code().value(), EIO);
  EXPECT_EQ(calls_.count(Call::fdatasync), 4u);
  ::close(descriptor);
}

TEST_F(DurabilityModes, EveryWriteSyncsASink) {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  ASSERT_TRUE(writer
                  .open(std::make_unique<RecordingSink>(recording),
                        {.durability = Durability::every_write, .write_behind = WriteBehind::on})
                  .ok());
  EXPECT_TRUE(writer.put('a'));
  EXPECT_TRUE(writer.put('b'));
  EXPECT_EQ(recording->bytes(), "ab");
  EXPECT_EQ(recording->writes().size(), 2u);
  EXPECT_EQ(recording->syncs(), 2u);
  ASSERT_EQ(writer.reserve(1).size(), 1u);
  writer.commit(1);
  EXPECT_EQ(recording->writes().size(), 3u);
  EXPECT_EQ(recording->syncs(), 3u);
}

// ---- targets that cannot be made durable ----

TEST_F(DurabilityModes, ATargetWithoutStorageHasNothingToMakeDurable) {
  int pipe_ends[2];
  int sockets[2];
  ASSERT_EQ(::pipe2(pipe_ends, O_CLOEXEC), 0);
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const int descriptor : {pipe_ends[1], sockets[1], terminal, null}) {
    for (const Durability durability :
         {Durability::on_close, Durability::every_flush, Durability::every_write}) {
      if (descriptor < 0) continue;  // this system has no terminals
      Writer writer;
      ASSERT_TRUE(writer.attach(descriptor, "descriptor", {.durability = durability}).ok());
      EXPECT_TRUE(writer.write("bytes"));
      EXPECT_TRUE(writer.flush().ok()) << writer.status().message();
      EXPECT_TRUE(writer.flush(FlushTo::storage).ok()) << writer.status().message();
      EXPECT_TRUE(writer.close().ok()) << writer.status().message();
    }
  }
  EXPECT_GT(syncs(), 0u) << "they were asked";
  for (const int descriptor :
       {pipe_ends[0], pipe_ends[1], sockets[0], sockets[1], terminal, null}) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

TEST_F(DurabilityModes, ADeviceOpenedByNameHasNothingToMakeDurable) {
  const std::string own_name = "/proc/self/fd/";
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  for (const std::string& path : {std::string("/dev/null"), own_name + std::to_string(ends[1])}) {
    for (const Durability durability :
         {Durability::on_close, Durability::every_flush, Durability::every_write}) {
      const Status status = write_file(path, "bytes", {.durability = durability});
      EXPECT_TRUE(status.ok()) << status.message();
    }
  }
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(DurabilityModes, AFileSystemThatCannotSyncIsReportedAndWritingGoesOn) {
  for (const int code : {EINVAL, ENOTSUP, ENOSYS}) {
    calls_.fail(Call::fdatasync, 1, code, Repeat::for_ever);
    Writer writer;
    ASSERT_TRUE(writer.open(path_, {.durability = Durability::on_close}).ok());
    EXPECT_TRUE(writer.write("bytes"));
    const Status status = writer.flush(FlushTo::storage);
    EXPECT_EQ(status.operation(), Operation::sync);
    EXPECT_EQ(status.code().value(), code);
    EXPECT_NE(status.message().find("the file system does not support it"), std::string::npos)
        << status.message();
    EXPECT_TRUE(writer.status().ok()) << "nothing was lost";
    EXPECT_TRUE(writer.write(" and more"));
    EXPECT_TRUE(writer.flush(FlushTo::os).ok());
    EXPECT_EQ(contents_of(path_), "bytes and more");
    EXPECT_EQ(writer.close().message(), status.message()) << "close() promised more";
    EXPECT_EQ(writer.close().message(), status.message());
  }
}

TEST_F(DurabilityModes, ADirectoryThatCannotBeSyncedIsReportedAndWritingGoesOn) {
  calls_.fail(Call::fsync, 1, EINVAL, Repeat::for_ever);
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  EXPECT_TRUE(writer.write("bytes"));
  const Status status = writer.flush(FlushTo::storage);
  EXPECT_EQ(status.path(), directory_.path());
  EXPECT_NE(status.message().find("does not support it"), std::string::npos) << status.message();
  EXPECT_EQ(writer.flush(FlushTo::storage).message(), status.message())
      << "the second flush must fail in the same way";
  EXPECT_TRUE(writer.write(" and more"));
  EXPECT_TRUE(writer.close().ok()) << "nothing durable was promised";
  EXPECT_EQ(contents_of(path_), "bytes and more");
}

// A failed sync is never made good by a second one, which the kernel would report as ok.
TEST_F(DurabilityModes, ANameThatIsNotDurableIsReportedForEverAndWritingGoesOn) {
  calls_.fail(Call::fsync, 1, EIO);
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.durability = Durability::on_close}).ok());
  EXPECT_TRUE(writer.write("bytes"));
  const Status status = writer.flush(FlushTo::storage);
  EXPECT_EQ(status.operation(), Operation::sync_directory);
  EXPECT_EQ(status.path(), path_);
  EXPECT_EQ(status.code().value(), EIO);
  EXPECT_TRUE(writer.status().ok()) << "the bytes are durable";
  EXPECT_TRUE(writer.write(" and more"));
  EXPECT_EQ(writer.flush(FlushTo::storage).message(), status.message());
  EXPECT_EQ(writer.close().message(), status.message());
  EXPECT_EQ(contents_of(path_), "bytes and more");
  EXPECT_EQ(calls_.count(Call::fdatasync), 3u) << "the bytes must be made durable all the same";
}

TEST_F(DurabilityModes, ASinkThatWasOpenedToBeDurableStaysDurable) {
  for (const bool is_wrapped : {false, true}) {
    calls_.forget_records();
    std::unique_ptr<Sink> sink;
    ASSERT_TRUE(open_file_sink(path_, {.durability = Durability::every_flush}, sink).ok());
    std::uint64_t bytes = 0;
    if (is_wrapped) {
      sink = make_tee_sink(make_null_sink(), make_counting_sink(std::move(sink), bytes));
    }
    Writer writer;
    ASSERT_TRUE(writer.open(std::move(sink)).ok());
    EXPECT_TRUE(writer.write("bytes"));
    EXPECT_TRUE(writer.flush().ok());
    EXPECT_EQ(calls_.count(Call::fdatasync), 1u);
    EXPECT_EQ(calls_.count(Call::fsync), 1u);
    EXPECT_TRUE(writer.write("more"));
    EXPECT_TRUE(writer.close().ok());
    EXPECT_EQ(calls_.count(Call::fdatasync), 2u);
    EXPECT_GT(calls_.last(Call::fdatasync), calls_.last(Call::pwritev));
  }
}

// EROFS from a regular file means that its file system has become read-only because of an error.
// Some bytes are then not written back.
TEST_F(DurabilityModes, AReadOnlyFileSystemIsAFailedSync) {
  calls_.fail(Call::fdatasync, 1, EROFS);
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_EQ(writer.flush(FlushTo::storage).message(), "sync " + path_ + ": Read-only file system");
  EXPECT_FALSE(writer.status().ok());
  EXPECT_FALSE(writer.close().ok());
}

TEST_F(DurabilityModes, EveryWriteFailsForGoodIfNothingCanBeMadeDurable) {
  calls_.fail(Call::fdatasync, 1, EINVAL, Repeat::for_ever);
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.durability = Durability::every_write}).ok());
  EXPECT_FALSE(writer.put('a'));
  EXPECT_EQ(writer.status().code().value(), EINVAL);
  EXPECT_FALSE(writer.put('b'));
  EXPECT_FALSE(writer.close().ok());
}

// ---- paced write-back ----

TEST_F(DurabilityModes, WriteBackIsBegunOverEveryByteOnceAndItsEndNotWaitedFor) {
  for (const CreateMode create :
       {CreateMode::truncate, CreateMode::append, CreateMode::replace_atomically}) {
    make_file(path_, "before");
    calls_.forget_records();
    const std::uint64_t start = create == CreateMode::append ? 6 : 0;
    const std::string bytes(100'000, 'x');
    Writer writer;
    calls_.forget_records();
    make_file(path_, "before");
    ASSERT_TRUE(
        writer.open(path_, {.create = create, .block_bytes = 4096, .write_back_bytes = 10'000})
            .ok());
    for (const char byte : bytes) writer.put(byte);
    EXPECT_TRUE(writer.close().ok());
    const std::vector<CallRecord> begun = calls_.records(Call::sync_file_range);
    ASSERT_GE(begun.size(), 7u) << calls_.log();
    std::uint64_t position = start;
    for (const CallRecord& record : begun) {
      EXPECT_EQ(record.flags, static_cast<unsigned>(SYNC_FILE_RANGE_WRITE));
      EXPECT_EQ(record.position, position);
      EXPECT_GE(record.bytes, 10'000u);
      position += record.bytes;
    }
    EXPECT_GT(position + 15'000, bytes.size());
  }
}

TEST_F(DurabilityModes, ASeekToThePresentPlaceLeavesTheCountOfWrittenBytes) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.write_back_bytes = 100'000}).ok());
  const std::string bytes(10'000, 'x');
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(writer.write(bytes));
    ASSERT_TRUE(writer.seek(writer.position()).ok());
  }
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(calls_.count(Call::sync_file_range), 5u) << calls_.log();
  EXPECT_LE(calls_.count(Call::seek_current), 2u) << "whether there are positions";
}

TEST_F(DurabilityModes, WriteBackIsLeftToTheKernelUnlessAskedFor) {
  EXPECT_TRUE(write_file(path_, std::string(1'000'000, 'x')).ok());
  EXPECT_EQ(calls_.count(Call::sync_file_range), 0u);
}

TEST_F(DurabilityModes, AFailedWriteBackIsFinal) {
  calls_.fail(Call::sync_file_range, 2, EIO);
  Writer writer;
  ASSERT_TRUE(
      writer.open(path_, {.durability = Durability::on_close, .write_back_bytes = 10}).ok());
  EXPECT_TRUE(writer.write("0123456789"));
  EXPECT_TRUE(writer.flush().ok());
  EXPECT_TRUE(writer.write("0123456789"));
  const Status status = writer.flush();
  EXPECT_EQ(status.operation(), Operation::sync);
  EXPECT_EQ(status.code().value(), EIO);
  EXPECT_FALSE(writer.write("more"));
  EXPECT_EQ(writer.close().message(), status.message());
  EXPECT_EQ(syncs(), 0u) << "no sync may follow, because it would report ok";
}

TEST_F(DurabilityModes, WriteBackHasNoEffectOnAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Writer writer;
  ASSERT_TRUE(writer.attach(ends[1], "a pipe", {.write_back_bytes = 1}).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_TRUE(writer.flush().ok()) << writer.status().message();
  EXPECT_TRUE(writer.write("more"));
  EXPECT_TRUE(writer.close().ok()) << writer.status().message();
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(DurabilityModes, ABorrowedFileIsPacedFromItsOffset) {
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(::write(descriptor, "before", 6), 6);
  Writer writer;
  ASSERT_TRUE(writer.attach(descriptor, "mine", {.write_back_bytes = 4}).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_TRUE(writer.close().ok());
  const std::vector<CallRecord> begun = calls_.records(Call::sync_file_range);
  ASSERT_EQ(begun.size(), 1u);
  EXPECT_EQ(begun[0].position, 6u);
  EXPECT_EQ(begun[0].bytes, 5u);
  ::close(descriptor);
}

}  // namespace
}  // namespace sluice::testing
