// Files as Windows has them: names, long paths, sharing, large files, calls for a large payload.
#include <gtest/gtest.h>
#include <io.h>
#include <windows.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "os/system_calls.h"
#include "os/windows/paths.h"
#include "os/windows/retries.h"
#include "sluice/files.h"
#include "sluice/journal.h"
#include "sluice/reader.h"
#include "sluice/writer.h"
#include "testing/pattern.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

void expect_ok(const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); }

std::string read_back(const std::string& path) {
  std::string bytes;
  expect_ok(read_file(path, bytes));
  return bytes;
}

TEST(FilesOnWindows, AreReadAsTheyWereWritten) {
  ScratchDirectory directory;
  const std::string path = directory.file("text");
  const std::string text = "one\r\ntwo\n\x1a three";  // a text file would end at the third line
  expect_ok(write_file(path, text));
  EXPECT_EQ(read_back(path), text);
}

TEST(FilesOnWindows, HaveNamesInUtf8) {
  ScratchDirectory directory;
  const std::string name = "\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80";  // 2, 3 and 4 bytes
  expect_ok(write_file(directory.file(name), "found"));
  const std::wstring wide =
      std::filesystem::path(directory.path()).wstring() + L"\\\u00fc \u20ac \U0001f600";
  EXPECT_NE(::GetFileAttributesW(wide.c_str()), INVALID_FILE_ATTRIBUTES);
  EXPECT_EQ(read_back(directory.file(name)), "found");
  const Status refused = write_file(directory.file("\xff"), "");
  EXPECT_EQ(refused.code().value(), EILSEQ) << refused.message();
}

// A replacement is not tried here: Wine 8 does not tell the name of a directory with a long path.
TEST(FilesOnWindows, HaveLongPaths) {
  ScratchDirectory directory;
  std::wstring folder =
      L"\\\\?\\" + std::filesystem::absolute(directory.path()).make_preferred().wstring();
  std::string path = directory.path();
  for (int depth = 0; depth < 4; ++depth) {
    folder += L"\\" + std::wstring(100, L'd');
    path += "/" + std::string(100, 'd');
    ASSERT_NE(::CreateDirectoryW(folder.c_str(), nullptr), 0) << ::GetLastError();
  }
  expect_ok(write_file(path + "/file", "far away"));
  EXPECT_EQ(read_back(path + "/file"), "far away");
  ::DeleteFileW((folder + L"\\file").c_str());
  for (int depth = 0; depth < 4; ++depth) {
    EXPECT_NE(::RemoveDirectoryW(folder.c_str()), 0);
    folder.resize(folder.size() - 101);
  }
}

// Windows refuses a long path without the prefix, and Wine does not.
TEST(FilesOnWindows, AreReplacedUnderTheNameByWhichTheyAreOpened) {
  ScratchDirectory directory;
  for (const char* name : {"report.", "report ", "report"}) {
    expect_ok(write_file(directory.file(name), "old"));
    WriterOptions options;
    options.create = CreateMode::replace_atomically;
    Writer writer;
    expect_ok(writer.open(directory.file(name), options));
    writer.write(name);
    expect_ok(writer.close());
    EXPECT_EQ(read_back(directory.file(name)), name);
    EXPECT_EQ(read_back(directory.file("report")), name);
  }
}

TEST(FilesOnWindows, HaveAPrefixBeforeALongPath) {
  const auto wide = [](const std::string& path) {
    return std::wstring(os::WidePath(AT_FDCWD, path.c_str()).c_str());
  };
  const std::string name(300, 'n');
  const std::wstring wide_name(300, L'n');
  EXPECT_EQ(wide("C:/folder/" + name), L"\\\\?\\C:\\folder\\" + wide_name);
  EXPECT_EQ(wide("//server/share/" + name), L"\\\\?\\UNC\\server\\share\\" + wide_name);
  EXPECT_EQ(wide("C:/folder/name"), L"C:\\folder\\name");
}

