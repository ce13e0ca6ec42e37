// W2 and W4: the directory that is synced for a file's name, and the result if no directory can be
// synced.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "sluice/files.h"
#include "sluice/journal.h"
#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/process_facts.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr Durability durable_ones[] = {Durability::on_close, Durability::every_flush,
                                       Durability::every_write};
constexpr char unreadable[] =
    "its directory cannot be opened, so its name cannot be made durable: Permission denied";

ino_t number_of(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

// Records the files that fsync syncs. In these tests they are directories.
class SyncedDirectories final : public FaultySystemCalls {
 public:
  os::CallResult fsync(int descriptor) override {
    struct stat facts {};
    if (::fstat(descriptor, &facts) == 0) numbers.push_back(facts.st_ino);
    return FaultySystemCalls::fsync(descriptor);
  }

  std::vector<ino_t> numbers;
};

class DurableName : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(std::filesystem::create_directory(folder_)); }

  // Moves the directory with the file away. Another directory with a file of the same name replaces
  // it.
  void move_away_and_put_another_in_its_place() {
    std::filesystem::rename(folder_, moved_);
    std::filesystem::create_directory(folder_);
    make_file(path_, "another");
  }

  const ScratchDirectory directory_;
  const std::string folder_ = directory_.file("folder");
  const std::string moved_ = directory_.file("moved");
  const std::string path_ = folder_ + "/out";
  SyncedDirectories calls_;
  os::ScopedSystemCalls in_place_{calls_};
};

TEST_F(DurableName, IsSyncedInTheDirectoryThatTheFileWasMadeIn) {
  for (const bool kernel_knows_names : {true, false}) {
    if (!kernel_knows_names) calls_.fail(Call::name_of, 1, ENOENT, Repeat::for_ever);
    std::filesystem::remove_all(folder_);
    std::filesystem::remove_all(moved_);
    std::filesystem::create_directory(folder_);
    calls_.numbers.clear();
    Writer writer;
    ASSERT_TRUE(writer.open(path_, {.durability = Durability::on_close}).ok());
    EXPECT_TRUE(writer.write("bytes"));
    move_away_and_put_another_in_its_place();
    EXPECT_TRUE(writer.close().ok()) << writer.status().message();
    EXPECT_EQ(calls_.numbers, std::vector<ino_t>{number_of(moved_)});
  }
}

TEST_F(DurableName, IsSyncedInTheFilesDirectoryAlsoWhenAskedForLater) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  move_away_and_put_another_in_its_place();
  EXPECT_TRUE(writer.flush(FlushTo::storage).ok()) << writer.status().message();
  EXPECT_EQ(calls_.numbers, std::vector<ino_t>{number_of(moved_)});
}

TEST_F(DurableName, IsNeverSaidToBeDurableForAnotherFileOfThatName) {
  calls_.fail(Call::name_of, 1, ENOENT, Repeat::for_ever);
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  EXPECT_TRUE(writer.write("bytes"));
  move_away_and_put_another_in_its_place();
  const Status status = writer.flush(FlushTo::storage);
  EXPECT_EQ(status.message(), "sync directory " + path_ +
                                  ": its directory is not found, so its name cannot be made "
                                  "durable: No such file or directory");
  EXPECT_EQ(calls_.numbers, std::vector<ino_t>{});
  EXPECT_TRUE(writer.write(" and more")) << "nothing was lost";
  EXPECT_TRUE(writer.close().ok()) << "close() promises no durable bytes here";
  EXPECT_EQ(contents_of(moved_ + "/out"), "bytes and more");
}

TEST_F(DurableName, IsFoundByThePathIfTheKernelsNameMeansAnotherPlace) {
  EXPECT_TRUE(write_file(path_, "bytes").ok());
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  calls_.fail(Call::open, 1, EACCES);  // as if the directory could no longer be searched
  EXPECT_TRUE(writer.flush(FlushTo::storage).ok()) << writer.status().message();
  EXPECT_EQ(calls_.numbers, std::vector<ino_t>{number_of(folder_)});
}

TEST_F(DurableName, IsThatOfTheFailureIfTheDirectoryCannotBeClosed) {
  for (const auto create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    Writer writer;
    ASSERT_TRUE(writer.open(path_, {.create = create, .durability = Durability::on_close}).ok());
    EXPECT_TRUE(writer.write("bytes"));
    calls_.forget_records();
    const bool replaces = create == CreateMode::replace_atomically;
    calls_.fail(Call::close, replaces ? 2 : 1, EIO);  // the new file is closed before its directory
    const Status status = writer.close();
    EXPECT_EQ(status.operation(), Operation::close);
    EXPECT_EQ(status.path(), path_) << status.message();
  }
}

