// copy_file(): the copy has the same bytes and the same holes, with every kind of help from the
// kernel and after every failure.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "sluice/copy.h"
#include "sluice/files.h"
#include "testing/faulty_system_calls.h"
#include "testing/file_facts.h"
#include "testing/lost_errors.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

std::uint64_t allocated_bytes_of(const std::string& path) {
  return static_cast<std::uint64_t>(facts_of(path).st_blocks) * 512;
}

// A file system that can share bytes. The test makes a clone by reading and writing, below the
// table of system calls.
class CloningCalls : public FaultySystemCalls {
 public:
  os::CallResult clone_file(int from, int to) override {
    ++clones;
    std::array<char, 4096> block;
    off_t position = 0;
    for (;;) {
      const ssize_t got = ::pread(from, block.data(), block.size(), position);
      if (got <= 0) return got;
      if (::pwrite(to, block.data(), static_cast<std::size_t>(got), position) != got) return -EIO;
      position += got;
    }
  }
  int clones = 0;
};

// The extents of a sparse file, and its end.
constexpr off_t extent_begins[] = {1 << 18, 1 << 20};
constexpr off_t extent_bytes = 70'000;
constexpr off_t sparse_file_bytes = 2 << 20;

// A file system that reports all bytes outside those extents as holes, whatever these bytes are.
class CallsThatKnowHoles : public FaultySystemCalls {
 public:
  os::CallResult seek_data(int, std::uint64_t position) override {
    for (const off_t begin : extent_begins) {
      const auto wanted = static_cast<off_t>(position);
      if (wanted < begin + extent_bytes) return std::max(wanted, begin);
    }
    return -ENXIO;
  }
  os::CallResult seek_hole(int, std::uint64_t position) override {
    for (const off_t begin : extent_begins) {
      const auto wanted = static_cast<off_t>(position);
      if (wanted >= begin && wanted < begin + extent_bytes) return begin + extent_bytes;
    }
    return static_cast<long>(position);
  }
};

std::vector<const char*> folders_in_memory_and_on_disk() {
  if (!file_exists("/dev/shm")) return {ScratchDirectory::on_disk};
  return {"/dev/shm", ScratchDirectory::on_disk};
}

class CopyFile : public ::testing::TestWithParam<const char*> {
 protected:
  void make_sparse_file() {
    const int file = ::open(from_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0640);
    for (const off_t position : extent_begins) {
      const std::string bytes = pattern(static_cast<std::size_t>(position), extent_bytes);
      EXPECT_EQ(::pwrite(file, bytes.data(), bytes.size(), position), extent_bytes);
    }
    EXPECT_EQ(::ftruncate(file, sparse_file_bytes), 0);
    ::close(file);
  }

  // Copies while `calls` stand for the system calls.
  Status copy_under(FaultySystemCalls& calls, const CopyOptions& options = {}) {
    const os::ScopedSystemCalls in_place(calls);
    return copy_file(from_, to_, options);
  }

  void expect_copied() {
    EXPECT_TRUE(contents_of(to_) == contents_of(from_)) << "other bytes than the original";
  }

  void expect_copied(const Status& status) {
    EXPECT_TRUE(status.ok()) << status.message();
    expect_copied();
  }

  // A temporary file may stay only if removing it failed.
  void expect_nothing_left(const FaultySystemCalls& calls) {
    std::uint64_t left = 0;
    EXPECT_TRUE(remove_abandoned_replacements(directory_.path(), left).ok());
    for (const Call call : calls.injected()) left -= left > 0 && call == Call::unlinkat ? 1 : 0;
    EXPECT_EQ(left, 0u) << calls.log();
  }

  ScratchDirectory directory_{GetParam()};
  const std::string from_ = directory_.file("from");
  const std::string to_ = directory_.file("to");
};

INSTANTIATE_TEST_SUITE_P(MemoryAndDisk, CopyFile,
                         ::testing::ValuesIn(folders_in_memory_and_on_disk()),
                         [](const ::testing::TestParamInfo<const char*>& place) {
                           return place.param == std::string("/dev/shm") ? "Memory" : "Disk";
                         });

