// What a stream does beyond the calls of the model: failures, buffering, descriptors, large files.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sluice/stdio_stream.h"

namespace {

std::string path_of(const std::string& name) {
  return testing::TempDir() + "stdio_calls_" + std::to_string(getpid()) + "_" + name;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A file that is removed at the end of a test.
struct TemporaryPath {
  explicit TemporaryPath(const std::string& name) : path(path_of(name)) {}
  ~TemporaryPath() { unlink(path.c_str()); }
  const char* text() const { return path.c_str(); }
  std::string path;
};

// The master of a terminal, and the name of the terminal.
struct Terminal {
  Terminal() : master(posix_openpt(O_RDWR | O_NOCTTY)) {
    grantpt(master);
    unlockpt(master);
    name = ptsname(master);
  }
  ~Terminal() { close(master); }
  std::string arrived() const {
    std::array<char, 256> bytes;
    fcntl(master, F_SETFL, O_NONBLOCK);
    const ssize_t got = read(master, bytes.data(), bytes.size());
    return got <= 0 ? "" : std::string(bytes.data(), static_cast<std::size_t>(got));
  }
  int master;
  std::string name;
};

TEST(StdioCalls, ModesWithoutSenseAreEINVAL) {
  for (const char* mode : {"", "x", "q+", "+r", "r,ccs=UTF-8"}) {
    errno = 0;
    EXPECT_EQ(sluice_stdio_fopen("/dev/null", mode), nullptr) << mode;
    EXPECT_EQ(errno, EINVAL) << mode;
  }
  EXPECT_EQ(sluice_stdio_fopen("/dev/null", nullptr), nullptr);
}

TEST(StdioCalls, ExclusiveAndCloseOnExecAreHonoured) {
  const TemporaryPath file("exclusive");
  sluice_FILE* const made = sluice_stdio_fopen(file.text(), "wxe");
  ASSERT_NE(made, nullptr);
  EXPECT_NE(fcntl(sluice_stdio_fileno(made), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_EQ(sluice_stdio_fopen(file.text(), "wx"), nullptr);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(sluice_stdio_fclose(made), 0);
}

TEST(StdioCalls, AProgramWithAnotherWindowIsRefused) {
  EXPECT_EQ(sluice_stdio_fopen_for("/dev/null", "w", SLUICE_STDIO_WINDOW + 1), nullptr);
  EXPECT_EQ(errno, ENOTSUP);
  EXPECT_EQ(sluice_stdio_fdopen_for(1, "w", SLUICE_STDIO_WINDOW + 1), nullptr);
  EXPECT_EQ(sluice_stdio_tmpfile_for(SLUICE_STDIO_WINDOW + 1), nullptr);
}

TEST(StdioCalls, CloseTellsOfLostBytes) {
  sluice_FILE* const file = sluice_stdio_fopen("/dev/full", "w");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(sluice_stdio_fputs("lost", file), 1);
  EXPECT_EQ(sluice_stdio_fclose(file), EOF);
  EXPECT_EQ(errno, ENOSPC);
}

TEST(StdioCalls, AFailureSetsErrorAndErrnoUntilClearerr) {
  sluice_FILE* const file = sluice_stdio_fopen("/dev/full", "w");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(sluice_stdio_fputc('x', file), 'x');
  EXPECT_EQ(sluice_stdio_fflush(file), EOF);
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_EQ(sluice_stdio_ferror(file), 1);
  sluice_stdio_clearerr(file);
  EXPECT_EQ(sluice_stdio_ferror(file), 0);
  EXPECT_EQ(sluice_stdio_fclose(file), 0);
}

// A program may go on with the bytes after those that fwrite() counts.
TEST(StdioCalls, AWriteThatFailsCountsNoByteThatIsLost) {
  const std::string bytes(300'000, 'x');
  for (const std::size_t pending : {0u, 1u, 60000u}) {
    sluice_FILE* const file = sluice_stdio_fopen("/dev/full", "w");
    ASSERT_NE(file, nullptr);
    // In pieces that wait in the block.
    for (std::size_t left = pending; left != 0;) {
      const std::size_t piece = std::min<std::size_t>(left, 20'000);
      EXPECT_EQ(sluice_stdio_fwrite(bytes.data(), 1, piece, file), piece);
      left -= piece;
    }
    EXPECT_EQ(sluice_stdio_fwrite(bytes.data(), 1, bytes.size(), file), 0u);
    EXPECT_EQ(sluice_stdio_ferror(file), 1);
    EXPECT_EQ(sluice_stdio_fclose(file), 0);
  }
}

TEST(StdioCalls, ALineReachesATerminalWithItsNewline) {
  const Terminal terminal;
  sluice_FILE* const file = sluice_stdio_fopen(terminal.name.c_str(), "w");
  ASSERT_NE(file, nullptr);
  sluice_stdio_fputs("half", file);
  EXPECT_EQ(terminal.arrived(), "");
  sluice_stdio_fprintf(file, " and %s\nrest", "half");
  EXPECT_EQ(terminal.arrived(), "half and half\r\n");
  sluice_stdio_fputc('\n', file);
  EXPECT_EQ(terminal.arrived(), "rest\r\n");
  EXPECT_EQ(sluice_stdio_fclose(file), 0);
}

TEST(StdioCalls, TheBlockBeginsAtALineOfTheCache) {
  const TemporaryPath path("aligned");
  std::ofstream(path.path) << "text";
  std::vector<std::unique_ptr<char[]>> others;  // so that malloc gives other places
  for (std::size_t i = 0; i < 64; ++i) {
    others.push_back(std::make_unique<char[]>(8 + 16 * i));
    sluice_FILE* const stream = sluice_stdio_fopen(path.text(), "r");
    ASSERT_NE(stream, nullptr);
    ASSERT_EQ(sluice_stdio_fgetc(stream), 't');
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(stream->read_cursor - 1) % 64, 0u);
    EXPECT_EQ(sluice_stdio_fclose(stream), 0);
  }
}

TEST(StdioCalls, AStreamWithoutABufferWritesEachCall) {
  const TemporaryPath file("unbuffered");
  sluice_FILE* const stream = sluice_stdio_fopen(file.text(), "w");
  EXPECT_EQ(sluice_stdio_setvbuf(stream, nullptr, _IONBF, 0), 0);
  sluice_stdio_fputc('a', stream);
  EXPECT_EQ(content_of(file.path), "a");
  sluice_stdio_fprintf(stream, "%d", 42);
  EXPECT_EQ(content_of(file.path), "a42");
  EXPECT_EQ(sluice_stdio_setvbuf(stream, nullptr, 99, 0), EOF);
  EXPECT_EQ(sluice_stdio_fclose(stream), 0);
}

TEST(StdioCalls, SetvbufInTheMiddleKeepsTheBytes) {
  const TemporaryPath file("middle");
  sluice_FILE* const stream = sluice_stdio_fopen(file.text(), "w");
  sluice_stdio_fputs("one", stream);
  EXPECT_EQ(sluice_stdio_setvbuf(stream, nullptr, _IOLBF, 0), 0);
  sluice_stdio_fputs("two\nthree", stream);
  EXPECT_EQ(content_of(file.path), "onetwo\n");
  EXPECT_EQ(sluice_stdio_fclose(stream), 0);
  EXPECT_EQ(content_of(file.path), "onetwo\nthree");
}

TEST(StdioCalls, ManyBytesCanBePushedBack) {
  const TemporaryPath file("pushed");
  std::ofstream(file.path) << "file";
  sluice_FILE* const stream = sluice_stdio_fopen(file.text(), "r");
  EXPECT_EQ(sluice_stdio_fgetc(stream), 'f');
  for (int i = 0; i < 70000; ++i) ASSERT_EQ(sluice_stdio_ungetc(i % 200, stream), i % 200);
  for (int i = 69999; i >= 0; --i) ASSERT_EQ(sluice_stdio_fgetc(stream), i % 200);
  std::array<char, 10> rest{};
  EXPECT_EQ(sluice_stdio_fread(rest.data(), 1, 10, stream), 3U);
  EXPECT_STREQ(rest.data(), "ile");
  EXPECT_EQ(sluice_stdio_ungetc(EOF, stream), EOF);
  EXPECT_EQ(sluice_stdio_fseek(stream, 0, SEEK_SET), 0);
  EXPECT_EQ(sluice_stdio_fgetc(stream), 'f');
  sluice_stdio_fclose(stream);
}

TEST(StdioCalls, ThePositionPassesFourGigabytes) {
  const TemporaryPath file("large");
  sluice_FILE* const stream = sluice_stdio_fopen(file.text(), "w+");
  constexpr std::int64_t far = 5000000000;
  EXPECT_EQ(sluice_stdio_fseeko(stream, far, SEEK_SET), 0);
  EXPECT_EQ(sluice_stdio_fputs("end", stream), 1);
  EXPECT_EQ(sluice_stdio_ftello(stream), far + 3);
  EXPECT_EQ(sluice_stdio_fseek(stream, -2, SEEK_END), 0);
  EXPECT_EQ(sluice_stdio_fgetc(stream), 'n');
  EXPECT_EQ(sluice_stdio_fclose(stream), 0);
}

// After the first two writes, the block does not begin at a page of the file.
TEST(StdioCalls, AWriteMayEndBeyondTheLastPageOfTheBlock) {
  const TemporaryPath file("beyond");
  sluice_FILE* const stream = sluice_stdio_fopen(file.text(), "w+");
  EXPECT_EQ(sluice_stdio_fseek(stream, 50, SEEK_SET), 0);
  std::string expected(50, '\0');
  for (const std::size_t bytes : {65536U, 65500U, 60000U, 60000U}) {
    const std::string text(bytes, static_cast<char>('a' + expected.size() % 26));
    EXPECT_EQ(sluice_stdio_fwrite(text.data(), 1, bytes, stream), bytes);
    expected += text;
  }
  EXPECT_EQ(sluice_stdio_fclose(stream), 0);
  EXPECT_TRUE(content_of(file.path) == expected);
}

TEST(StdioCalls, FreopenKeepsTheDescriptorsNumber) {
  const TemporaryPath first("first");
  const TemporaryPath second("second");
  sluice_FILE* const stream = sluice_stdio_fopen(first.text(), "w");
  const int descriptor = sluice_stdio_fileno(stream);
  sluice_stdio_fputs("one", stream);
  EXPECT_EQ(sluice_stdio_freopen(second.text(), "w", stream), stream);
  EXPECT_EQ(sluice_stdio_fileno(stream), descriptor);
  sluice_stdio_fputs("two", stream);
  EXPECT_EQ(sluice_stdio_fclose(stream), 0);
  EXPECT_EQ(content_of(first.path), "one");
  EXPECT_EQ(content_of(second.path), "two");
}

TEST(StdioCalls, FreopenThatFailsLeavesAStreamThatRefuses) {
  const TemporaryPath file("refuses");
  sluice_FILE* const stream = sluice_stdio_fopen(file.text(), "w");
  EXPECT_EQ(sluice_stdio_freopen("/does/not/exist", "r", stream), nullptr);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(sluice_stdio_fputc('x', stream), EOF);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(sluice_stdio_fclose(stream), EOF);
}

TEST(StdioCalls, CloseGivesAnInheritedDescriptorTheProgramsPosition) {
  const TemporaryPath file("inherited");
  std::ofstream(file.path) << "line one\nline two\n";
  const int descriptor = open(file.text(), O_RDONLY);
  const int other = dup(descriptor);
  sluice_FILE* const stream = sluice_stdio_fdopen(descriptor, "r");
  std::array<char, 20> line;
  EXPECT_STREQ(sluice_stdio_fgets(line.data(), line.size(), stream), "line one\n");
  EXPECT_EQ(sluice_stdio_fclose(stream), 0);
  EXPECT_EQ(lseek(other, 0, SEEK_CUR), 9);
  close(other);
}

// fopen() does so too. With "a+" the first read is at the beginning.
TEST(StdioCalls, FdopenToAppendGoesToTheEnd) {
  const TemporaryPath file("appended");
  std::ofstream(file.path) << "0123456789";
  for (const auto& [mode, place] : {std::pair("a", 10), std::pair("a+", 0), std::pair("w", 0)}) {
    const int descriptor = open(file.text(), O_RDWR);
    sluice_FILE* const stream = sluice_stdio_fdopen(descriptor, mode);
    EXPECT_EQ(sluice_stdio_ftell(stream), place) << mode;
    EXPECT_EQ(lseek(descriptor, 0, SEEK_CUR), place) << mode;
    FILE* const standard = fdopen(open(file.text(), O_RDWR), mode);
    EXPECT_EQ(ftell(standard), place) << "the C library, " << mode;
    fclose(standard);
    EXPECT_EQ(sluice_stdio_fclose(stream), 0);
  }
}

TEST(StdioCalls, FdopenRefusesAModeThatTheDescriptorHasNot) {
  const int descriptor = open("/dev/null", O_RDONLY);
  EXPECT_EQ(sluice_stdio_fdopen(descriptor, "w"), nullptr);
  EXPECT_EQ(errno, EINVAL);
  close(descriptor);
  EXPECT_EQ(sluice_stdio_fdopen(descriptor, "r"), nullptr);
  EXPECT_EQ(errno, EBADF);
}

TEST(StdioCalls, APipeHasNoPositionAndKeepsItsBytes) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  sluice_FILE* const out = sluice_stdio_fdopen(ends[1], "w");
  sluice_FILE* const in = sluice_stdio_fdopen(ends[0], "r");
  EXPECT_EQ(sluice_stdio_fputs("a b", out), 1);
  EXPECT_EQ(sluice_stdio_fseek(out, 0, SEEK_SET), -1);
  EXPECT_EQ(errno, ESPIPE);
  EXPECT_EQ(sluice_stdio_fclose(out), 0);
  EXPECT_EQ(sluice_stdio_fgetc(in), 'a');
  EXPECT_EQ(sluice_stdio_ftell(in), -1);
  EXPECT_EQ(sluice_stdio_fflush(in), 0);
  EXPECT_EQ(sluice_stdio_fgetc(in), ' ');
  EXPECT_EQ(sluice_stdio_fclose(in), 0);
}

TEST(StdioCalls, TheEndOfATerminalStaysUntilClearerr) {
  const TemporaryPath file("sticky");
  std::ofstream(file.path) << "a";
  sluice_FILE* const stream = sluice_stdio_fopen(file.text(), "r");
  EXPECT_EQ(sluice_stdio_fgetc(stream), 'a');
  EXPECT_EQ(sluice_stdio_fgetc(stream), EOF);
  std::ofstream(file.path, std::ios::app) << "b";
  EXPECT_EQ(sluice_stdio_fgetc(stream), EOF);
  EXPECT_EQ(sluice_stdio_feof(stream), 1);
  sluice_stdio_clearerr(stream);
  EXPECT_EQ(sluice_stdio_fgetc(stream), 'b');
  sluice_stdio_fclose(stream);
}

TEST(StdioCalls, AFullFileFailsInTheMiddleAsWithTheCLibrary) {
  const TemporaryPath file("limited");
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{100000, 100000};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_IGN);
    sluice_FILE* const stream = sluice_stdio_fopen(file.text(), "w");
    const std::string bytes(90000, 'x');
    const bool first = sluice_stdio_fwrite(bytes.data(), 1, 90000, stream) == 90000;
    const bool second = sluice_stdio_fwrite(bytes.data(), 1, 90000, stream) == 10000;
    const bool failed = errno == EFBIG && sluice_stdio_ferror(stream) == 1;
    _exit(first && second && failed ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(content_of(file.path).size(), 100000U);
}

TEST(StdioCalls, TmpfileReadsBackAndHasNoName) {
  sluice_FILE* const stream = sluice_stdio_tmpfile();
  ASSERT_NE(stream, nullptr);
  EXPECT_EQ(sluice_stdio_fputs("temporary", stream), 1);
  sluice_stdio_rewind(stream);
  std::array<char, 20> text;
  EXPECT_STREQ(sluice_stdio_fgets(text.data(), text.size(), stream), "temporary");
  EXPECT_EQ(sluice_stdio_fclose(stream), 0);
}

// "Never silence": each call on a closed stream fails with EBADF, and touches no later stream.
TEST(StdioCalls, AClosedStreamRefusesEveryCall) {
  const TemporaryPath file("closed");
  sluice_FILE* const closed = sluice_stdio_fopen(file.text(), "w+");
  ASSERT_NE(closed, nullptr);
  EXPECT_EQ(sluice_stdio_fputs("bytes", closed), 1);
  EXPECT_EQ(sluice_stdio_fclose(closed), 0);
  const TemporaryPath other("open");
  sluice_FILE* const open = sluice_stdio_fopen(other.text(), "w+");
  char byte = 0;
  char bytes[9];
  sluice_fpos_t position;
  const auto is_refused = [](bool fails) { return fails && errno == EBADF; };
  const auto refuses = [&](auto call) {
    errno = 0;
    return is_refused(call());
  };
  EXPECT_NE(sluice_stdio_ferror(closed), 0);
  char* line = nullptr;
  std::size_t line_bytes = 0;
  EXPECT_TRUE(refuses([&] { return sluice_stdio_getline(&line, &line_bytes, closed) == -1; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fgets(bytes, 1, closed) == nullptr; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fputs("", closed) == EOF; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fputc('x', closed) == EOF; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fwrite("x", 1, 1, closed) == 0; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fputs("x", closed) == EOF; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fprintf(closed, "%d", 1) < 0; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fgetc(closed) == EOF; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fread(&byte, 1, 1, closed) == 0; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fgets(bytes, sizeof bytes, closed) == nullptr; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fscanf(closed, "%c", &byte) == EOF; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_ungetc('x', closed) == EOF; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fseek(closed, 0, SEEK_SET) != 0; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_ftell(closed) == -1; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fgetpos(closed, &position) != 0; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fflush(closed) == EOF; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fileno(closed) == -1; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_setvbuf(closed, nullptr, _IONBF, 0) != 0; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_freopen("/dev/null", "w", closed) == nullptr; }));
  EXPECT_TRUE(refuses([&] { return sluice_stdio_fclose(closed) == EOF; }));
  EXPECT_EQ(sluice_stdio_fclose(open), 0);
  EXPECT_EQ(content_of(other.path), "");
}

TEST(StdioCalls, ClosedStreamsAreUsedAgainInTheEnd) {
  std::set<sluice_FILE*> streams;
  for (int i = 0; i < 2000; ++i) {
    sluice_FILE* const file = sluice_stdio_fopen("/dev/null", "w");
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(sluice_stdio_fputc('x', file), 'x');
    EXPECT_EQ(sluice_stdio_fclose(file), 0);
    streams.insert(file);
  }
  EXPECT_LE(streams.size(), 300u) << "each closed stream stays";
  EXPECT_GE(streams.size(), 256u) << "a stream that was closed just now is used again";
}

// Each thread writes whole lines under the stream's lock, while another thread flushes all streams,
// and closes or reopens streams.
TEST(StdioCalls, FlushCloseAndReopenTakeTheLockOfTheStream) {
  const TemporaryPath file("locked");
  sluice_FILE* const shared = sluice_stdio_fopen(file.text(), "w");
  ASSERT_NE(shared, nullptr);
  constexpr int lines = 20'000;
  constexpr std::string_view line = "a line of some forty bytes, and its end\n";
  const auto write_lines = [&] {
    for (int i = 0; i < lines; ++i) {
      sluice_stdio_flockfile(shared);
      for (const char byte : line) sluice_stdio_fputc(byte, shared);
      sluice_stdio_funlockfile(shared);
    }
  };
  std::atomic<bool> is_done{false};
  std::thread flusher([&] {
    while (!is_done) {
      sluice_stdio_fflush(nullptr);
      sluice_FILE* const brief = sluice_stdio_fopen("/dev/null", "w");
      sluice_stdio_fputc('x', brief);
      sluice_stdio_fclose(sluice_stdio_freopen("/dev/null", "w", brief));
    }
  });
  std::thread writer(write_lines);
  write_lines();
  writer.join();
  is_done = true;
  flusher.join();
  EXPECT_EQ(sluice_stdio_fclose(shared), 0);
  std::string expected;
  for (int i = 0; i < 2 * lines; ++i) expected += line;
  EXPECT_TRUE(content_of(file.path) == expected);
}

// Makes the call in another thread while this thread holds the lock of a stream with bytes. Returns
// what the file holds in the end.
std::string content_after_waiting(const std::string& path, sluice_FILE* shared,
                                  const std::function<void()>& call) {
  sluice_stdio_flockfile(shared);
  EXPECT_EQ(sluice_stdio_fputs("all ", shared), 1);
  std::atomic<bool> has_returned{false};
  std::thread caller([&] {
    call();
    has_returned = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(has_returned);
  EXPECT_EQ(content_of(path), "");
  EXPECT_EQ(sluice_stdio_fputs("of it", shared), 1);
  sluice_stdio_funlockfile(shared);
  caller.join();
  return content_of(path);
}

TEST(StdioCalls, CloseAndFlushWaitForTheLock) {
  const TemporaryPath file("waits");
  sluice_FILE* shared = sluice_stdio_fopen(file.text(), "w");
  ASSERT_NE(shared, nullptr);
  const auto close = [&] { EXPECT_EQ(sluice_stdio_fclose(shared), 0); };
  EXPECT_EQ(content_after_waiting(file.path, shared, close), "all of it");
  shared = sluice_stdio_fopen(file.text(), "w");
  const auto flush_all = [] { EXPECT_EQ(sluice_stdio_fflush(nullptr), 0); };
  EXPECT_EQ(content_after_waiting(file.path, shared, flush_all), "all of it");
  const auto reopen = [&] { EXPECT_EQ(sluice_stdio_freopen("/dev/null", "w", shared), shared); };
  EXPECT_EQ(sluice_stdio_fclose(shared), 0);
  shared = sluice_stdio_fopen(file.text(), "w");
  EXPECT_EQ(content_after_waiting(file.path, shared, reopen), "all of it");
  EXPECT_EQ(sluice_stdio_fclose(shared), 0);
}

// A child gets the locks in the state of the parent, but not the threads that hold them.
TEST(StdioCalls, AForkedChildMayUseAStreamThatAnotherThreadHasLocked) {
  const TemporaryPath file("forked");
  sluice_FILE* const shared = sluice_stdio_fopen(file.text(), "w");
  ASSERT_NE(shared, nullptr);
  std::atomic<int> step{0};
  std::thread holder([&] {
    sluice_stdio_flockfile(shared);
    step = 1;
    while (step != 2) std::this_thread::yield();
    sluice_stdio_funlockfile(shared);
  });
  while (step != 1) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    sluice_stdio_flockfile(shared);
    _exit(sluice_stdio_fputs("child", shared) == 1 && sluice_stdio_fclose(shared) == 0 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  step = 2;
  holder.join();
  EXPECT_EQ(sluice_stdio_fclose(shared), 0);
  EXPECT_EQ(content_of(file.path), "child");
}

// As ISO C demands: no other function of the library changes the text of strerror().
TEST(StdioCalls, PerrorLeavesTheTextOfStrerror) {
  const TemporaryPath file("perror");
  const int saved = dup(2);
  const int descriptor = open(file.text(), O_RDWR | O_CREAT, 0600);
  dup2(descriptor, 2);
  const char* const text = std::strerror(98765);
  const std::string before = text;
  errno = ENOENT;
  sluice_stdio_perror("known");
  errno = 98764;
  sluice_stdio_perror("");
  dup2(saved, 2);
  close(saved);
  close(descriptor);
  EXPECT_EQ(before, text);
  EXPECT_EQ(content_of(file.path), "known: No such file or directory\nUnknown error 98764\n");
}

// One thread writes to a stream and another one opens and closes streams, while the program ends.
void end_while_threads_work() {
  sluice_FILE* const shared = sluice_stdio_fopen("/dev/null", "w");
  std::atomic<int> begun{0};
  std::thread([&] {
    for (;; ++begun) {
      sluice_stdio_flockfile(shared);
      sluice_stdio_fputs("a line\n", shared);
      sluice_stdio_funlockfile(shared);
    }
  }).detach();
  std::thread([] {
    for (;;) sluice_stdio_fclose(sluice_stdio_fopen("/dev/null", "w"));
  }).detach();
  while (begun < 100) std::this_thread::yield();
  std::exit(0);
}

// The thread sanitizer would end the program with another status.
TEST(StdioCallsDeathTest, TheEndTakesTheLocksOfStreamsThatThreadsUse) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";  // the program begins anew, with no threads
  EXPECT_EXIT(end_while_threads_work(), testing::ExitedWithCode(0), "");
}

TEST(StdioCalls, FflushOfNullWritesEveryStream) {
  const TemporaryPath first("all_first");
  const TemporaryPath second("all_second");
  sluice_FILE* const one = sluice_stdio_fopen(first.text(), "w");
  sluice_FILE* const two = sluice_stdio_fopen(second.text(), "w");
  sluice_stdio_fputs("1", one);
  sluice_stdio_fputs("2", two);
  EXPECT_EQ(sluice_stdio_fflush(nullptr), 0);
  EXPECT_EQ(content_of(first.path) + content_of(second.path), "12");
  sluice_stdio_fclose(one);
  sluice_stdio_fclose(two);
}

TEST(StdioCalls, ATextAloneIsPrintedAsItIs) {
  const TemporaryPath file("text_alone");
  sluice_FILE* const stream = sluice_stdio_fopen(file.text(), "w");
  const std::string text(100000, 'x');
  EXPECT_EQ(sluice_stdio_fprintf(stream, "%s", text.c_str()), 100000);
  EXPECT_EQ(sluice_stdio_fprintf(stream, "%s\n", "line"), 5);
  EXPECT_EQ(sluice_stdio_fprintf(stream, "%s\n", ""), 1);
  EXPECT_EQ(sluice_stdio_fprintf(stream, "%s", ""), 0);
  const char* volatile null = nullptr;
  EXPECT_EQ(sluice_stdio_fprintf(stream, "%s", null), 6);
  EXPECT_EQ(sluice_stdio_fprintf(stream, "%s\n\n", "two"), 5);
  EXPECT_EQ(sluice_stdio_fprintf(stream, "%sa", "x"), 2);
  EXPECT_EQ(sluice_stdio_fclose(stream), 0);
  EXPECT_EQ(content_of(file.path), text + "line\n\n(null)two\n\nxa");
}

TEST(StdioCalls, PercentNCountsTheBytesOfALongText) {
  const TemporaryPath file("percent");
  sluice_FILE* const stream = sluice_stdio_fopen(file.text(), "w");
  const std::string text(100000, 'x');
  int count = 0;
  EXPECT_EQ(sluice_stdio_fprintf(stream, "%s%n!", text.c_str(), &count), 100001);
  EXPECT_EQ(count, 100000);
  EXPECT_EQ(sluice_stdio_fclose(stream), 0);
  EXPECT_EQ(content_of(file.path), text + "!");
}

}  // namespace
