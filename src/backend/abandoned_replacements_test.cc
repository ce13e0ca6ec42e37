// remove_abandoned_replacements removes the temporary files of killed replacements, and no other
// file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "sluice/files.h"
#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr WriterOptions replacing{.create = CreateMode::replace_atomically};

// Calls `action` right before the first renameat or lock, in the thread that makes it.
class Between final : public FaultySystemCalls {
 public:
  std::function<void()> before_rename = [] {};
  std::function<void()> before_lock = [] {};
  std::function<void()> before_unlink = [] {};

  os::CallResult renameat(int directory, const char* from, const char* to) override {
    std::exchange(before_rename, [] {})();
    return FaultySystemCalls::renameat(directory, from, to);
  }
  os::CallResult lock(int descriptor) override {
    std::exchange(before_lock, [] {})();
    return FaultySystemCalls::lock(descriptor);
  }
  os::CallResult unlinkat(int directory, const char* name) override {
    std::exchange(before_unlink, [] {})();
    return FaultySystemCalls::unlinkat(directory, name);
  }
};

class ReplaceAbandoned : public ::testing::Test {
 protected:
  void SetUp() override { make_file(path_, "old"); }

  void leave_a_temporary_file() {
    const int code = exit_code_of_child([this] {
      Writer writer;
      if (!writer.open(path_, replacing).ok() || !writer.write("new")) ::_exit(1);
      static_cast<void>(writer.flush());
      ::raise(SIGKILL);
    });
    ASSERT_EQ(code, 128 + SIGKILL);
  }

  std::uint64_t remove() {
    std::uint64_t removed = 0;
    const Status status = remove_abandoned_replacements(directory_.path(), removed);
    EXPECT_TRUE(status.ok()) << status.message();
    return removed;
  }

  // Removes all files beside the file itself, without looking at their locks.
  std::uint64_t remove_without_lock() const {
    std::uint64_t removed = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      if (entry.path() == path_) continue;
      std::filesystem::remove(entry.path());
      ++removed;
    }
    return removed;
  }

  std::size_t files() const { return number_of_files(directory_.path()); }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("file");
  Between calls_;
  os::ScopedSystemCalls in_place_{calls_};
};

TEST_F(ReplaceAbandoned, FilesOfKilledProcessesAreTakenAway) {
  for (int i = 0; i < 3; ++i) ASSERT_NO_FATAL_FAILURE(leave_a_temporary_file());
  ASSERT_EQ(files(), 4u);
  EXPECT_EQ(remove(), 3u);
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(contents_of(path_), "old");
  EXPECT_EQ(remove(), 0u);
}

// The process that made the file, and holds its lock, may remove the file first.
TEST_F(ReplaceAbandoned, FilesThatAnotherProcessRemovesAreNotCounted) {
  ASSERT_NO_FATAL_FAILURE(leave_a_temporary_file());
  std::uint64_t removed_by_other = 0;
  calls_.before_unlink = [&] { removed_by_other = remove_without_lock(); };
  EXPECT_EQ(remove(), 0u);
  EXPECT_EQ(removed_by_other, 1u);
}

TEST_F(ReplaceAbandoned, AFileThatIsBeingWrittenStays) {
  ASSERT_NO_FATAL_FAILURE(leave_a_temporary_file());
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  EXPECT_EQ(remove(), 1u) << "the other one";
  EXPECT_TRUE(writer.write("new"));
  EXPECT_EQ(remove(), 0u);
  calls_.before_rename = [this] { EXPECT_EQ(remove(), 0u); };
  EXPECT_TRUE(writer.close().ok()) << writer.status().message();
  EXPECT_EQ(remove(), 0u);
  EXPECT_EQ(contents_of(path_), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ReplaceAbandoned, AFileThatAForkedChildStillHasOpenStays) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  const int code = exit_code_of_child([this, &writer] {
    writer = Writer();
    ::_exit(static_cast<int>(remove()));
  });
  EXPECT_EQ(code, 0) << "the child removed its parent's file";
  EXPECT_EQ(remove(), 0u) << "the child has unlocked its parent's file";
  EXPECT_TRUE(writer.close().ok()) << writer.status().message();
}