TEST(FilesOnWindows, AreEmptiedBeforeTheyAreWrittenAgain) {
  ScratchDirectory directory;
  const std::string path = directory.file("file");
  expect_ok(write_file(path, "a long old text"));
  expect_ok(write_file(path, "new"));
  EXPECT_EQ(read_back(path), "new");
}

TEST(FilesOnWindows, AreWrittenByPathsWithBackslashes) {
  ScratchDirectory directory;
  const std::string path = std::filesystem::path(directory.file("f")).make_preferred().string();
  expect_ok(write_file(path, "first"));
  expect_ok(write_file(path, "second", {.create = CreateMode::replace_atomically}));
  EXPECT_EQ(read_back(directory.file("f")), "second");
  EXPECT_EQ(number_of_files(directory.path()), 1u);
}

TEST(FilesOnWindows, HaveMoreThanFourGigabytes) {
  ScratchDirectory directory;
  const std::string path = directory.file("large");
  constexpr std::uint64_t far_away = (std::uint64_t{5} << 30) + 3;
  Writer writer;
  expect_ok(writer.open(path));
  expect_ok(writer.seek(far_away));
  EXPECT_TRUE(writer.write("the end"));
  expect_ok(writer.close());
  std::uint64_t bytes = 0;
  expect_ok(file_size(path, bytes));
  EXPECT_EQ(bytes, far_away + 7);
  Reader reader;
  expect_ok(reader.open(path));
  expect_ok(reader.seek(far_away + 4));
  std::string_view line;
  EXPECT_TRUE(reader.next_line(line));
  EXPECT_EQ(line, "end");
}

TEST(FilesOnWindows, TellWhatFailed) {
  ScratchDirectory directory;
  const auto code = [](const Status& status) { return status.code().value(); };
  std::string bytes;
  EXPECT_EQ(code(read_file(directory.file("none"), bytes)), ENOENT);
  EXPECT_EQ(code(read_file(directory.path(), bytes)), EISDIR);
  EXPECT_EQ(code(write_file(directory.path(), "")), EISDIR);
  expect_ok(write_file(directory.file("old"), "old"));
  EXPECT_EQ(code(write_file(directory.file("old"), "new", {.create = CreateMode::exclusive})),
            EEXIST);
  EXPECT_EQ(code(write_file("", "")), ENOENT);
}

TEST(FilesOnWindows, AreNotReplacedIfTheyAreDevices) {
  ScratchDirectory directory;
  const std::string path = directory.file("nul");
  expect_ok(write_file(path, "dropped"));
  const Status refused = write_file(path, "", {.create = CreateMode::replace_atomically});
  EXPECT_EQ(refused.code().value(), EINVAL) << refused.message();
  EXPECT_EQ(number_of_files(directory.path()), 0u);
}

// Fails every sync of a file after a rename.
class FailingSyncs : public os::SystemCalls {
 public:
  os::CallResult renameat(int directory, const char* from, const char* to) override {
    was_renamed_ = true;
    return SystemCalls::renameat(directory, from, to);
  }
  os::CallResult fsync(int descriptor) override {
    os::FileStat facts{};
    EXPECT_EQ(SystemCalls::fstat(descriptor, facts), 0);
    return was_renamed_ && S_ISREG(facts.st_mode) ? -EIO : SystemCalls::fsync(descriptor);
  }

 private:
  bool was_renamed_ = false;
};

TEST(FilesOnWindows, AreInPlaceAlthoughTheirNewNameMayNotSurviveAPowerCut) {
  ScratchDirectory directory;
  const std::string path = directory.file("file");
  make_file(path, "old");
  FailingSyncs calls;
  const os::ScopedSystemCalls in_place(calls);
  const Status status = write_file(path, "new", {.create = CreateMode::replace_atomically});
  EXPECT_EQ(status.operation(), Operation::sync_directory) << status.message();
  EXPECT_EQ(read_back(path), "new");
  EXPECT_EQ(number_of_files(directory.path()), 1u);
}

