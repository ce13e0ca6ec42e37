// A name is replaced while others also replace it, read it, or put hostile files in its place.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "sluice/files.h"
#include "sluice/writer.h"
#include "testing/faulty_system_calls.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr std::size_t file_bytes = 20'000;
constexpr int rounds = 200;

// A whole file consists of one repeated letter.
std::string file_of(char letter) { return std::string(file_bytes, letter); }

bool is_whole(const std::string& contents) {
  return contents.size() == file_bytes &&
         std::all_of(contents.begin(), contents.end(), [&](char c) { return c == contents[0]; });
}

Status replace(const std::string& path, char letter) {
  Writer writer;
  Status status =
      writer.open(path, {.create = CreateMode::replace_atomically, .block_bytes = 1024});
  if (!status.ok()) return status;
  for (const char byte : file_of(letter)) writer.put(byte);
  return writer.close();
}

// Reads the file repeatedly until `done`, and counts the readings that are not a whole file.
class Watch {
 public:
  explicit Watch(std::string path) : path_(std::move(path)), thread_([this] { run(); }) {}
  ~Watch() { stop(); }

  int broken_files() {
    stop();
    return broken_;
  }

 private:
  void run() {
    std::string contents;
    do {
      if (!read_file(path_, contents).ok() || !is_whole(contents)) ++broken_;
    } while (!done_);
  }
  void stop() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
  }

  const std::string path_;
  std::atomic<bool> done_ = false;
  std::atomic<int> broken_ = 0;
  std::thread thread_;
};

