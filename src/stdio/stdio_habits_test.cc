// What old programs rely on although no standard promises it: the results are those of the C
// library.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include "stdio/both_libraries.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// Runs the same steps with both libraries. NOLINTNEXTLINE(bugprone-macro-parentheses)
#define EXPECT_SAME(steps) EXPECT_EQ(steps<OfTheLibrary>(), steps<OfTheSystem>())

template <typename Calls>
std::string absurd_buffer_size() {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  auto* const file = Calls::open(path.c_str(), "w");
  std::string seen = std::to_string(Calls::set_buffer(file, nullptr, _IOFBF, SIZE_MAX));
  const std::string text(1'000'000, 't');
  Calls::put(text.c_str(), file);
  seen += std::to_string(Calls::close(file));
  return seen + contents_of(path);
}

TEST(StdioHabits, AnAbsurdSizeOfABufferIsIgnored) { EXPECT_SAME(absurd_buffer_size); }

template <typename Calls>
std::string line_without_memory() {
  const ScratchDirectory directory;
  make_file(directory.file("file"), "one\n");
  auto* const file = Calls::open(directory.file("file").c_str(), "r");
  char* line = reinterpret_cast<char*>(std::uintptr_t{16});  // never initialized
  std::size_t bytes = 0;
  std::string seen = std::to_string(Calls::get_line(&line, &bytes, file));
  seen += line + std::to_string(bytes);
  std::free(line);
  line = nullptr;
  bytes = 0;
  seen += std::to_string(Calls::get_line(&line, &bytes, file));
  seen += line == nullptr ? "none" : "memory" + std::to_string(bytes);
  std::free(line);
  Calls::close(file);
  return seen;
}

TEST(StdioHabits, ALineOfZeroBytesIsNoMemory) { EXPECT_SAME(line_without_memory); }

template <typename Calls>
std::string much_pushed_back() {
  const ScratchDirectory directory;
  make_file(directory.file("file"), "abcdefgh");
  auto* const file = Calls::open(directory.file("file").c_str(), "r");
  Calls::get(file);
  Calls::seek(file, 0, SEEK_SET);  // a later seek may stay in the block
  std::string seen;
  seen += static_cast<char>(Calls::get(file));
  for (int i = 0; i < 200; ++i) Calls::unget('X', file);
  Calls::seek(file, 0, SEEK_SET);
  for (int i = 0; i < 4; ++i) seen += static_cast<char>(Calls::get(file));
  Calls::close(file);
  return seen;
}

TEST(StdioHabits, ASeekForgetsManyBytesThatWerePushedBack) { EXPECT_SAME(much_pushed_back); }

template <typename Calls>
std::string unknown_letters() {
  std::string seen;
  for (const char* mode : {"rw", "rU", "rq", "r b", "w", "", "x", "q+", "+r"}) {
    errno = 0;
    auto* const file = Calls::open("/dev/null", mode);
    seen += file == nullptr ? "refused" + std::to_string(errno) + " " : "ok ";
    if (file == nullptr) continue;
    seen += std::to_string(::fcntl(Calls::number(file), F_GETFL) & (O_ACCMODE | O_EXCL)) + " ";
    seen += std::to_string(Calls::put("x", file)) + " ";
    Calls::close(file);
  }
  return seen;
}

TEST(StdioHabits, UnknownLettersOfAModeAreIgnored) { EXPECT_SAME(unknown_letters); }