TEST_F(DurableName, IsNotSyncedOnceTheFileIsRemoved) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_).ok());
  std::filesystem::remove_all(folder_);
  EXPECT_TRUE(writer.flush(FlushTo::storage).ok()) << writer.status().message();
  EXPECT_EQ(calls_.numbers, std::vector<ino_t>{});
}

TEST_F(DurableName, CostsNothingWithoutDurability) {
  EXPECT_TRUE(write_file(path_, "bytes").ok());
  EXPECT_EQ(calls_.total(), 3u) << calls_.log();
}

TEST_F(DurableName, IsSyncedForAnOldFileToo) {
  for (const Durability durability : durable_ones) {
    make_file(path_, "made by somebody who synced nothing");
    calls_.numbers.clear();
    EXPECT_TRUE(write_file(path_, "bytes", {.durability = durability}).ok());
    EXPECT_EQ(calls_.numbers, std::vector<ino_t>{number_of(folder_)});
  }
}

TEST_F(DurableName, IsTheNameOfTheNewFileBehindADanglingLink) {
  const std::string link = directory_.file("link");
  std::filesystem::create_symlink("folder/out", link);
  EXPECT_TRUE(write_file(link, "bytes", {.durability = Durability::on_close}).ok());
  EXPECT_EQ(calls_.numbers, std::vector<ino_t>{number_of(folder_)});
  EXPECT_EQ(contents_of(path_), "bytes");
}

TEST_F(DurableName, IsRefusedAtOpenIfItsDirectoryCannotBeOpened) {
  for (const Durability durability : durable_ones) {
    for (const CreateMode create :
         {CreateMode::truncate, CreateMode::append, CreateMode::exclusive}) {
      std::filesystem::remove(path_);
      Writer writer;
      calls_.forget_records();
      // With exclusive the file is opened once. With the other modes the old file is tried first.
      calls_.fail(Call::open, create == CreateMode::exclusive ? 2 : 3, EMFILE, Repeat::for_ever);
      const Status status = writer.open(path_, {.create = create, .durability = durability});
      EXPECT_EQ(status.operation(), Operation::open);
      EXPECT_EQ(status.path(), path_);
      EXPECT_EQ(status.code().value(), EMFILE) << calls_.log();
      EXPECT_FALSE(writer.write("bytes"));
      EXPECT_EQ(contents_of(path_), "");
    }
  }
}

TEST_F(DurableName, IsRefusedBeforeAnOldFileIsCut) {
  make_file(path_, "old");
  for (const Durability durability : durable_ones) {
    for (const CreateMode create : {CreateMode::truncate, CreateMode::append}) {
      Writer writer;
      calls_.forget_records();
      calls_.fail(Call::open, 2, EMFILE, Repeat::for_ever);  // the directory, after the file
      const Status status = writer.open(path_, {.create = create, .durability = durability});
      EXPECT_EQ(status.code().value(), EMFILE) << calls_.log();
      EXPECT_EQ(contents_of(path_), "old");
      calls_.fail(Call::open, 0, 0);
    }
  }
}

TEST_F(DurableName, DoesNotKeepAFileFromBeingCut) {
  for (const Durability durability : durable_ones) {
    make_file(path_, "much longer than what comes");
    EXPECT_TRUE(write_file(path_, "bytes", {.durability = durability}).ok());
    EXPECT_EQ(contents_of(path_), "bytes");
    EXPECT_TRUE(write_file("/dev/null", "bytes", {.durability = durability}).ok());
  }
  calls_.fail(Call::truncate, 1, EPERM);
  const Status status = write_file(path_, "new", {.durability = Durability::on_close});
  EXPECT_EQ(status.message(), "open " + path_ + ": Operation not permitted");
  EXPECT_EQ(contents_of(path_), "bytes");
}

// ---- a directory that may be searched but not read ----

// Runs `body` in a child as another user. Returns 0, or the number of the first failed expectation.
template <typename Body>
int as_nobody(Body body) {
  return exit_code_of_child([&] {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(100);
    ::_exit(body());
  });
}

class UnreadableDirectory : public DurableName {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
    ASSERT_NO_FATAL_FAILURE(DurableName::SetUp());
    make_file(path_, "old");
    ASSERT_EQ(::chown(path_.c_str(), 65534, 65534), 0);
    ASSERT_EQ(::chmod(directory_.path().c_str(), 0711), 0);
    ASSERT_EQ(::chmod(folder_.c_str(), 0733), 0);
  }
};

