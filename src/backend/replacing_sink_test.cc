// create=replace_atomically: the new file, the properties that it keeps, and the cases in which the
// old file stays.
#include <fcntl.h>
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
#include "testing/file_facts.h"
#include "testing/lost_errors.h"
#include "testing/process_facts.h"
#include "testing/recording_sink.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr WriterOptions replacing{.create = CreateMode::replace_atomically};

class Replace : public ::testing::Test {
 protected:
  void SetUp() override {
    make_file(path_, "old");
    umask_ = ::umask(022);
  }
  void TearDown() override { ::umask(umask_); }

  Status replace(const std::string& path, const std::string& bytes = "new") {
    return write_file(path, bytes, replacing);
  }

  void expect_refused(const std::string& path, int code, const std::string& reason = "") {
    calls_.forget_records();
    const Status status = replace(path);
    EXPECT_EQ(status.code().value(), code) << status.message();
    EXPECT_EQ(status.path(), path);
    EXPECT_NE(status.message().find(reason), std::string::npos) << status.message();
    EXPECT_EQ(calls_.count(Call::pwritev) + calls_.count(Call::renameat), 0u) << calls_.log();
  }

  // Only the old file is there.
  void expect_untouched() {
    EXPECT_EQ(contents_of(path_), "old");
    EXPECT_EQ(number_of_files(directory_.path()), 1u) << "a temporary file stays behind";
  }

  // The one failure that the lost-error handler got.
  Status lost_error() {
    const std::vector<Status> statuses = lost_.take();
    EXPECT_EQ(statuses.size(), 1u);
    return statuses.empty() ? Status() : statuses.front();
  }

  // The index in the log of the nth call of this kind; a large number if there is none.
  std::size_t index_of(Call kind, std::size_t nth = 1) const {
    const std::vector<CallRecord> records = calls_.records();
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (records[i].call == kind && --nth == 0) return i;
    }
    return SIZE_MAX;
  }

  // The name of the temporary file of the Writer that is being opened.
  std::string name_of_temporary() const {
    std::string name;
    for (const CallRecord& record : calls_.records(Call::openat)) {
      if ((record.flags & O_CREAT) == 0) continue;
      name = record.path;
      EXPECT_NE(record.flags & O_EXCL, 0u);
      EXPECT_NE(record.flags & O_NOFOLLOW, 0u);
    }
    return name;
  }

  ScratchDirectory directory_;
  const std::string path_ = directory_.file("file");
  FaultySystemCalls calls_;
  os::ScopedSystemCalls in_place_{calls_};
  LostErrors lost_;
  mode_t umask_ = 0;
};

// ---- the step ----

TEST_F(Replace, SyncsTheBytesThenRenamesThenSyncsTheDirectory) {
  for (const Durability durability :
       {Durability::none, Durability::on_close, Durability::every_flush, Durability::every_write}) {
    calls_.forget_records();
    WriterOptions options = replacing;
    options.durability = durability;
    ASSERT_TRUE(write_file(path_, "new", options).ok());
    ASSERT_EQ(calls_.count(Call::fsync), 2u) << calls_.log();
    EXPECT_LT(index_of(Call::pwritev), index_of(Call::fchmod)) << calls_.log();
    EXPECT_LT(index_of(Call::fchmod), index_of(Call::fsync))
        << "the sync must cover the permissions";
    EXPECT_LT(index_of(Call::fsync), index_of(Call::renameat)) << calls_.log();
    EXPECT_LT(index_of(Call::renameat), index_of(Call::fsync, 2)) << calls_.log();
    const std::vector<CallRecord> records = calls_.records();
    EXPECT_EQ(records[index_of(Call::fsync)].descriptor,
              records[index_of(Call::pwritev)].descriptor)
        << "the bytes";
    EXPECT_EQ(records[index_of(Call::fsync, 2)].descriptor,
              records[index_of(Call::renameat)].descriptor)
        << "the directory in which the name was given";
    EXPECT_EQ(contents_of(path_), "new");
  }
}