// A program that catches its own output does this with standard output.
template <typename Calls>
std::string pipe_in_the_place_of_a_file() {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  const int descriptor = ::open(path.c_str(), O_CREAT | O_RDWR, 0600);
  const int kept = ::dup(descriptor);
  auto* const file = Calls::of_descriptor(descriptor, "w");
  Calls::put("one ", file);
  std::string seen = std::to_string(Calls::flush(file));
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  ::dup2(ends[1], descriptor);
  seen += std::to_string(Calls::flush(file));
  Calls::put("two", file);
  seen += std::to_string(Calls::flush(file));
  seen += std::to_string(Calls::flush(file));
  char caught[8] = {};
  EXPECT_EQ(::read(ends[0], caught, sizeof caught), 3);
  ::dup2(kept, descriptor);
  seen += caught + std::to_string(Calls::flush(file));
  Calls::put("three", file);
  seen += std::to_string(Calls::close(file));
  for (const int opened : {ends[0], ends[1], kept}) ::close(opened);
  return seen + contents_of(path);
}

TEST(StdioHabits, AnotherTargetMayTakeTheDescriptor) { EXPECT_SAME(pipe_in_the_place_of_a_file); }

template <typename Calls>
std::string flush_after_close() {
  const ScratchDirectory directory;
  auto* const file = Calls::open(directory.file("file").c_str(), "w");
  Calls::put("one", file);
  Calls::flush(file);
  ::close(Calls::number(file));
  std::string seen = std::to_string(Calls::flush(file));
  Calls::put("two", file);
  seen += std::to_string(Calls::flush(file)) + std::to_string(Calls::flush(file));
  return seen + std::to_string(Calls::close(file));
}

TEST(StdioHabits, AFlushOfNothingTouchesNoDescriptor) { EXPECT_SAME(flush_after_close); }

template <typename Calls>
std::string failed_conversion(std::size_t bytes_before) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  auto* const file = Calls::open(path.c_str(), "w");
  const std::string before(bytes_before, 'b');
  errno = 0;
  std::string seen =
      std::to_string(Calls::print(file, "%s%c|%ls", before.c_str(), '\0', L"\u20ac"));
  seen += " " + std::to_string(errno);
  seen += " " + std::to_string(Calls::has_failed(file));
  Calls::print(file, "%d", 1);
  Calls::close(file);
  return seen + contents_of(path);
}