TEST(FilesOnWindows, AreNoDescriptorsThatTheProgramDoesNotHave) {
  constexpr int absent = 1000;
  for (const int descriptor : {-1, absent}) {
    Writer writer;
    EXPECT_EQ(writer.attach(descriptor, "absent").code().value(), EBADF);
    Reader reader;
    EXPECT_EQ(reader.attach(descriptor, "absent").code().value(), EBADF);
    os::SystemCalls calls;
    EXPECT_EQ(calls.duplicate(descriptor), -EBADF);
    EXPECT_EQ(calls.close(descriptor), -EBADF);
  }
}

TEST(FilesOnWindows, AreReadFromAPipeInWhichAProgramWritesNothing) {
  // A pipe of messages: Wine does not pass on an empty write to other pipes, and Windows does.
  const wchar_t* const name = L"\\\\.\\pipe\\sluice_reads_a_pipe";
  const HANDLE from = ::CreateNamedPipeW(name, PIPE_ACCESS_INBOUND,
                                         PIPE_TYPE_MESSAGE | PIPE_READMODE_MESSAGE | PIPE_WAIT, 1,
                                         4096, 4096, 0, nullptr);
  ASSERT_NE(from, INVALID_HANDLE_VALUE);
  const HANDLE to = ::CreateFileW(name, GENERIC_WRITE, 0, nullptr, OPEN_EXISTING, 0, nullptr);
  ASSERT_NE(to, INVALID_HANDLE_VALUE);
  const int descriptor = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(from), 0);
  DWORD written = 0;
  ::WriteFile(to, "one", 3, &written, nullptr);
  std::thread writing([to] {
    DWORD count = 0;
    ::WriteFile(to, "", 0, &count, nullptr);
    ::WriteFile(to, "two", 3, &count, nullptr);
    ::CloseHandle(to);
  });
  Reader reader;
  expect_ok(reader.attach(descriptor, "pipe"));
  std::string bytes;
  expect_ok(reader.read_rest(bytes));
  writing.join();
  EXPECT_EQ(bytes, "onetwo");
  ::_close(descriptor);
}

TEST(FilesOnWindows, AreAppendedTo) {
  ScratchDirectory directory;
  const std::string path = directory.file("log");
  for (const char* line : {"one\n", "two\n", "three\n"}) {
    expect_ok(write_file(path, line, {.create = CreateMode::append}));
  }
  EXPECT_EQ(read_back(path), "one\ntwo\nthree\n");
}

TEST(FilesOnWindows, AreAppendedToByTwoWritersInTurn) {
  ScratchDirectory directory;
  const std::string path = directory.file("log");
  Writer first;
  Writer second;
  expect_ok(first.open(path, {.create = CreateMode::append}));
  expect_ok(second.open(path, {.create = CreateMode::append}));
  for (Writer* writer : {&first, &second, &first}) {
    EXPECT_TRUE(writer->write(writer == &first ? "first\n" : "second\n"));
    expect_ok(writer->flush());
  }
  expect_ok(first.close());
  expect_ok(second.close());
  EXPECT_EQ(read_back(path), "first\nsecond\nfirst\n");
}

// Opens the file as a scanner might: no other opening is possible.
class HeldFile {
 public:
  explicit HeldFile(const std::string& path)
      : handle_(::CreateFileW(std::filesystem::path(path).c_str(), GENERIC_READ, 0, nullptr,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr)) {
    EXPECT_NE(handle_, INVALID_HANDLE_VALUE) << ::GetLastError();
  }
  ~HeldFile() { release(); }
  HeldFile(const HeldFile&) = delete;
  HeldFile& operator=(const HeldFile&) = delete;

  void release() {
    if (handle_ != INVALID_HANDLE_VALUE) ::CloseHandle(handle_);
    handle_ = INVALID_HANDLE_VALUE;
  }

 private:
  HANDLE handle_;
};

// Counts the pauses between attempts instead of waiting, and releases the held file in one of them.
class Attempts {
 public:
  Attempts(HeldFile& held, int release_in) {
    held_ = &held;
    pauses_ = 0;
    release_in_ = release_in;
    before_ = os::pause_between_attempts.exchange(pause);
  }
  ~Attempts() { os::pause_between_attempts = before_; }
  Attempts(const Attempts&) = delete;
  Attempts& operator=(const Attempts&) = delete;

  int pauses() const { return pauses_; }