TEST_P(CopyFile, CopiesEveryByte) {
  for (const std::size_t bytes : {0u, 1u, 4'096u, 3'000'001u}) {
    make_file(from_, pattern(0, bytes));
    expect_copied(copy_file(from_, to_));
  }
}

TEST_P(CopyFile, LeavesTheBytesToTheKernel) {
  make_file(from_, pattern(0, 3'000'000));
  FaultySystemCalls calls;
  calls.fail(Call::clone_file, 1, EOPNOTSUPP, Repeat::for_ever);
  EXPECT_TRUE(copy_under(calls).ok());
  expect_copied();
  EXPECT_GE(calls.count(Call::copy_range), 1u);
  EXPECT_EQ(calls.count(Call::pwritev), 0u) << calls.log();
}

TEST_P(CopyFile, SharesTheBytesIfTheFileSystemCan) {
  for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    make_file(from_, pattern(0, 3'000'000));
    CloningCalls calls;
    EXPECT_TRUE(copy_under(calls, {create, Durability::on_close}).ok());
    expect_copied();
    EXPECT_EQ(calls.clones, 1);
    EXPECT_EQ(calls.count(Call::copy_range) + calls.count(Call::pwritev), 0u) << calls.log();
    EXPECT_GE(calls.count(Call::fdatasync) + calls.count(Call::fsync), 1u) << calls.log();
  }
}

TEST_P(CopyFile, ReadsAndWritesBytesThatTheKernelDoesNotCopy) {
  make_file(from_, pattern(0, 3'000'000));
  for (const int error : {ENOSYS, EXDEV, EINVAL, EOPNOTSUPP, EPERM, EIO}) {
    for (const std::size_t nth : {1u, 2u}) {
      FaultySystemCalls calls;
      calls.fail(Call::clone_file, 1, error);
      calls.fail(Call::copy_range, nth, error, Repeat::for_ever);
      calls.limit_transfers(1'000'000);
      EXPECT_TRUE(copy_under(calls).ok());
      expect_copied();
      EXPECT_GT(calls.count(Call::pwritev), 0u);
      EXPECT_EQ(calls.count(Call::copy_range), nth)
          << "the kernel was asked again after it had refused";
    }
  }
}

TEST_P(CopyFile, CopiesInPiecesAndInSpiteOfSignals) {
  make_sparse_file();
  FaultySystemCalls calls;
  calls.interrupt_every_call();
  calls.halve_transfers();
  EXPECT_TRUE(copy_under(calls).ok());
  expect_copied();
  EXPECT_EQ(calls.count(Call::pwritev), 0u) << "an interruption is no reason to read and write";
}

TEST_P(CopyFile, CopiesOnlyTheBytesOutsideHoles) {
  const std::string bytes = pattern(0, sparse_file_bytes);
  make_file(from_, bytes);
  std::string expected(sparse_file_bytes, '\0');
  for (const off_t begin : extent_begins) {
    const auto position = static_cast<std::size_t>(begin);
    expected.replace(position, extent_bytes, bytes, position, extent_bytes);
  }
  for (const bool kernel_copies : {true, false}) {
    CallsThatKnowHoles calls;
    calls.fail(Call::clone_file, 1, EOPNOTSUPP, Repeat::for_ever);
    if (!kernel_copies) calls.fail(Call::copy_range, 1, EXDEV, Repeat::for_ever);
    EXPECT_TRUE(copy_under(calls).ok());
    EXPECT_TRUE(contents_of(to_) == expected) << kernel_copies << "\n" << calls.log();
  }
}

TEST_P(CopyFile, KeepsHoles) {
  make_sparse_file();
  for (const bool kernel_copies : {true, false}) {
    FaultySystemCalls calls;
    calls.fail(Call::clone_file, 1, EOPNOTSUPP, Repeat::for_ever);
    if (!kernel_copies) calls.fail(Call::copy_range, 1, EXDEV, Repeat::for_ever);
    EXPECT_TRUE(copy_under(calls).ok());
    expect_copied();
    EXPECT_EQ(facts_of(to_).st_size, sparse_file_bytes);
    EXPECT_LE(allocated_bytes_of(to_), allocated_bytes_of(from_) + (1 << 18)) << kernel_copies;
    if (!kernel_copies) {
      EXPECT_EQ(calls.count(Call::copy_range), 1u) << "the kernel must be asked only once";
    }
  }
}

TEST_P(CopyFile, CopiesOnAFileSystemThatDoesNotReportHoles) {
  make_sparse_file();
  for (const Call call : {Call::seek_data, Call::seek_hole}) {
    FaultySystemCalls calls;
    calls.fail(call, 1, EINVAL, Repeat::for_ever);
    EXPECT_TRUE(copy_under(calls).ok());
    expect_copied();
  }
}