TEST(StdioHabits, TheTextBeforeAFailedConversionIsWritten) {
  for (const std::size_t bytes : {0U, 3U, 1023U, 1024U, 5000U, 70'000U}) {
    EXPECT_EQ(failed_conversion<OfTheLibrary>(bytes), failed_conversion<OfTheSystem>(bytes));
  }
}

// Standard output in `program >> file`: the mode of the stream does not say that it appends.
template <typename Calls>
std::string position_of_appended() {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  make_file(path, "old bytes ");
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND);
  auto* const file = Calls::of_descriptor(descriptor, "w");
  for (int i = 0; i < 100'000; ++i) Calls::put("x", file);
  std::string seen = std::to_string(Calls::tell(file));
  Calls::flush(file);
  seen += " " + std::to_string(Calls::tell(file));
  Calls::close(file);
  return seen;
}

TEST(StdioHabits, ADescriptorThatAppendsTellsTheEnd) { EXPECT_SAME(position_of_appended); }

template <typename Calls>
std::string result_of_a_process() {
  std::string seen;
  for (const char* command : {"exit 0", "exit 3", "kill -9 $$"}) {
    auto* const file = Calls::open_process(command, "r");
    const int status = Calls::close(file);
    seen += std::to_string(status) + " ";
  }
  return seen;
}

TEST(StdioHabits, FcloseGivesTheStatusOfAProcess) { EXPECT_SAME(result_of_a_process); }

template <typename Calls>
std::string buffer_after_freopen() {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  const int kept = ::dup(2);
  auto* const file = Calls::reopen(path.c_str(), "w", Calls::error());
  Calls::put("one", file);
  std::string seen = contents_of(path) + " ";
  Calls::flush(file);
  seen += contents_of(path);
  ::dup2(kept, 2);
  ::close(kept);
  Calls::set_buffer(file, nullptr, _IONBF, 0);
  return seen;
}

TEST(StdioHabits, FreopenForgetsThatStandardErrorHasNoBuffer) { EXPECT_SAME(buffer_after_freopen); }

// A program prepares the input of another one in this way.
template <typename Calls>
std::string offset_after_going_back(const char* mode, bool rewinds) {
  const ScratchDirectory directory;
  make_file(directory.file("file"), "one two");
  auto* const file = Calls::open(directory.file("file").c_str(), mode);
  if (*mode == 'w') Calls::put("text", file);
  if (*mode == 'r') Calls::get(file);
  for (int i = 0; i < 2; ++i) {
    rewinds ? Calls::rewind(file) : static_cast<void>(Calls::seek(file, 0, SEEK_SET));
  }
  char read[4] = {};
  std::string seen = std::to_string(::read(Calls::number(file), read, 3));
  Calls::close(file);
  return seen + read;
}

TEST(StdioHabits, AChildReadsFromTheBeginningAfterARewind) {
  for (const char* mode : {"r", "r+", "w+"}) {
    for (const bool rewinds : {false, true}) {
      EXPECT_EQ(offset_after_going_back<OfTheLibrary>(mode, rewinds),
                offset_after_going_back<OfTheSystem>(mode, rewinds));
    }
  }
}

TEST(StdioHabits, TmpfileTakesTheLowestDescriptor) {
  const int lowest = ::dup(0);
  ::close(lowest);
  sluice_FILE* const file = sluice_stdio_tmpfile();
  EXPECT_EQ(sluice_stdio_fileno(file), lowest);
  EXPECT_EQ(sluice_stdio_fclose(file), 0);
}

template <typename Calls>
std::string closed_on_exec() {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  std::string seen;
  const auto reopen = [&](auto* file, const char* reopened, const char* mode) {
    file = Calls::reopen(reopened, mode, file);
    seen += std::to_string(::fcntl(Calls::number(file), F_GETFD) & FD_CLOEXEC);
    Calls::close(file);
  };
  for (const char* reopened : {static_cast<const char*>(nullptr), path.c_str()}) {
    reopen(Calls::open(path.c_str(), "w+e"), reopened, "r+");
    reopen(Calls::open(path.c_str(), "w+"), reopened, "r+e");
    for (const int flag : {0, O_CLOEXEC}) {
      for (const char* mode : {"r+", "r+e"}) {
        reopen(Calls::of_descriptor(::open(path.c_str(), O_RDWR | flag), mode), reopened, "r+");
      }
    }
    auto* const told = Calls::open(path.c_str(), "r+");
    ::fcntl(Calls::number(told), F_SETFD, FD_CLOEXEC);
    reopen(told, reopened, "r+");
  }
  return seen;
}

// The program moves the descriptor, whose number it knows from before freopen().
template <typename Calls>
std::string places_after_freopen() {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  std::ofstream(path) << "abcdefghijklmnopqrstuvwxyz";
  std::string seen;
  for (const char* mode : {"r", "r+", "a+"}) {
    auto* file = Calls::open(path.c_str(), "r");
    const int number = Calls::number(file);
    file = Calls::reopen(path.c_str(), mode, file);
    ::lseek(number, 10, SEEK_SET);
    seen += static_cast<char>(Calls::get(file));
    seen += std::to_string(Calls::tell(file));
    Calls::seek(file, 3, SEEK_CUR);
    seen += static_cast<char>(Calls::get(file));
    Calls::close(file);
  }
  return seen;
}

TEST(StdioHabits, FreopenKnowsThatTheProgramHasTheDescriptor) { EXPECT_SAME(places_after_freopen); }

TEST(StdioHabits, FreopenClosesOnExecAsTheModesTell) { EXPECT_SAME(closed_on_exec); }

// The program may move the descriptor of a stream that appends before its first call.
template <typename Calls>
std::string offset_of_appending(const char* mode, bool moves) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  make_file(path, "0123456789");
  auto* file = Calls::open(path.c_str(), mode);
  if (moves) ::lseek(Calls::number(file), 3, SEEK_SET);
  std::string seen = std::to_string(Calls::tell(file));
  seen += "," + std::to_string(Calls::put("abc", file));
  seen += "," + std::to_string(Calls::tell(file));
  file = Calls::reopen(path.c_str(), mode, file);
  seen += "," + std::to_string(Calls::tell(file));
  Calls::close(file);
  return seen;
}