TEST_F(Replace, ShowsNothingBeforeClose) {
  Writer writer;
  WriterOptions options = replacing;
  options.block_bytes = 4096;
  options.write_behind = WriteBehind::on;
  ASSERT_TRUE(writer.open(path_, options).ok());
  const std::string bytes(1'000'000, 'x');
  for (const char byte : bytes) writer.put(byte);
  EXPECT_TRUE(writer.flush(FlushTo::storage).ok());
  EXPECT_EQ(contents_of(path_), "old");
  EXPECT_TRUE(writer.close().ok());
  EXPECT_TRUE(contents_of(path_) == bytes);
  EXPECT_EQ(number_of_files(directory_.path()), 1u);
}

TEST_F(Replace, MakesTheTemporaryFileForItsOwnerAloneAndFollowsNothing) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  const std::string name = name_of_temporary();
  EXPECT_EQ(name.find('/'), std::string::npos)
      << "the temporary file must lie in the target's directory";
  EXPECT_EQ(permissions_of(directory_.file(name)), 0600u);
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(Replace, TriesAnotherNameWhenOneIsTaken) {
  calls_.fail(Call::openat, 3, EEXIST);  // the first two open the directory and the old file
  EXPECT_TRUE(replace(path_).ok());
  EXPECT_EQ(calls_.count(Call::random_bytes), 2u) << calls_.log();
  EXPECT_EQ(contents_of(path_), "new");
}

TEST_F(Replace, GivesUpWhenEveryNameIsTaken) {
  calls_.fail(Call::openat, 3, EEXIST, Repeat::for_ever);
  EXPECT_EQ(replace(path_).code().value(), EEXIST);
  EXPECT_EQ(calls_.count(Call::random_bytes), 100u);
  expect_untouched();
}

TEST_F(Replace, KeepsToTheDirectoryThatItWasOpenedIn) {
  std::string before(4096, '\0');
  ASSERT_NE(::getcwd(before.data(), before.size()), nullptr);
  ASSERT_EQ(::chdir(directory_.path().c_str()), 0);
  Writer writer;
  ASSERT_TRUE(writer.open("file", replacing).ok());
  EXPECT_TRUE(writer.write("new"));
  ASSERT_EQ(::chdir("/"), 0);
  EXPECT_TRUE(writer.close().ok()) << writer.status().message();
  ASSERT_EQ(::chdir(before.c_str()), 0);
  EXPECT_EQ(contents_of(path_), "new");
  EXPECT_EQ(number_of_files(directory_.path()), 1u);
}

TEST_F(Replace, MakesANewFileIfThereIsNone) {
  const std::string path = directory_.file("another");
  EXPECT_TRUE(replace(path).ok());
  EXPECT_EQ(contents_of(path), "new");
  EXPECT_EQ(permissions_of(path), 0644u) << "0666 less the umask";
}

TEST_F(Replace, HoldsNoDescriptorOnceClosed) {
  for (const bool closed : {true, false}) {
    calls_.forget_records();
    Writer writer;
    ASSERT_TRUE(writer.open(path_, replacing).ok());
    EXPECT_TRUE((closed ? writer.close() : writer.discard()).ok());
    const std::size_t opened =
        calls_.count(Call::open) + calls_.count(Call::openat) + calls_.count(Call::duplicate);
    EXPECT_EQ(calls_.count(Call::close), opened) << calls_.log();
  }
}

TEST_F(Replace, PutsAnEmptyFileInPlace) {
  EXPECT_TRUE(replace(path_, "").ok());
  EXPECT_EQ(contents_of(path_), "");
}

// ---- names ----

TEST_F(Replace, ReplacesTheFileThatASymbolicLinkLeadsTo) {
  ASSERT_EQ(::mkdir(directory_.file("folder").c_str(), 0700), 0);
  const std::string link = directory_.file("folder/link");
  const std::string link_to_link = directory_.file("link");
  ASSERT_EQ(::symlink("../file", link.c_str()), 0);
  ASSERT_EQ(::symlink(link.c_str(), link_to_link.c_str()), 0);
  EXPECT_TRUE(replace(link_to_link).ok());
  EXPECT_EQ(contents_of(path_), "new");
  EXPECT_TRUE(S_ISREG(facts_of(path_).st_mode));
  EXPECT_TRUE(S_ISLNK(facts_of(link).st_mode));
  EXPECT_TRUE(S_ISLNK(facts_of(link_to_link).st_mode));
  EXPECT_EQ(number_of_files(directory_.file("folder")), 1u);
}