TEST_P(CopyFile, MakesEveryWriteDurableWithEveryWrite) {
  make_file(from_, pattern(0, 100'000));
  CloningCalls calls;
  EXPECT_TRUE(copy_under(calls, {.durability = Durability::every_write}).ok());
  expect_copied();
  EXPECT_EQ(calls.clones, 0);
  EXPECT_EQ(calls.count(Call::copy_range), 0u);
}

// The hole at the end is the last change to the file's bytes, and it has to become durable too.
TEST_P(CopyFile, MakesAHoleAtTheEndDurable) {
  make_sparse_file();
  for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    for (const Durability durability :
         {Durability::on_close, Durability::every_flush, Durability::every_write}) {
      FaultySystemCalls calls;
      calls.fail(Call::clone_file, 1, EOPNOTSUPP, Repeat::for_ever);
      EXPECT_TRUE(copy_under(calls, {create, durability}).ok());
      expect_copied();
      const long cut = calls.last(Call::truncate);
      EXPECT_GE(cut, 0) << "there is no hole at the end";
      const bool is_staged = create == CreateMode::replace_atomically;
      const Call sync = is_staged ? Call::fsync : Call::fdatasync;
      EXPECT_GT(calls.last(sync), cut) << calls.log();
      if (is_staged) {
        EXPECT_GT(calls.last(Call::renameat), cut) << calls.log();
      }
    }
  }
}

TEST_P(CopyFile, ReportsThatAHoleAtTheEndIsNotDurable) {
  make_sparse_file();
  FaultySystemCalls calls;
  EXPECT_TRUE(copy_under(calls, {.durability = Durability::every_write}).ok());
  const std::size_t syncs = calls.count(Call::fdatasync);
  calls.fail(Call::fdatasync, syncs, EIO);
  EXPECT_EQ(copy_under(calls, {.durability = Durability::every_write}).operation(),
            Operation::sync);
}

TEST_P(CopyFile, GivesTheCopyThePermissionsOfTheOriginal) {
  make_file(from_, "#!/bin/sh\n");
  const mode_t mask = ::umask(027);
  for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    ASSERT_EQ(::chmod(from_.c_str(), 06755), 0);
    EXPECT_TRUE(copy_file(from_, to_, {.create = create}).ok());
    EXPECT_EQ(permissions_of(to_), 0750u);
    ASSERT_EQ(::chmod(from_.c_str(), 0600), 0);
    EXPECT_TRUE(copy_file(from_, to_, {.create = create}).ok());
    EXPECT_EQ(permissions_of(to_), 0750u) << "it was there";
    ASSERT_EQ(::unlink(to_.c_str()), 0);
    EXPECT_TRUE(copy_file(from_, to_, {.create = create, .permissions = 0640}).ok());
    EXPECT_EQ(permissions_of(to_), 0640u);
    ASSERT_EQ(::unlink(to_.c_str()), 0);
  }
  ::umask(mask);
}

TEST_P(CopyFile, KeepsToTheCreateMode) {
  make_file(from_, "new");
  make_file(to_, "old bytes");
  EXPECT_EQ(copy_file(from_, to_, {.create = CreateMode::exclusive}).code().value(), EEXIST);
  EXPECT_EQ(contents_of(to_), "old bytes");
  EXPECT_TRUE(copy_file(from_, to_, {.create = CreateMode::existing}).ok());
  EXPECT_EQ(contents_of(to_), "new bytes");
  EXPECT_TRUE(copy_file(from_, to_, {.create = CreateMode::append}).ok());
  EXPECT_EQ(contents_of(to_), "new bytesnew");
  EXPECT_TRUE(copy_file(from_, to_, {.create = CreateMode::replace_atomically}).ok());
  EXPECT_EQ(contents_of(to_), "new");
  ASSERT_EQ(::unlink(to_.c_str()), 0);
  EXPECT_EQ(copy_file(from_, to_, {.create = CreateMode::existing}).code().value(), ENOENT);
}

TEST_P(CopyFile, WritesZerosOverOldBytesIfTheOriginalHasHoles) {
  make_sparse_file();
  make_file(to_, std::string(3 << 20, 'x'));
  EXPECT_TRUE(copy_file(from_, to_, {.create = CreateMode::existing}).ok());
  EXPECT_TRUE(contents_of(to_) == contents_of(from_) + std::string(1 << 20, 'x'));
}

TEST_P(CopyFile, RefusesAFileOntoItself) {
  make_file(from_, "bytes");
  const std::string link = directory_.file("link");
  const std::string name = directory_.file("name");
  ASSERT_EQ(::symlink(from_.c_str(), link.c_str()), 0);
  ASSERT_EQ(::link(from_.c_str(), name.c_str()), 0);
  for (const std::string& to : {from_, link, name}) {
    for (const CreateMode create :
         {CreateMode::truncate, CreateMode::append, CreateMode::replace_atomically}) {
      const Status status = copy_file(from_, to, {.create = create});
      EXPECT_EQ(status.message(), "open " + to + ": it is the same file as " + from_);
      EXPECT_EQ(status.code().value(), EINVAL);
    }
  }
  EXPECT_EQ(contents_of(from_), "bytes");
}