 private:
  static void pause(unsigned) {
    if (++pauses_ == release_in_) held_->release();
  }

  static inline HeldFile* held_;
  static inline int pauses_;
  static inline int release_in_;
  os::Pause before_;
};

TEST(FilesOnWindows, AreOpenedAgainWhileAnotherProgramHoldsThem) {
  ScratchDirectory directory;
  const std::string path = directory.file("scanned");
  make_file(path, "scanned");
  HeldFile held(path);
  Attempts attempts(held, 7);
  EXPECT_EQ(read_back(path), "scanned");
  EXPECT_EQ(attempts.pauses(), 7);
}

TEST(FilesOnWindows, AreGivenUpWhenAnotherProgramHoldsThemForLong) {
  ScratchDirectory directory;
  const std::string path = directory.file("held");
  make_file(path, "held");
  HeldFile held(path);
  Attempts attempts(held, 0);
  std::string bytes;
  const Status status = read_file(path, bytes);
  EXPECT_EQ(status.code().value(), EBUSY) << status.message();
  EXPECT_EQ(attempts.pauses(), os::max_attempts - 1);
}

TEST(FilesOnWindows, AreReplacedWhenTheProgramThatHoldsThemHasClosedThem) {
  ScratchDirectory directory;
  const std::string path = directory.file("held");
  make_file(path, "old");
  HeldFile held(path);
  Attempts attempts(held, 5);
  expect_ok(write_file(path, "new", {.create = CreateMode::replace_atomically}));
  EXPECT_EQ(attempts.pauses(), 5);
  EXPECT_EQ(read_back(path), "new");
}

// Records where each call of WriteFile ends: SystemCalls makes one for each piece.
class PieceCalls : public os::SystemCalls {
 public:
  os::CallResult pwritev(int descriptor, const iovec* pieces, int count,
                         std::uint64_t position) override {
    std::uint64_t end = position;
    for (int i = 0; i < count; ++i) ends_.push_back(end += pieces[i].iov_len);
    return SystemCalls::pwritev(descriptor, pieces, count, position);
  }

  const std::vector<std::uint64_t>& ends() const { return ends_; }

 private:
  std::vector<std::uint64_t> ends_;
};

// A payload fills the block, the block leaves, whole blocks leave without a copy, and the rest
// waits in the block.
TEST(FilesOnWindows, AreWrittenInWholeBlocksAlthoughNoCallGathers) {
  ScratchDirectory directory;
  const std::string path = directory.file("large");
  PieceCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  constexpr std::size_t block = 64 * 1024;
  const std::string bytes = pattern(0, 10 * block);
  const std::string_view text = bytes;
  Writer writer;
  expect_ok(writer.open(path, {.write_behind = WriteBehind::off, .block_bytes = block}));
  EXPECT_TRUE(writer.write(text.substr(0, block + 5)));
  EXPECT_TRUE(writer.write(text.substr(block + 5, 3 * block)));
  EXPECT_TRUE(writer.write(text.substr(4 * block + 5)));
  expect_ok(writer.close());
  EXPECT_TRUE(read_back(path) == bytes);
  for (const std::uint64_t end : calls.ends()) EXPECT_EQ(end % block, 0u) << end;
  EXPECT_LT(calls.ends().size(), 10u);
}