TEST_F(Replace, MakesTheFileThatADanglingLinkLeadsTo) {
  const std::string link = directory_.file("link");
  ASSERT_EQ(::symlink("new file", link.c_str()), 0);
  EXPECT_TRUE(replace(link).ok());
  EXPECT_EQ(contents_of(directory_.file("new file")), "new");
  EXPECT_TRUE(S_ISLNK(facts_of(link).st_mode));
}

TEST_F(Replace, RefusesLinksThatLeadNowhere) {
  const std::string link = directory_.file("link");
  ASSERT_EQ(::symlink("link", link.c_str()), 0);
  expect_refused(link, ELOOP);
  EXPECT_LE(calls_.count(Call::openat), 100u) << "more links were followed than the kernel follows";
  const std::string missing = directory_.file("missing");
  ASSERT_EQ(::symlink("no/such/folder", missing.c_str()), 0);
  expect_refused(missing, ENOENT, "its directory cannot be opened");
}

// fs.protected_symlinks: the kernel does not follow a link that another user has put into a folder
// like /tmp. Not every machine has this setting. The test only checks that the kernel is asked.
TEST_F(Replace, RefusesALinkThatTheKernelDoesNotFollow) {
  const std::string link = directory_.file("link");
  ASSERT_EQ(::symlink("file", link.c_str()), 0);
  calls_.fail(Call::stat, 1, EACCES);
  expect_refused(link, EACCES);
  EXPECT_EQ(contents_of(path_), "old");
}

TEST_F(Replace, RefusesALinkInProcToAFileWithoutAName) {
  const int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  expect_refused("/proc/self/fd/" + std::to_string(descriptor), EINVAL,
                 "a symbolic link that changed");
  EXPECT_EQ(number_of_files(directory_.path()), 0u);
  ::close(descriptor);
}

TEST_F(Replace, RefusesAFileThatHasBecomeALinkMeanwhile) {
  const std::string other = directory_.file("other");
  make_file(other, "other");
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  EXPECT_TRUE(writer.write("new"));
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  ASSERT_EQ(::symlink("other", path_.c_str()), 0);
  const Status status = writer.close();
  EXPECT_EQ(status.message(),
            "replace " + path_ + ": it has become a symbolic link since it was opened");
  EXPECT_EQ(contents_of(other), "other");
  EXPECT_EQ(number_of_files(directory_.path()), 2u);
}

TEST_F(Replace, RefusesAFileWithSeveralNames) {
  const std::string second = directory_.file("second");
  ASSERT_EQ(::link(path_.c_str(), second.c_str()), 0);
  expect_refused(path_, EMLINK, "it has 2 names (hard links)");
  ASSERT_EQ(::unlink(second.c_str()), 0);
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  ASSERT_EQ(::link(path_.c_str(), second.c_str()), 0);
  const Status status = writer.close();
  EXPECT_EQ(status.code().value(), EMLINK) << "given meanwhile";
  EXPECT_EQ(status.operation(), Operation::replace) << status.message();
  ASSERT_EQ(::unlink(second.c_str()), 0);
  expect_untouched();
}