// The removal happens after the temporary file is created and before it is locked.
TEST_F(ReplaceAbandoned, AFileThatIsRemovedBeforeItIsLockedIsMadeAgain) {
  calls_.before_lock = [this] { EXPECT_EQ(remove(), 1u); };
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  EXPECT_TRUE(writer.write("new"));
  EXPECT_TRUE(writer.close().ok()) << writer.status().message();
  EXPECT_EQ(contents_of(path_), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ReplaceAbandoned, AFileThatIsBeingRemovedIsMadeAgain) {
  calls_.fail(Call::lock, 1, EWOULDBLOCK);
  EXPECT_TRUE(write_file(path_, "new", replacing).ok());
  EXPECT_EQ(calls_.count(Call::random_bytes), 2u) << calls_.log();
  EXPECT_EQ(contents_of(path_), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ReplaceAbandoned, NoFileIsRemovedIfFilesCannotBeLocked) {
  ASSERT_NO_FATAL_FAILURE(leave_a_temporary_file());
  calls_.fail(Call::lock, 1, ENOLCK, Repeat::for_ever);
  EXPECT_EQ(remove(), 0u);
  EXPECT_TRUE(write_file(path_, "new", replacing).ok()) << "a replacement must work without locks";
  EXPECT_EQ(files(), 2u);
}

TEST_F(ReplaceAbandoned, AFileThatOnlyLooksAbandonedStays) {
  const std::string name = ".sluice-abcdefghijklmnop";
  for (const char* other :
       {".sluice-", ".sluice-abc", ".sluice-abcdefghijklmnopq", ".sluice-abcdefghijklmno9",
        ".sluice-ABCDEFGHIJKLMNOP", "x.sluice-abcdefghijklmnop", "sluice-abcdefghijklmnop"}) {
    make_file(directory_.file(other), "another's");
  }
  ASSERT_EQ(::symlink("file", directory_.file(name).c_str()), 0);
  ASSERT_EQ(::mkdir(directory_.file(".sluice-bbbbbbbbbbbbbbbb").c_str(), 0700), 0);
  ASSERT_EQ(::mkfifo(directory_.file(".sluice-cccccccccccccccc").c_str(), 0600), 0);
  const std::size_t before = files();
  EXPECT_EQ(remove(), 0u);
  EXPECT_EQ(files(), before);
  EXPECT_EQ(contents_of(path_), "old");
}

TEST_F(ReplaceAbandoned, AFileThatMayNotBeRemovedStays) {
  ASSERT_NO_FATAL_FAILURE(leave_a_temporary_file());
  for (const Call call : {Call::unlinkat, Call::openat}) {
    // openat is called for the directory, for the name, and for the file. The third call fails.
    calls_.fail(call, call == Call::unlinkat ? 1 : 3, EACCES);
    EXPECT_EQ(remove(), 0u);
    EXPECT_EQ(files(), 2u);
  }
}

TEST_F(ReplaceAbandoned, EveryCallFailedInTurnIsReportedOrLeavesTheFile) {
  for (const Repeat repeat : {Repeat::once, Repeat::for_ever}) {
    for (std::size_t nth = 1;; ++nth) {
      ASSERT_NO_FATAL_FAILURE(leave_a_temporary_file());
      Writer writer;
      ASSERT_TRUE(writer.open(path_, replacing).ok());
      FaultySystemCalls calls;
      std::uint64_t removed = 0;
      Status status;
      {
        const os::ScopedSystemCalls in_place(calls);
        calls.fail_any(nth, EIO, repeat);
        status = remove_abandoned_replacements(directory_.path(), removed);
      }
      EXPECT_EQ(files(), 3 - removed) << calls.log();
      EXPECT_TRUE(removed == 1 || !status.ok() || calls.injected()[0] == Call::lock) << calls.log();
      EXPECT_TRUE(writer.close().ok())
          << "the file of the living Writer was removed: " << calls.log();
      static_cast<void>(remove());
      if (calls.injected().empty()) break;
    }
  }
}

TEST_F(ReplaceAbandoned, AMissingDirectoryIsAFailure) {
  std::uint64_t removed = 7;
  const Status status = remove_abandoned_replacements(directory_.file("none"), removed);
  EXPECT_EQ(status.code().value(), ENOENT);
  EXPECT_EQ(status.path(), directory_.file("none"));
  EXPECT_EQ(removed, 0u);
}

}  // namespace
}  // namespace sluice::testing