TEST_P(CopyFile, NamesAFileThatItCannotCopy) {
  EXPECT_EQ(copy_file(from_, to_).message(), "open " + from_ + ": No such file or directory");
  EXPECT_FALSE(file_exists(to_));
  EXPECT_EQ(copy_file(directory_.path(), to_).code().value(), EISDIR);
  EXPECT_FALSE(file_exists(to_));
  make_file(from_, "bytes");
  EXPECT_EQ(copy_file(from_, directory_.path()).message(),
            "open " + directory_.path() + ": Is a directory");
  EXPECT_EQ(copy_file(from_, to_ + "/to").code().value(), ENOENT);
  EXPECT_EQ(copy_file(from_, std::string("a\0b", 3)).code().value(), EINVAL);
  EXPECT_EQ(copy_file(from_, to_, {.create = static_cast<CreateMode>(99)}).code().value(), EINVAL);
  EXPECT_EQ(copy_file(from_, "/dev/full").message(),
            "write /dev/full at byte 0: No space left on device");
}

TEST_P(CopyFile, CopiesAFileThatWronglySaysItIsEmpty) {
  EXPECT_TRUE(copy_file("/proc/self/limits", to_).ok());
  EXPECT_EQ(contents_of(to_), contents_of("/proc/self/limits"));
}

TEST_P(CopyFile, CopiesFromAFifoAndToOne) {
  const std::string fifo = directory_.file("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  make_file(from_, pattern(0, 300'000));
  Status status;
  std::thread writing([&] { status = copy_file(from_, fifo); });
  EXPECT_TRUE(copy_file(fifo, to_).ok());
  writing.join();
  expect_copied(status);
}

// The copy has all bytes that the file had when the end was found.
TEST_P(CopyFile, CopiesAFileThatGrowsOrShrinksMeanwhile) {
  for (const bool kernel_copies : {true, false}) {
    for (const std::size_t bytes : {3'000'000u, 1'000'000u}) {
      make_file(from_, pattern(0, 2'000'000));
      FaultySystemCalls calls;
      calls.limit_transfers(100'000);
      calls.fail(Call::copy_range, kernel_copies ? 0 : 1, EXDEV, Repeat::for_ever);
      calls.act_before(14, [&] { make_file(from_, pattern(0, bytes)); });
      const Status status = copy_under(calls);
      expect_copied(status);
    }
  }
}

// Every call fails in turn, once and for ever. A success must come with all bytes. A failure must
// leave the old file as it was.
TEST_P(CopyFile, EveryCallFailedInTurnIsSurvivedOrReported) {
  make_sparse_file();
  for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    for (const Repeat repeat : {Repeat::once, Repeat::for_ever}) {
      bool injected = true;
      for (std::size_t nth = 1; injected; ++nth) {
        make_file(to_, "the old file");
        FaultySystemCalls calls;
        calls.fail_any(nth, EIO, repeat);
        const Status status = copy_under(calls, {create, Durability::on_close});
        injected = !calls.injected().empty();
        const std::string copied = contents_of(to_);
        if (status.ok()) {
          EXPECT_TRUE(copied == contents_of(from_)) << nth << "\n" << calls.log();
        } else if (create == CreateMode::replace_atomically &&
                   status.operation() != Operation::sync_directory) {
          EXPECT_EQ(copied, "the old file") << status.message() << "\n" << calls.log();
        }
        EXPECT_TRUE(injected || status.ok());
        expect_nothing_left(calls);
        ASSERT_LT(nth, 1'000u);
      }
    }
  }
}

TEST_P(CopyFile, SaysWhichFileFails) {
  make_file(from_, pattern(0, 3'000'000));
  for (const Call call : {Call::pread, Call::pwritev}) {
    FaultySystemCalls calls;
    calls.limit_transfers(1'000'000);
    calls.fail(Call::copy_range, 2, EIO, Repeat::for_ever);
    calls.fail(call, 1, EIO, Repeat::for_ever);
    const Status status = copy_under(calls);
    const std::string what = call == Call::pread ? "read " + from_ : "write " + to_;
    EXPECT_EQ(status.message(), what + " at byte 1000000: Input/output error");
  }
}

TEST_P(CopyFile, LosesNoErrorToTheHandler) {
  make_file(from_, pattern(0, 3'000'000));
  LostErrors lost;
  for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    for (const Call call : {Call::pread, Call::pwritev}) {
      FaultySystemCalls calls;
      calls.fail(Call::copy_range, 1, EIO, Repeat::for_ever);
      calls.fail(call, 1, EIO, Repeat::for_ever);
      const os::ScopedSystemCalls in_place(calls);
      EXPECT_FALSE(copy_file(from_, to_, {.create = create}).ok());
    }
  }
  EXPECT_EQ(lost.take_messages(), std::vector<std::string>()) << "the caller was told already";
}

}  // namespace
}  // namespace sluice::testing