TEST_F(UnreadableDirectory, TakesDurableBytesIntoAnOldFile) {
  for (const Durability durability : durable_ones) {
    for (const CreateMode create : {CreateMode::truncate, CreateMode::append}) {
      const int code = as_nobody([&] {
        const Status status =
            write_file(path_, "bytes", {.create = create, .durability = durability});
        if (!status.ok()) std::fputs((status.message() + '\n').c_str(), stderr);
        return status.ok() && calls_.count(Call::fdatasync) == 1 ? 0 : 1;
      });
      EXPECT_EQ(code, 0);
    }
  }
  EXPECT_EQ(contents_of(path_), "bytesbytes");
}

// If the file stayed after the refusal, the second open would take it for an old file.
TEST_F(UnreadableDirectory, RefusesANewFileWithDurability) {
  const std::string made = folder_ + "/new";
  const std::string link = directory_.file("link");
  std::filesystem::create_symlink(made, link);
  for (const Durability durability : durable_ones) {
    for (const CreateMode create :
         {CreateMode::truncate, CreateMode::append, CreateMode::exclusive}) {
      for (const std::string& path : {made, made, link}) {
        if (path == link && create == CreateMode::exclusive) continue;  // the link exists already
        const int code = as_nobody([&] {
          Writer writer;
          const Status status = writer.open(path, {.create = create, .durability = durability});
          if (status.message() != "open " + path + ": " + unreadable) return 1;
          return writer.write("bytes") ? 2 : 0;
        });
        EXPECT_EQ(code, 0);
        EXPECT_FALSE(std::filesystem::exists(made));
      }
    }
  }
}

TEST_F(UnreadableDirectory, MayHoldALinkToANewFileElsewhere) {
  const std::string readable = directory_.file("readable");
  const std::string link = folder_ + "/link";
  std::filesystem::create_directory(readable);
  ASSERT_EQ(::chmod(readable.c_str(), 0777), 0);
  std::filesystem::create_symlink("../readable/new", link);
  for (const CreateMode create : {CreateMode::truncate, CreateMode::replace_atomically}) {
    const int code = as_nobody([&] {
      const Status status =
          write_file(link, "bytes", {.create = create, .durability = Durability::on_close});
      if (!status.ok()) std::fputs((status.message() + '\n').c_str(), stderr);
      return status.ok() && calls_.numbers.back() == number_of(readable) ? 0 : 1;
    });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(contents_of(readable + "/new"), "bytes");
    std::filesystem::remove(readable + "/new");
  }
}

TEST_F(UnreadableDirectory, CannotBeAskedForDurabilityLater) {
  const int code = as_nobody([&] {
    Writer writer;
    if (!writer.open(path_).ok() || !writer.write("bytes")) return 1;
    const Status status = writer.flush(FlushTo::storage);
    if (status.message() != "sync directory " + path_ + ": " + unreadable) return 2;
    if (calls_.count(Call::fdatasync) != 1) return 3;
    return writer.write(" and more") && writer.close().ok() ? 0 : 4;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(contents_of(path_), "bytes and more");
}

TEST_F(UnreadableDirectory, ReportsThatTheFileExistsAlready) {
  const std::string link = folder_ + "/link";
  std::filesystem::create_symlink("new", link);
  for (const Durability durability : {Durability::none, Durability::on_close}) {
    for (const std::string& path : {path_, link}) {
      const int code = as_nobody([&] {
        return write_file(path, "x", {.create = CreateMode::exclusive, .durability = durability})
            .code()
            .value();
      });
      EXPECT_EQ(code, EEXIST);
    }
  }
}

// A process may have died before it made the name durable.
TEST_F(UnreadableDirectory, TakesNoJournal) {
  const int code = as_nobody([&] {
    Journal journal;
    const Status status = journal.open(path_, {.framing = Framing::raw});
    return status.message() == "sync directory " + path_ + ": " + unreadable ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(contents_of(path_), "old");
}

TEST_F(UnreadableDirectory, MakesNoJournal) {
  const std::string made = folder_ + "/new";
  const int code = as_nobody([&] {
    Journal journal;
    const Status status = journal.open(made, {.framing = Framing::raw});
    return status.message() == "open " + made + ": " + unreadable ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_FALSE(std::filesystem::exists(made));
}

}  // namespace
}  // namespace sluice::testing