TEST(StdioHabits, AStreamThatAppendsBeginsWhereItsDescriptorIs) {
  for (const char* mode : {"a", "a+"}) {
    for (const bool moves : {false, true}) {
      EXPECT_EQ(offset_of_appending<OfTheLibrary>(mode, moves),
                offset_of_appending<OfTheSystem>(mode, moves))
          << mode << moves;
    }
  }
}

template <typename Calls>
std::string seeks_too_far() {
  const ScratchDirectory directory;
  make_file(directory.file("file"), "twelve bytes");
  auto* const file = Calls::open(directory.file("file").c_str(), "r+");
  std::string seen(1, static_cast<char>(Calls::get(file)));
  for (const int whence : {SEEK_CUR, SEEK_END}) {
    errno = 0;
    seen += std::to_string(Calls::seek(file, LONG_MAX, whence));
    seen += " errno " + std::to_string(errno);
    seen += " at " + std::to_string(Calls::tell(file)) + "\n";
  }
  Calls::close(file);
  return seen;
}

TEST(StdioHabits, APositionThatIsTooLargeMakesNoSense) { EXPECT_SAME(seeks_too_far); }

template <typename Calls>
std::string pushed_back_before_the_beginning() {
  const ScratchDirectory directory;
  make_file(directory.file("file"), "abc");
  auto* const file = Calls::open(directory.file("file").c_str(), "r");
  Calls::unget('X', file);
  std::string seen = std::to_string(Calls::tell(file));
  seen += std::to_string(Calls::seek(file, 0, SEEK_CUR));
  seen += static_cast<char>(Calls::get(file));
  Calls::close(file);
  return seen;
}

TEST(StdioHabits, APositionBeforeTheBeginningIsZero) {
  EXPECT_SAME(pushed_back_before_the_beginning);
}

// A program writes again what was not counted.
void expect_count_of_a_full_pipe(int buffering, const std::string& before) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  sluice_FILE* const output = sluice_stdio_fdopen(ends[1], "w");
  sluice_stdio_setvbuf(output, nullptr, buffering, 0);
  sluice_stdio_fputs(before.c_str(), output);
  const std::string text = std::string(199'999, 't') + "\n";
  const std::size_t counted = sluice_stdio_fwrite(text.data(), 1, text.size(), output);
  std::string arrived(text.size(), ' ');
  const ssize_t bytes = ::read(ends[0], arrived.data(), arrived.size());
  EXPECT_EQ(before.size() + counted, static_cast<std::size_t>(bytes)) << buffering << before;
  sluice_stdio_fpurge(output);
  sluice_stdio_fclose(output);
  ::close(ends[0]);
}

TEST(StdioHabits, AFailedWriteCountsTheBytesThatArrived) {
  for (const int buffering : {_IOFBF, _IOLBF, _IONBF}) {
    for (const char* const before : {"", "before"}) expect_count_of_a_full_pipe(buffering, before);
  }
}

// Less than a block waits in it until its line ends.
TEST(StdioHabits, AFailedWriteOfALineCountsTheBytesThatArrived) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  ASSERT_EQ(::fcntl(ends[1], F_SETPIPE_SZ, 4096), 4096);
  sluice_FILE* const output = sluice_stdio_fdopen(ends[1], "w");
  sluice_stdio_setvbuf(output, nullptr, _IOLBF, 0);
  sluice_stdio_fputs("before", output);
  const std::string line = std::string(9'999, 't') + "\n";
  EXPECT_EQ(sluice_stdio_fwrite(line.data(), 1, line.size(), output), 4096U - 6U);
  EXPECT_EQ(sluice_stdio_fwrite(line.data(), 1, line.size(), output), 0U);
  sluice_stdio_fclose(output);
  ::close(ends[0]);
}