TEST_F(Replace, RefusesAFileThatIsNotRegular) {
  expect_refused(directory_.path(), EISDIR);
  expect_refused(directory_.path() + "/", EISDIR);
  expect_refused(directory_.file("new/"), EISDIR);
  expect_refused(directory_.path() + "/.", EISDIR);
  expect_refused("", ENOENT);
  expect_refused("/dev/null", EINVAL, "no regular file");
  const std::string fifo = directory_.file("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  expect_refused(fifo, EINVAL, "no regular file");  // the open does not wait for a reader
  expect_refused(directory_.file("file/below"), ENOTDIR);
  expect_refused(std::string("a\0b", 3), EINVAL, "NUL");
  expect_refused(directory_.file(std::string(256, 'x')), ENAMETOOLONG);
}

TEST_F(Replace, TakesTheLongestNameThereIs) {
  const std::string path = directory_.file(std::string(255, 'x'));
  EXPECT_TRUE(replace(path).ok());
  EXPECT_EQ(contents_of(path), "new");
}

// Other users may write to the directory, as in a /tmp without its sticky bit.
TEST_F(Replace, PutsNoFileInPlaceThatWasExchangedForTheTemporaryFile) {
  for (const bool is_exchanged : {true, false}) {
    calls_.forget_records();
    Writer writer;
    ASSERT_TRUE(writer.open(path_, replacing).ok());
    EXPECT_TRUE(writer.write("new"));
    const std::string temporary = name_of_temporary();
    ASSERT_EQ(::unlink(directory_.file(temporary).c_str()), 0);
    if (is_exchanged) make_file(directory_.file(temporary), "another's");
    const Status status = writer.close();
    EXPECT_EQ(status.message(), "replace " + path_ + ": its temporary file " + temporary +
                                    " was removed, or another file was put in its place");
    EXPECT_EQ(contents_of(path_), "old");
    if (!is_exchanged) continue;
    EXPECT_EQ(contents_of(directory_.file(temporary)), "another's")
        << "another program's file must not be removed";
    ASSERT_EQ(::unlink(directory_.file(temporary).c_str()), 0);
  }
  expect_untouched();
}

// ---- without close ----

TEST_F(Replace, LeavesTheOldFileWhenDiscarded) {
  Writer writer;
  WriterOptions options = replacing;
  options.block_bytes = 64;
  options.write_behind = WriteBehind::on;
  ASSERT_TRUE(writer.open(path_, options).ok());
  for (int i = 0; i < 1000; ++i) writer.put('x');
  EXPECT_TRUE(writer.discard().ok());
  expect_untouched();
  EXPECT_FALSE(writer.is_open());
  EXPECT_FALSE(writer.write("more"));
  EXPECT_EQ(writer.close().message(), "close " + path_ + ": the Writer was discarded");
  EXPECT_EQ(writer.discard().code().value(), EBADF);
  writer = Writer();
  EXPECT_EQ(lost_.take_messages(), std::vector<std::string>()) << "told without need";
  expect_untouched();
}

TEST_F(Replace, SaysWhenTheTemporaryFileCannotBeTakenAway) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  calls_.fail(Call::unlinkat, 1, EROFS);
  const Status status = writer.discard();
  EXPECT_EQ(status.operation(), Operation::remove);
  EXPECT_NE(status.message().find("stays behind: Read-only file system"), std::string::npos)
      << status.message();
}

TEST_F(Replace, SaysAfterAnyFailureThatTheTemporaryFileStaysBehind) {
  for (const Call failing : {Call::renameat, Call::pwritev, Call::fsync}) {
    calls_.forget_records();
    calls_.fail(failing, 1, EDQUOT);
    calls_.fail(Call::unlinkat, 1, EPERM);
    Writer writer;
    ASSERT_TRUE(writer.open(path_, replacing).ok());
    writer.write("new");
    const Status status = writer.close();
    const std::string temporary = name_of_temporary();
    EXPECT_EQ(status.code().value(), EDQUOT);
    EXPECT_EQ(status.message(), writer.status().message() + "; remove " + path_ +
                                    ": its temporary file " + temporary +
                                    " stays behind: Operation not permitted");
    EXPECT_EQ(writer.close().message(), status.message());
    EXPECT_EQ(writer.status().message().find("stays behind"), std::string::npos);
    ASSERT_EQ(::unlink(directory_.file(temporary).c_str()), 0) << status.message();
  }
  expect_untouched();
}

TEST_F(Replace, SaysWhenARefusedOpenLeavesATemporaryFileBehind) {
  calls_.fail(Call::fstat, 2, EIO);  // this fstat finds the owner of the temporary file
  calls_.fail(Call::unlinkat, 1, EPERM);
  Writer writer;
  const Status status = writer.open(path_, replacing);
  EXPECT_EQ(status.code().value(), EIO) << status.message();
  EXPECT_NE(status.message().find("its temporary file " + name_of_temporary() + " stays behind"),
            std::string::npos)
      << status.message();
}