// The pattern is that of a version control system which imports files.
TEST(FilesOnWindows, NeedTenTimesFewerCallsThanABufferOfFourKibibytes) {
  ScratchDirectory directory;
  PieceCalls calls;
  const os::ScopedSystemCalls in_place(calls);
  const std::string bytes = pattern(0, 90'000);
  std::uint64_t written = 0;
  Writer writer;
  expect_ok(writer.open(directory.file("imported")));
  for (int i = 0; i < 100; ++i) {
    for (const std::size_t size : {9U, 5U, 86'267U, 9U, 5U, 86'413U}) {
      EXPECT_TRUE(writer.write(std::string_view(bytes).substr(0, size)));
      written += size;
    }
  }
  expect_ok(writer.close());
  EXPECT_LE(10 * calls.ends().size(), written / 4096);
}

TEST(FilesOnWindows, AreMapped) {
  ScratchDirectory directory;
  make_file(directory.file("mapped"), "mapped bytes");
  MappedFile mapped;
  expect_ok(map_file(directory.file("mapped"), mapped));
  EXPECT_EQ(mapped.bytes().size(), 12u);
  EXPECT_EQ(static_cast<char>(mapped.bytes()[7]), 'b');
}

// Another thread reads the file again and again, by the calls of Windows alone.
class ReadingLoop {
 public:
  ReadingLoop(const std::string& path, std::size_t bytes)
      : path_(std::filesystem::path(path).wstring()), bytes_(bytes), thread_([this] { run(); }) {}
  ~ReadingLoop() { stop(); }
  ReadingLoop(const ReadingLoop&) = delete;
  ReadingLoop& operator=(const ReadingLoop&) = delete;

  void stop() {
    stopped_ = true;
    if (thread_.joinable()) thread_.join();
  }
  std::uint64_t reads() const { return reads_; }
  std::uint64_t missing() const { return missing_; }
  std::uint64_t torn() const { return torn_; }

 private:
  void run() {
    while (!stopped_) read_once();
  }

  // Every version of the file has bytes_ bytes, which are all the same.
  void read_once() {
    const HANDLE handle = ::CreateFileW(path_.c_str(), GENERIC_READ,
                                        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                        nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
      ++missing_;
      return;
    }
    std::string text(bytes_ + 1, '\0');
    DWORD got = 0;
    const bool done =
        ::ReadFile(handle, text.data(), static_cast<DWORD>(text.size()), &got, nullptr) != 0;
    ::CloseHandle(handle);
    text.resize(got);
    if (!done || got != bytes_ || text.find_first_not_of(text[0]) != std::string::npos) ++torn_;
    ++reads_;
  }

  const std::wstring path_;
  const std::size_t bytes_;
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> reads_{0};
  std::atomic<std::uint64_t> missing_{0};
  std::atomic<std::uint64_t> torn_{0};
  std::thread thread_;
};

// SLUICE_REPLACES is the number of replaces: 10,000 in ./dev nightly.
TEST(FilesOnWindows, AreReplacedBesideAReadingLoopWithoutAGap) {
  const char* const asked = std::getenv("SLUICE_REPLACES");
  const int replaces = asked != nullptr ? std::atoi(asked) : 100;
  constexpr std::size_t bytes = 20'000;
  ScratchDirectory directory;
  const std::string path = directory.file("configuration");
  expect_ok(write_file(path, std::string(bytes, 'a')));
  ReadingLoop loop(path, bytes);
  for (int i = 0; i < replaces; ++i) {
    const std::string text(bytes, static_cast<char>('a' + i % 26));
    expect_ok(write_file(path, text, {.create = CreateMode::replace_atomically}));
  }
  loop.stop();
  EXPECT_EQ(loop.missing(), 0u);
  EXPECT_EQ(loop.torn(), 0u);
  EXPECT_GT(loop.reads(), 0u);
  std::printf("%d replaces, %llu reads\n", replaces, static_cast<unsigned long long>(loop.reads()));
}

TEST(JournalOnWindows, KeepsRecordsWithoutFraming) {
  ScratchDirectory directory;
  const std::string path = directory.file("log");
  Journal journal;
  expect_ok(journal.open(path, {.framing = Framing::raw}));
  Journal second;
  EXPECT_EQ(second.open(path, {.framing = Framing::raw}).code().value(), EBUSY);
  Journal::Ticket ticket = 0;
  expect_ok(journal.append("one\n", ticket));
  expect_ok(journal.append("two\n", ticket));
  expect_ok(journal.commit(ticket));
  EXPECT_EQ(read_back(path), "one\ntwo\n");
  expect_ok(journal.close());
  expect_ok(second.open(path, {.framing = Framing::raw}));
  expect_ok(second.append("three\n", ticket));
  expect_ok(second.close());
  EXPECT_EQ(read_back(path), "one\ntwo\nthree\n");
}

}  // namespace
}  // namespace sluice::testing