TEST(StdioHabits, StandardStreamsHaveOneDirection) {
  errno = 0;
  EXPECT_EQ(sluice_stdio_fputs("text", sluice_stdio_streams[0]), EOF);
  EXPECT_EQ(errno, EBADF);
  EXPECT_NE(sluice_stdio_freading(sluice_stdio_streams[0]), 0);
  sluice_stdio_clearerr(sluice_stdio_streams[0]);
  for (sluice_FILE* const output : {sluice_stdio_streams[1], sluice_stdio_streams[2]}) {
    errno = 0;
    EXPECT_EQ(sluice_stdio_fgetc(output), EOF);
    EXPECT_EQ(errno, EBADF);
    EXPECT_NE(sluice_stdio_fwriting(output), 0);
    sluice_stdio_clearerr(output);
  }
}

// A program that inherits the pipe keeps it open, and the process at its other end never ends.
TEST(StdioHabits, ProgramsInheritNoPipeOfAProcess) {
  sluice_FILE* const process = sluice_stdio_popen("cat", "w");
  ASSERT_NE(process, nullptr);
  struct stat pipe {};
  ASSERT_EQ(::fstat(sluice_stdio_fileno(process), &pipe), 0);
  int descriptors = 0;
  for (int descriptor = 0; descriptor < 100; ++descriptor) {
    struct stat other {};
    if (::fstat(descriptor, &other) != 0 || other.st_ino != pipe.st_ino) continue;
    ++descriptors;
    EXPECT_EQ(::fcntl(descriptor, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  }
  EXPECT_EQ(descriptors, 2);
  EXPECT_EQ(sluice_stdio_pclose(process), 0);
}

template <typename Calls>
std::string line_in_two_parts() {
  int ends[2];
  if (::pipe2(ends, O_NONBLOCK) != 0) return "no pipe";
  auto* const input = Calls::of_descriptor(ends[0], "r");
  char line[16] = "";
  std::string seen;
  for (const char* const part : {"beg", "in\n"}) {
    if (::write(ends[1], part, 3) != 3) return "no write";
    const bool found = Calls::get_text(line, sizeof line, input) != nullptr;
    seen += found ? line : "<none>";
    seen += std::to_string(Calls::has_failed(input));
    std::strcpy(line, "untouched");
  }
  Calls::close(input);
  ::close(ends[1]);
  return seen;
}

// A program that reads without waiting asks again, and finds the beginning of its line.
TEST(StdioHabits, ALineThatIsNotYetWholeIsGivenInTwoParts) { EXPECT_SAME(line_in_two_parts); }

TEST(StdioHabits, AVeryWideTextIsWrittenPieceByPiece) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  sluice_FILE* const file = sluice_stdio_fopen(path.c_str(), "w");
  EXPECT_EQ(sluice_stdio_fprintf(file, "<%*d|%-*s>", 3'000'000, 7, 2'000'000, "left"), 5'000'003);
  EXPECT_EQ(sluice_stdio_fclose(file), 0);
  EXPECT_TRUE(contents_of(path) ==
              "<" + std::string(2'999'999, ' ') + "7|left" + std::string(1'999'996, ' ') + ">");
  sluice_FILE* const full = sluice_stdio_fopen("/dev/full", "w");
  EXPECT_EQ(sluice_stdio_fprintf(full, "%*d", 3'000'000, 7), -1);
  EXPECT_NE(sluice_stdio_ferror(full), 0);
  sluice_stdio_fclose(full);
}

// Whoever flushes between lines gives the file to another program, which may read on.
TEST(StdioHabits, AFlushOfAReadingStreamIsFollowedByASmallRead) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "a line of text\n";
  make_file(path, text);
  sluice_FILE* const file = sluice_stdio_fopen(path.c_str(), "r");
  char line[32];
  for (int i = 0; i < 100; ++i) {
    ASSERT_NE(sluice_stdio_fgets(line, sizeof line, file), nullptr);
    ASSERT_EQ(sluice_stdio_fflush(file), 0);
  }
  ASSERT_NE(sluice_stdio_fgets(line, sizeof line, file), nullptr);
  EXPECT_LE(::lseek(sluice_stdio_fileno(file), 0, SEEK_CUR), 101 * 15 + 4096);
  sluice_stdio_fclose(file);
}