TEST_F(Replace, ReportsATemporaryFileThatStaysBehindAsALostError) {
  calls_.fail(Call::pwritev, 1, ENOSPC);
  calls_.fail(Call::unlinkat, 1, EPERM);
  {
    Writer writer;
    ASSERT_TRUE(writer.open(path_, replacing).ok());
    writer.write("new");
    EXPECT_FALSE(writer.flush().ok());
  }
  const Status lost = lost_error();
  EXPECT_EQ(lost.code().value(), EPERM) << "flush() has given the first failure";
  EXPECT_NE(lost.message().find(name_of_temporary() + " stays behind"), std::string::npos)
      << lost.message();
}

TEST_F(Replace, DiscardIsRefusedIfBytesAreInTheTarget) {
  std::string target;
  for (const CreateMode create : {CreateMode::truncate, CreateMode::append}) {
    Writer writer;
    ASSERT_TRUE(writer.open(path_, {.create = create}).ok());
    EXPECT_TRUE(writer.write("bytes"));
    const Status status = writer.discard();
    EXPECT_EQ(status.code().value(), EINVAL);
    EXPECT_EQ(status.message(),
              "discard " + path_ +
                  ": this Writer cannot be discarded, because its bytes go straight to the target");
    EXPECT_TRUE(writer.write(" and more"));
    EXPECT_TRUE(writer.close().ok());
  }
  Writer writer;
  EXPECT_EQ(writer.discard().code().value(), EBADF);
  ASSERT_TRUE(writer.open(make_memory_sink(target)).ok());
  EXPECT_EQ(writer.discard().code().value(), EINVAL);
}

TEST_F(Replace, DiscardsAndReportsALostErrorWhenDestroyedOpen) {
  {
    Writer writer;
    ASSERT_TRUE(writer.open(path_, replacing).ok());
    EXPECT_TRUE(writer.write("new"));
  }
  EXPECT_EQ(lost_error().message(),
            "close " + path_ + ": the Writer was destroyed without close(): nothing was replaced");
  expect_untouched();
}

TEST_F(Replace, ReportsTheFirstFailureWhenDestroyedAfterIt) {
  calls_.fail(Call::pwritev, 1, ENOSPC);
  {
    Writer writer;
    ASSERT_TRUE(writer.open(path_, replacing).ok());
    const std::string more_than_a_block(1'000'000, 'x');
    EXPECT_FALSE(writer.write(more_than_a_block));
  }
  EXPECT_EQ(lost_error().code().value(), ENOSPC);
  expect_untouched();
}

TEST_F(Replace, LeavesTheOldFileAfterAnyFailureAlsoWhenCloseIsCalled) {
  calls_.fail(Call::pwritev, 2, ENOSPC);
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  EXPECT_TRUE(writer.write("new"));
  EXPECT_TRUE(writer.flush().ok());
  EXPECT_TRUE(writer.write("more"));
  EXPECT_EQ(writer.close().code().value(), ENOSPC);
  EXPECT_EQ(writer.close().code().value(), ENOSPC);
  EXPECT_EQ(calls_.count(Call::renameat), 0u);
  expect_untouched();
}

TEST_F(Replace, LeavesTheOldFileIfTheNewOneCannotBeMadeDurable) {
  calls_.fail(Call::fsync, 1, EINVAL);
  const Status status = replace(path_);
  EXPECT_EQ(status.operation(), Operation::sync);
  EXPECT_NE(status.message().find("does not support it"), std::string::npos) << status.message();
  expect_untouched();
}

TEST_F(Replace, LeavesTheOldFileWhenTheRenameFails) {
  calls_.fail(Call::renameat, 1, EACCES);
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  EXPECT_TRUE(writer.write("new"));
  EXPECT_EQ(writer.close().operation(), Operation::replace) << writer.status().message();
  EXPECT_EQ(writer.close().code().value(), EACCES) << "the same again";
  expect_untouched();
}

TEST_F(Replace, LeavesTheOldFileWhenTheNewOneCannotBeClosed) {
  // Finds the close of the new file among the closes before the rename.
  ASSERT_TRUE(replace(path_, "old").ok());
  const int of_new_file = calls_.records(Call::fsync)[0].descriptor;
  std::size_t nth = 0;
  for (const CallRecord& close : calls_.records(Call::close)) {
    ++nth;
    if (close.descriptor == of_new_file) break;
  }
  calls_.fail(Call::close, nth, EDQUOT);
  const Status status = replace(path_);
  EXPECT_EQ(status.operation(), Operation::close) << status.message();
  EXPECT_EQ(status.code().value(), EDQUOT);
  expect_untouched();
}

