// W2, W4 and W7: the syncs, their order, and the rule that a failed sync is final.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "sluice/files.h"
#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

class WriterDurability : public ::testing::Test {
 protected:
  // True if the directory was opened and then synced.
  bool directory_was_synced() const {
    int descriptor = -1;
    for (const CallRecord& record : calls_.records()) {
      if (record.call == Call::open && record.path == directory_.path()) {
        descriptor = static_cast<int>(record.result);
      }
      const bool sync = record.call == Call::fsync || record.call == Call::fdatasync;
      if (sync && record.descriptor == descriptor && record.result == 0) return true;
    }
    return false;
  }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("out");
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
};

TEST_F(WriterDurability, SyncsNothingUnlessAsked) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_TRUE(writer.flush(FlushTo::os).ok());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(calls_.count(Call::fdatasync) + calls_.count(Call::fsync), 0u);
}

TEST_F(WriterDurability, SyncsTheBytesAndThenTheNameAtClose) {
  for (const WriteBehind write_behind : {WriteBehind::off, WriteBehind::on}) {
    calls_.forget_records();
    ASSERT_EQ(::unlink(path_.c_str()) == 0 || errno == ENOENT, true);
    Writer writer;
    ASSERT_TRUE(writer
                    .open(path_, {.durability = Durability::on_close,
                                  .write_behind = write_behind,
                                  .block_bytes = 16})
                    .ok());
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(writer.write("bytes"));
    EXPECT_TRUE(writer.close().ok());
    EXPECT_GT(calls_.last(Call::fdatasync), calls_.last(Call::pwritev))
        << "bytes written after the sync\n"
        << calls_.log();
    EXPECT_TRUE(directory_was_synced()) << calls_.log();
  }
}

// The directory that holds the file is synced, even if the path then leads to another directory.
TEST_F(WriterDurability, SyncsTheDirectoryOfTheFileItself) {
  std::string before(4096, '\0');
  ASSERT_NE(::getcwd(before.data(), before.size()), nullptr);
  const std::string folder = directory_.path();
  ASSERT_EQ(::mkdir((folder + "/other").c_str(), 0700), 0);
  ASSERT_EQ(::symlink((folder + "/out").c_str(), (folder + "/other/link").c_str()), 0);
  ASSERT_EQ(::chdir((folder + "/other").c_str()), 0);
  for (const std::string path : {"../out", "link"}) {
    Writer writer;
    ASSERT_TRUE(writer.open(path, {.durability = Durability::on_close}).ok());
    EXPECT_TRUE(writer.write("bytes"));
    ASSERT_EQ(::chdir("/"), 0);
    EXPECT_TRUE(writer.close().ok()) << writer.status().message();
    EXPECT_TRUE(directory_was_synced()) << path << '\n' << calls_.log();
    calls_.forget_records();
    ASSERT_EQ(::chdir((folder + "/other").c_str()), 0);
  }
  ASSERT_EQ(::chdir(before.c_str()), 0);
}

TEST_F(WriterDurability, SyncsTheDirectoryInThePathIfTheKernelHasNoName) {
  calls_.fail(Call::name_of, 1, ENOENT, Repeat::for_ever);
  EXPECT_TRUE(write_file(path_, "bytes", {.durability = Durability::on_close}).ok());
  EXPECT_EQ(calls_.records(Call::open).back().path, directory_.path());
}

TEST_F(WriterDurability, MakesFlushedBytesDurable) {
  for (const CreateMode create : {CreateMode::truncate, CreateMode::append}) {
    calls_.forget_records();
    Writer writer;
    ASSERT_TRUE(writer.open(path_, {.create = create}).ok());
    EXPECT_TRUE(writer.write("bytes"));
    EXPECT_TRUE(writer.flush(FlushTo::storage).ok());
    EXPECT_TRUE(directory_was_synced()) << "the file may be new\n" << calls_.log();
    EXPECT_EQ(calls_.count(Call::fdatasync), 1u);
    EXPECT_GT(calls_.last(Call::fdatasync), calls_.last(Call::pwritev));
    EXPECT_GT(calls_.last(Call::fdatasync), calls_.last(Call::writev));
    EXPECT_TRUE(writer.write("more"));
    EXPECT_TRUE(writer.flush(FlushTo::storage).ok());
    EXPECT_EQ(calls_.count(Call::fdatasync), 2u)
        << "every flush must sync the bytes since the last flush";
    EXPECT_TRUE(writer.close().ok());
  }
}

TEST_F(WriterDurability, ClosesDurablyEvenWithNothingSinceTheLastFlush) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.durability = Durability::on_close}).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_TRUE(writer.flush(FlushTo::os).ok());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(calls_.count(Call::fdatasync), 1u);
}