// With memory that the line just fills, or just does not, the bytes behind it stay.
TEST(StdioHabits, ALineEndsInTheMemoryOfTheCaller) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  std::string text;
  for (int i = 0; i < 40; ++i) text += std::string(static_cast<std::size_t>(i), 'x') + "\n";
  make_file(path, text);
  sluice_FILE* const file = sluice_stdio_fopen(path.c_str(), "r");
  for (int i = 0; i < 40; ++i) {
    constexpr std::size_t room = 20;
    auto* line = static_cast<char*>(std::malloc(room + 1));
    std::memset(line, '#', room + 1);
    std::size_t bytes = room;
    ASSERT_EQ(sluice_stdio_getline(&line, &bytes, file), i + 1);
    EXPECT_EQ(std::string(line), std::string(static_cast<std::size_t>(i), 'x') + "\n");
    if (bytes == room) {
      EXPECT_EQ(line[room], '#') << i;
    }
    std::free(line);
  }
  EXPECT_EQ(sluice_stdio_fclose(file), 0);
}

// Such a file gives whole records, and so fewer bytes than it is asked for.
template <typename Calls>
std::string far_into_a_file_of_records() {
  auto* const file = Calls::open("/proc/kallsyms", "r");
  if (file == nullptr) return "no such file";
  std::string seen;
  for (const long position : {4'095, 8'191, 12'287, 16'383, 40'959}) {
    Calls::seek(file, position, SEEK_SET);
    seen += std::to_string(Calls::get(file)) + " " + std::to_string(Calls::is_at_end(file)) + " ";
  }
  Calls::close(file);
  return seen;
}

TEST(StdioHabits, AShortReadIsNotTheEnd) { EXPECT_SAME(far_into_a_file_of_records); }

// Without SLUICE_STDIO_LOCKED no thread may touch a stream that another thread uses, also not to
// show a question before its answer is read.
TEST(StdioHabits, AReaderLeavesTheLinesOfAnotherThreadAlone) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  sluice_FILE* const input = sluice_stdio_fdopen(ends[0], "r");
  sluice_stdio_setvbuf(input, nullptr, _IONBF, 0);
  const ScratchDirectory directory;
  const int old = ::dup(1);
  const int file = ::open(directory.file("output").c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  sluice_FILE* const output = sluice_stdio_streams[1];
  sluice_stdio_fflush(output);
  ::dup2(file, 1);
  sluice_stdio_setvbuf(output, nullptr, _IOLBF, 0);
  constexpr int reads = 20'000;
  std::thread reader([&] {
    for (int i = 0; i < reads; ++i) sluice_stdio_fgetc(input);
  });
  std::string expected;
  for (int i = 0; i < reads; ++i) {
    EXPECT_EQ(::write(ends[1], "a", 1), 1);
    sluice_stdio_fputs("a line ", output);
    sluice_stdio_fputs("in two parts\n", output);
    expected += "a line in two parts\n";
  }
  reader.join();
  sluice_stdio_fflush(output);
  ::dup2(old, 1);
  sluice_stdio_setvbuf(output, nullptr, _IOFBF, 0);
  EXPECT_EQ(contents_of(directory.file("output")), expected);
  EXPECT_EQ(sluice_stdio_fclose(input), 0);
  for (const int opened : {ends[1], old, file}) ::close(opened);
}

}  // namespace
}  // namespace sluice::testing