TEST_F(Replace, AForkedChildRemovesNoFile) {
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  EXPECT_TRUE(writer.write("new"));
  EXPECT_TRUE(writer.flush().ok());
  const int destroyed = exit_code_of_child([&] {
    { const Writer mine = std::move(writer); }
    if (!lost_.take().empty()) ::_exit(2);
  });
  const int discarded = exit_code_of_child([&] {
    if (writer.discard().code().value() != ECANCELED) ::_exit(2);
    if (writer.close().code().value() != ECANCELED) ::_exit(3);
    writer = Writer();
  });
  EXPECT_EQ(destroyed, 0);
  EXPECT_EQ(discarded, 0);
  EXPECT_EQ(contents_of(path_), "old") << "the child has replaced the file";
  EXPECT_TRUE(writer.close().ok()) << writer.status().message();
  EXPECT_EQ(contents_of(path_), "new");
  EXPECT_EQ(number_of_files(directory_.path()), 1u);
}

// ---- a directory that cannot be synced ----

TEST_F(Replace, ReportsANameThatMayNotSurviveAndSyncsItWhenClosedAgain) {
  calls_.fail(Call::fsync, 2, EIO);
  Writer writer;
  ASSERT_TRUE(writer.open(path_, replacing).ok());
  EXPECT_TRUE(writer.write("new"));
  const Status status = writer.close();
  EXPECT_EQ(status.operation(), Operation::sync_directory);
  EXPECT_EQ(status.message(), "sync directory " + path_ +
                                  ": the file is replaced, but after a power cut the old one may "
                                  "be back: Input/output error");
  EXPECT_EQ(contents_of(path_), "new");
  calls_.forget_records();
  calls_.fail(Call::fsync, 1, ENOSPC);
  EXPECT_EQ(writer.close().code().value(), ENOSPC) << "not yet";
  EXPECT_TRUE(writer.close().ok());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(calls_.count(Call::fsync), 2u) << calls_.log();
  EXPECT_EQ(calls_.count(Call::renameat) + calls_.count(Call::unlinkat), 0u) << calls_.log();
  EXPECT_EQ(writer.status().message(), status.message());
  writer = Writer();
  EXPECT_EQ(contents_of(path_), "new");
}

// ---- staged Sinks of one's own ----

TEST(StagedSink, IsPublishedAtCloseAndOnlyThen) {
  const auto recording = std::make_shared<Recording>();
  recording->is_staged = true;
  Writer writer;
  ASSERT_TRUE(
      writer.open(std::make_unique<RecordingSink>(recording), {.durability = Durability::on_close})
          .ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_TRUE(writer.flush(FlushTo::storage).ok());
  EXPECT_EQ(recording->publishes(), 0u);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(recording->publishes(), 1u);
  EXPECT_EQ(recording->closes(), 1u);
  EXPECT_FALSE(recording->out_of_turn());
}

TEST(StagedSink, IsNotPublishedAfterAFailureNorWhenDiscarded) {
  for (const bool fails : {true, false}) {
    const auto recording = std::make_shared<Recording>();
    recording->is_staged = true;
    if (fails) recording->fail_at = 3;
    Writer writer;
    ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording)).ok());
    EXPECT_TRUE(writer.write("bytes"));
    EXPECT_EQ((fails ? writer.close() : writer.discard()).ok(), !fails);
    EXPECT_EQ(recording->publishes(), 0u);
    EXPECT_EQ(recording->closes(), 1u);
  }
}

TEST(StagedSink, IsClosedWhenPublishingFails) {
  const auto recording = std::make_shared<Recording>();
  recording->publish_status = Status::failure(Operation::write, "(recording)", EIO);
  Writer writer;
  ASSERT_TRUE(writer.open(std::make_unique<RecordingSink>(recording)).ok());
  EXPECT_TRUE(writer.write("bytes"));
  EXPECT_EQ(writer.close().code().value(), EIO);
  EXPECT_EQ(writer.close().code().value(), EIO);
  EXPECT_EQ(recording->publishes(), 1u);
  EXPECT_EQ(recording->closes(), 1u);
}

}  // namespace
}  // namespace sluice::testing