TEST_F(WriterDurability, TakesAFailedSyncAsFinal) {
  calls_.fail(Call::fdatasync, 1, EIO);  // a second sync would succeed, as it does on Linux
  Writer writer;
  ASSERT_TRUE(writer.open(path_, {.durability = Durability::on_close}).ok());
  EXPECT_TRUE(writer.write("bytes"));
  const Status failed = writer.flush(FlushTo::storage);
  EXPECT_EQ(failed.operation(), Operation::sync);
  EXPECT_EQ(failed.message(), "sync " + path_ + ": Input/output error");
  EXPECT_FALSE(writer.write("more"));
  EXPECT_EQ(writer.flush(FlushTo::storage).message(), failed.message());
  EXPECT_EQ(writer.flush(FlushTo::os).message(), failed.message());
  EXPECT_EQ(writer.close().message(), failed.message());
  EXPECT_EQ(calls_.count(Call::fdatasync) + calls_.count(Call::fsync), 1u)
      << "after a failed sync an ok sync proves nothing";
}

TEST_F(WriterDurability, ReportsASyncThatFailsAtClose) {
  calls_.fail(Call::fdatasync, 1, ENOSPC);
  EXPECT_EQ(write_file(path_, "bytes", {.durability = Durability::on_close}).message(),
            "sync " + path_ + ": No space left on device");
  // Two opens fail because there is no old file: one by its path, one in its directory.
  const std::size_t opened = calls_.count(Call::open) + calls_.count(Call::openat) - 2;
  EXPECT_EQ(calls_.count(Call::close), opened) << "every opened descriptor must be closed";
}

TEST_F(WriterDurability, ReportsANameThatCannotBeSynced) {
  calls_.fail(Call::fsync, 1, EIO);
  const Status status = write_file(path_, "bytes", {.durability = Durability::on_close});
  EXPECT_EQ(status.operation(), Operation::sync_directory);
  EXPECT_EQ(status.message(),
            "sync directory " + path_ +
                ": the bytes are durable, but the file's name may not survive a power cut: "
                "Input/output error");
}

TEST_F(WriterDurability, RetriesASyncThatASignalInterrupted) {
  calls_.fail(Call::fdatasync, 1, EINTR);
  EXPECT_TRUE(write_file(path_, "bytes", {.durability = Durability::on_close}).ok());
  EXPECT_EQ(calls_.count(Call::fdatasync), 2u);
}

TEST(WriterSync, AsksItsSinkInTurn) {
  const auto recording = std::make_shared<Recording>();
  Writer writer;
  ASSERT_TRUE(
      writer
          .open(std::make_unique<RecordingSink>(recording), {.durability = Durability::on_close,
                                                             .write_behind = WriteBehind::on,
                                                             .block_bytes = 4})
          .ok());
  EXPECT_TRUE(writer.write("01234567"));
  EXPECT_TRUE(writer.put('8'));
  EXPECT_TRUE(writer.flush(FlushTo::storage).ok());
  EXPECT_EQ(recording->bytes(), "012345678");
  EXPECT_EQ(recording->syncs(), 1u);
  EXPECT_TRUE(writer.put('9'));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(recording->syncs(), 2u);
  EXPECT_EQ(recording->closes(), 1u);
}

TEST(WriterSync, KeepsTheFirstFailureOfSeveral) {
  const auto recording = std::make_shared<Recording>();
  recording->sync_error = EIO;
  recording->close_error = EBADF;
  Writer writer;
  ASSERT_TRUE(
      writer.open(std::make_unique<RecordingSink>(recording), {.durability = Durability::on_close})
          .ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_EQ(writer.close().code().value(), EIO);
  EXPECT_EQ(recording->bytes(), "bytes");
  EXPECT_EQ(recording->closes(), 1u) << "the target must be released after a failure too";
}

// Such a Sink has closed its target, so a second close() can make nothing durable.
TEST(WriterSync, ASinkIsClosedOnceIfTheDirectoryCannotBeSynced) {
  const auto recording = std::make_shared<Recording>();
  recording->sync_error = EIO;
  recording->sync_operation = Operation::sync_directory;
  Writer writer;
  ASSERT_TRUE(
      writer.open(std::make_unique<RecordingSink>(recording), {.durability = Durability::on_close})
          .ok());
  EXPECT_TRUE(writer.write("text"));
  const Status first = writer.close();
  EXPECT_EQ(first.operation(), Operation::sync_directory);
  EXPECT_EQ(writer.close().message(), first.message());
  EXPECT_EQ(writer.close().message(), first.message());
  EXPECT_EQ(recording->closes(), 1u);
}

}  // namespace
}  // namespace sluice::testing