TEST(ReplaceRaces, ThreadsThatReplaceOneNameEachLeaveAWholeFile) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  make_file(path, file_of('0'));
  Watch watch(path);
  std::atomic<int> failures = 0;
  std::vector<std::thread> writers;
  for (const char letter : {'a', 'b', 'c', 'd'}) {
    writers.emplace_back([&failures, &path, letter] {
      for (int i = 0; i < rounds; ++i) {
        if (!replace(path, letter).ok()) ++failures;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(watch.broken_files(), 0);
  EXPECT_TRUE(is_whole(contents_of(path)));
  EXPECT_EQ(number_of_files(directory.path()), 1u);
}

TEST(ReplaceRaces, ProcessesThatReplaceOneNameEachLeaveAWholeFile) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  make_file(path, file_of('0'));
  std::vector<pid_t> children;
  for (const char letter : {'a', 'b', 'c'}) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::alarm(60);
      for (int i = 0; i < rounds; ++i) {
        if (!replace(path, letter).ok()) ::_exit(1);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  Watch watch(path);
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(watch.broken_files(), 0);
  EXPECT_EQ(number_of_files(directory.path()), 1u);
}

// Another user may write to the directory, and repeatedly puts a symbolic link in the file's place.
// The link leads to a valuable file.
TEST(ReplaceRaces, WritesNothingThroughALinkThatIsPutInThePlaceOfTheFile) {
  const ScratchDirectory directory;
  const ScratchDirectory outside;
  const std::string path = directory.file("file");
  const std::string valuable = outside.file("valuable");
  make_file(valuable, "valuable");
  ASSERT_EQ(::chmod(valuable.c_str(), 0400), 0);
  make_file(path, file_of('0'));
  std::atomic<bool> done = false;
  std::thread hostile([&] {
    const std::string link = directory.file("link");
    const std::string file = directory.file("plain");
    while (!done) {
      static_cast<void>(::symlink(valuable.c_str(), link.c_str()));
      static_cast<void>(::rename(link.c_str(), path.c_str()));
      const int plain = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
      ::close(plain);
      static_cast<void>(::rename(file.c_str(), path.c_str()));
    }
  });
  int replaced = 0;
  for (int i = 0; i < 2'000; ++i) {
    Writer writer;
    if (!writer.open(path, {.create = CreateMode::replace_atomically}).ok()) continue;
    writer.write("new");
    // If the link was there when the Writer opened, following it is right. This replacement is
    // discarded.
    const bool follows = number_of_files(outside.path()) > 1;
    if (follows) {
      EXPECT_TRUE(writer.discard().ok());
    } else if (writer.close().ok()) {
      ++replaced;
    }
  }
  done = true;
  hostile.join();
  EXPECT_EQ(contents_of(valuable), "valuable");
  EXPECT_EQ(number_of_files(outside.path()), 1u);
  EXPECT_GT(replaced, 0) << "no replacement succeeded, so this test has tested nothing";
}

// Another user repeatedly exchanges a symbolic link on the way to the file. A replacement must end
// in the directory in which it began.
TEST(ReplaceRaces, LeavesAWholeFileInEachDirectoryThatALinkOnTheWayLeadsTo) {
  const ScratchDirectory directory;
  const ScratchDirectory here;
  const ScratchDirectory there;
  const std::string way = directory.file("way");
  const std::string detour = directory.file("detour");
  ASSERT_EQ(::symlink(here.path().c_str(), way.c_str()), 0);
  ASSERT_EQ(::symlink(there.path().c_str(), detour.c_str()), 0);
  for (const ScratchDirectory* each : {&here, &there}) make_file(each->file("file"), file_of('0'));
  std::atomic<bool> done = false;
  std::atomic<int> exchanged = 0;
  std::thread hostile([&] {
    while (!done) {
      const int result =
          ::renameat2(AT_FDCWD, way.c_str(), AT_FDCWD, detour.c_str(), RENAME_EXCHANGE);
      if (result == 0) ++exchanged;
    }
  });
  int replaced = 0;
  for (int i = 0; i < 10 * rounds; ++i) {
    if (replace(way + "/file", static_cast<char>('a' + i % 26)).ok()) ++replaced;
  }
  done = true;
  hostile.join();
  for (const ScratchDirectory* each : {&here, &there}) {
    EXPECT_TRUE(is_whole(contents_of(each->file("file"))));
    EXPECT_NE(contents_of(each->file("file")), file_of('0'))
        << "no replacement reached this directory, so this test has tested nothing";
    EXPECT_EQ(number_of_files(each->path()), 1u) << "a temporary file is left";
  }
  EXPECT_GT(exchanged, 0);
  EXPECT_GT(replaced, 0);
}

// Links stand under the names that the temporary file will try.
TEST(ReplaceRaces, WritesNothingThroughALinkUnderAGuessedName) {
  class Guessed final : public FaultySystemCalls {
   public:
    os::CallResult random_bytes(void* into, std::size_t bytes) override {
      std::fill_n(static_cast<char*>(into), bytes, static_cast<char>(next_ < 5 ? next_ : 9));
      ++next_;
      return static_cast<long>(bytes);
    }

   private:
    int next_ = 0;
  };
  const ScratchDirectory directory;
  const ScratchDirectory outside;
  const std::string valuable = outside.file("valuable");
  make_file(valuable, "valuable");
  const std::string path = directory.file("file");
  make_file(path, file_of('0'));
  for (const char letter : {'a', 'b', 'c', 'd', 'e'}) {
    const std::string guess = directory.file(".sluice-" + std::string(16, letter));
    const std::string& target = letter == 'c' ? outside.file("dangling") : valuable;
    ASSERT_EQ(::symlink(target.c_str(), guess.c_str()), 0);
  }
  Guessed calls;
  const os::ScopedSystemCalls in_place(calls);
  EXPECT_TRUE(replace(path, 'x').ok());
  EXPECT_EQ(contents_of(path), file_of('x'));
  EXPECT_EQ(contents_of(valuable), "valuable");
  EXPECT_EQ(number_of_files(outside.path()), 1u);
  EXPECT_EQ(number_of_files(directory.path()), 6u) << "the links stay";
}

}  // namespace
}  // namespace sluice::testing
