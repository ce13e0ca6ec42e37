// A program may use the descriptor of a stream itself, between fflush() and fseek() or before the
// first call on the stream (POSIX, "Interaction of File Descriptors and Standard I/O Streams"). The
// bytes are then where the C library puts them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "stdio/both_libraries.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

// Each scenario begins with a file that has these bytes, and ends with what the program has seen
// and the bytes of the file.
constexpr char old_bytes[] = "0123456789";

template <typename Calls>
struct Scenario {
  explicit Scenario(const char* mode) {
    make_file(path, old_bytes);
    file = Calls::open(path.c_str(), mode);
    descriptor = Calls::number(file);
  }
  // What another process does that shares the descriptor.
  void move_offset(off_t offset) const { ::lseek(descriptor, offset, SEEK_SET); }
  void write_beside(const char* text) const {
    EXPECT_GT(::write(descriptor, text, std::string(text).size()), 0);
  }
  void read_beside(std::size_t bytes) const {
    char read[16];
    EXPECT_EQ(::read(descriptor, read, bytes), static_cast<ssize_t>(bytes));
  }
  void get() { seen += static_cast<char>(Calls::get(file)); }
  void tell() { seen += std::to_string(Calls::tell(file)) + " "; }
  std::string end() {
    EXPECT_EQ(Calls::close(file), 0);
    return seen + "|" + contents_of(path);
  }

  ScratchDirectory directory;
  const std::string path = directory.file("file");
  typename Calls::File* file;
  int descriptor;
  std::string seen;
};

template <typename Calls>
std::string moved_after_flush() {
  Scenario<Calls> run("w+");
  Calls::put("abcdef", run.file);
  Calls::flush(run.file);
  run.move_offset(1);
  Calls::seek(run.file, 6, SEEK_SET);
  Calls::put("ghi", run.file);
  return run.end();
}

template <typename Calls>
std::string written_beside() {
  Scenario<Calls> run("w+");
  Calls::put("abc", run.file);
  Calls::flush(run.file);
  run.write_beside("DEFGH");
  Calls::seek(run.file, 3, SEEK_SET);
  Calls::put("ghi", run.file);
  return run.end();
}

template <typename Calls>
std::string written_beside_and_gone_on() {
  Scenario<Calls> run("w");
  Calls::put("one ", run.file);
  Calls::flush(run.file);
  run.write_beside("two ");
  Calls::put("three ", run.file);
  Calls::flush(run.file);
  run.tell();
  return run.end();
}

template <typename Calls>
std::string written_beside_and_told(int buffering) {
  Scenario<Calls> run("w");
  Calls::set_buffer(run.file, nullptr, buffering, 0);
  Calls::put("one", run.file);
  Calls::flush(run.file);
  run.write_beside("RAW");
  Calls::put("two", run.file);
  run.tell();
  Calls::put("three", run.file);
  run.tell();
  return run.end();
}

// Standard output in `program >> file`.
template <typename Calls>
std::string appended_by_the_descriptor(const char* mode, bool flushes) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  make_file(path, old_bytes);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_APPEND);
  auto* const file = Calls::of_descriptor(descriptor, mode);
  std::string seen;
  const auto tell = [&] { seen += std::to_string(Calls::tell(file)) + " "; };
  if (*mode == 'r') {
    seen += static_cast<char>(Calls::get(file));
    Calls::seek(file, 3, SEEK_SET);
  }
  Calls::put("one", file);
  if (flushes) Calls::flush(file);
  if (flushes) tell();
  Calls::seek(file, 0, SEEK_SET);
  Calls::put("two", file);
  tell();
  Calls::flush(file);
  tell();
  if (*mode == 'r') seen += std::to_string(Calls::get(file)) + " ";
  Calls::seek(file, 2, SEEK_SET);
  Calls::put("three", file);
  Calls::close(file);
  return seen + contents_of(path);
}

template <typename Calls>
std::string moved_before_the_end() {
  Scenario<Calls> run("w");
  Calls::put("abc", run.file);
  Calls::flush(run.file);
  run.move_offset(1);
  Calls::seek(run.file, 0, SEEK_END);
  Calls::put("X", run.file);
  return run.end();
}

template <typename Calls>
std::string moved_before_the_first_call() {
  Scenario<Calls> run("w");
  run.move_offset(5);
  Calls::rewind(run.file);
  Calls::put("X", run.file);
  return run.end();
}

template <typename Calls>
std::string read_beside() {
  Scenario<Calls> run("r");
  Calls::seek(run.file, 4, SEEK_SET);
  Calls::flush(run.file);
  run.read_beside(1);
  Calls::seek(run.file, 4, SEEK_SET);
  run.get();
  Calls::flush(run.file);
  run.move_offset(8);
  Calls::seek(run.file, 1, SEEK_SET);
  run.get();
  Calls::flush(run.file);
  run.move_offset(7);
  run.tell();
  run.get();
  return run.end();
}

template <typename Calls>
std::string read_before_the_first_call() {
  Scenario<Calls> run("r");
  run.read_beside(4);
  Calls::rewind(run.file);
  run.get();
  run.tell();
  return run.end();
}

// Another program changes the file before each of the steps.
template <typename Calls>
std::string changed_between_seeks(const char* steps) {
  Scenario<Calls> run("r");
  char next = 'a';
  for (const char* step = steps; *step != '\0'; ++step) {
    std::ofstream(run.path, std::ios::in) << std::string(10, next++);
    switch (*step) {
      case 'g': run.get(); break;
      case 'r': Calls::rewind(run.file); break;
      case 's': Calls::seek(run.file, 0, SEEK_SET); break;
      case 'c': Calls::seek(run.file, 1, SEEK_CUR); break;
      case 'f': Calls::flush(run.file); break;
      case 't': run.tell(); break;
      default:  // to the end
        while (Calls::get(run.file) != EOF) run.seen += '.';
    }
  }
  return run.end();
}

template <typename Calls>
std::string without_a_buffer() {
  Scenario<Calls> run("r");
  Calls::set_buffer(run.file, nullptr, _IONBF, 0);
  run.get();
  Calls::seek(run.file, 5, SEEK_SET);
  run.seen += std::to_string(::lseek(run.descriptor, 0, SEEK_CUR));
  run.get();
  Calls::seek(run.file, -2, SEEK_CUR);
  run.seen += std::to_string(::lseek(run.descriptor, 0, SEEK_CUR));
  run.get();
  return run.end();
}

// The greatest position of the file system decides.
template <typename Stdio>
std::string sought_far(const ScratchDirectory& directory, const char* mode, int whence) {
  make_file(directory.file("file"), std::string(10'000, 'x'));
  auto* const file = Stdio::open(directory.file("file").c_str(), mode);
  std::string results;
  for (const long offset :
       {LONG_MAX, LONG_MAX - 1, LONG_MAX - 4096, 1L << 62, 1L << 45, LONG_MIN}) {
    Stdio::rewind(file);
    Stdio::get(file);
    const int result = Stdio::seek(file, offset, whence);
    results += result == 0 ? "ok " : errno == EINVAL ? "EINVAL " : "other ";
    results += std::to_string(Stdio::tell(file)) + "," + std::to_string(Stdio::get(file)) + "|";
  }
  Stdio::close(file);
  return results;
}

TEST(StdioOffset, ASeekBeyondTheFileSystemsEndFailsAsWithTheCLibrary) {
  const ScratchDirectory in_memory;  // each position is possible
  const ScratchDirectory on_disk = ScratchDirectory::likely_on_disk();
  for (const ScratchDirectory* const directory : {&in_memory, &on_disk}) {
    for (const char* const mode : {"r", "r+"}) {
      for (const int whence : {SEEK_SET, SEEK_CUR, SEEK_END}) {
        EXPECT_EQ(sought_far<OfTheLibrary>(*directory, mode, whence),
                  sought_far<OfTheSystem>(*directory, mode, whence))
            << mode << whence;
      }
    }
  }
}

TEST(StdioOffset, IsFoundAgainByASeek) {
  EXPECT_EQ(moved_after_flush<OfTheLibrary>(), moved_after_flush<OfTheSystem>());
  EXPECT_EQ(written_beside<OfTheLibrary>(), written_beside<OfTheSystem>());
  EXPECT_EQ(moved_before_the_end<OfTheLibrary>(), moved_before_the_end<OfTheSystem>());
  EXPECT_EQ(moved_before_the_first_call<OfTheLibrary>(),
            moved_before_the_first_call<OfTheSystem>());
  EXPECT_EQ(read_beside<OfTheLibrary>(), read_beside<OfTheSystem>());
  EXPECT_EQ(read_before_the_first_call<OfTheLibrary>(), read_before_the_first_call<OfTheSystem>());
  EXPECT_EQ(moved_after_flush<OfTheLibrary>(), "|abcdefghi");
}

TEST(StdioOffset, GoesOnAfterBytesOfAnotherProcess) {
  EXPECT_EQ(written_beside_and_gone_on<OfTheLibrary>(), written_beside_and_gone_on<OfTheSystem>());
  for (const int buffering : {_IOFBF, _IOLBF, _IONBF}) {
    EXPECT_EQ(written_beside_and_told<OfTheLibrary>(buffering),
              written_beside_and_told<OfTheSystem>(buffering));
  }
}

TEST(StdioOffset, OfADescriptorThatAppendsFollowsTheEnd) {
  for (const char* mode : {"w", "r+"}) {
    for (const bool flushes : {false, true}) {
      EXPECT_EQ(appended_by_the_descriptor<OfTheLibrary>(mode, flushes),
                appended_by_the_descriptor<OfTheSystem>(mode, flushes));
    }
  }
}

TEST(StdioOffset, OfAStreamWithoutABufferFollowsEachSeek) {
  EXPECT_EQ(without_a_buffer<OfTheLibrary>(), without_a_buffer<OfTheSystem>());
}

TEST(StdioOffset, BytesAreReadAgainWhenTheCLibraryDoesSo) {
  for (const char* steps : {"grgt", "gsgt", "gcgt", "ersg", "eseg", "ererg", "sgsg", "gsgsgrg",
                            "ecg", "etg", "gfgsg", "gfsgrg", "sesg", "serg", "sgecg"}) {
    EXPECT_EQ(changed_between_seeks<OfTheLibrary>(steps), changed_between_seeks<OfTheSystem>(steps))
        << steps;
  }
}

template <typename Calls>
std::string changed_after_flush() {
  Scenario<Calls> run("w+");
  Calls::put("abcdef", run.file);
  Calls::seek(run.file, 0, SEEK_SET);
  Calls::put("x", run.file);
  Calls::flush(run.file);
  std::ofstream(run.path, std::ios::in) << "ABCDEF";
  Calls::seek(run.file, 0, SEEK_SET);
  run.get();
  return run.end();
}

TEST(StdioOffset, BytesAreReadAgainAfterAFlush) {
  EXPECT_EQ(changed_after_flush<OfTheLibrary>(), changed_after_flush<OfTheSystem>());
}

// Otherwise each seek near the last one would read from the file.
TEST(StdioOffset, LaterSeeksStayInTheBlock) {
  EXPECT_EQ(changed_between_seeks<OfTheLibrary>("gsgsg").substr(0, 3), "acc");
}

template <typename Calls>
std::string moved_after_flush_of_an_update() {
  Scenario<Calls> run("r+");
  run.get();
  Calls::seek(run.file, 0, SEEK_SET);
  Calls::put("hello", run.file);
  Calls::flush(run.file);
  run.write_beside("ABCDE");
  Calls::seek(run.file, 100, SEEK_SET);
  run.tell();
  Calls::put("xyz", run.file);
  return run.end();
}

template <typename Calls>
std::string read_beside_after_a_seek_and_flush(bool seeks) {
  Scenario<Calls> run("r");
  run.get();
  if (seeks) Calls::seek(run.file, 4, SEEK_SET);
  Calls::flush(run.file);
  run.read_beside(3);
  run.get();
  run.tell();
  Calls::seek(run.file, 5, SEEK_SET);
  run.get();
  Calls::seek(run.file, 1, SEEK_CUR);
  run.get();
  return run.end();
}

template <typename Calls>
std::string sought_in_vain() {
  Scenario<Calls> run("r");
  run.get();
  Calls::unget('x', run.file);
  run.seen += std::to_string(Calls::seek(run.file, 0, 9));
  run.get();
  return run.end();
}

TEST(StdioOffset, IsTheDescriptorsAfterAFlush) {
  EXPECT_EQ(moved_after_flush_of_an_update<OfTheLibrary>(),
            moved_after_flush_of_an_update<OfTheSystem>());
  for (const bool seeks : {false, true}) {
    EXPECT_EQ(read_beside_after_a_seek_and_flush<OfTheLibrary>(seeks),
              read_beside_after_a_seek_and_flush<OfTheSystem>(seeks));
  }
  EXPECT_EQ(sought_in_vain<OfTheLibrary>(), sought_in_vain<OfTheSystem>());
}

// Random steps. Between a flush and the next seek another process may use the descriptor.
template <typename Calls>
std::string random_steps(unsigned seed, const char* mode) {
  std::mt19937 random(seed);
  Scenario<Calls> run(mode);
  const bool writes = std::string(mode) != "r";
  char beside[3];
  for (int step = 0; step < 30; ++step) {
    Calls::seek(run.file, static_cast<long>(random() % 14), SEEK_SET);
    switch (random() % 8) {
      case 0:
        run.get();
        run.get();
        break;
      case 1: writes ? static_cast<void>(Calls::put("wxyz", run.file)) : run.get(); break;
      case 2: run.tell(); break;
      case 3:
        Calls::flush(run.file);
        run.move_offset(static_cast<off_t>(random() % 12));
        break;
      case 4:
        Calls::flush(run.file);
        if (writes) run.write_beside("AB");
        break;
      case 5:
        run.get();
        Calls::flush(run.file);
        run.move_offset(0);
        run.seen += std::to_string(::read(run.descriptor, beside, sizeof beside));
        break;
      case 6:
        Calls::seek(run.file, -1, SEEK_END);
        run.get();
        break;
      default:
        run.get();
        Calls::seek(run.file, 1, SEEK_CUR);
        run.get();
        run.tell();
        break;
    }
  }
  return run.end();
}

TEST(StdioOffset, IsThatOfTheCLibraryInRandomSteps) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    for (const char* mode : {"r", "r+", "w+"}) {
      ASSERT_EQ(random_steps<OfTheLibrary>(seed, mode), random_steps<OfTheSystem>(seed, mode))
          << mode << " " << seed;
    }
  }
}

// A program that looks at such a file again and again must see its new bytes.
TEST(StdioOffset, AFileOfTheKernelIsReadAgainAfterASeek) {
  sluice_FILE* const file = sluice_stdio_fopen("/proc/uptime", "r");
  ASSERT_NE(file, nullptr);
  std::string first;
  std::string second;
  for (std::string* const text : {&first, &second}) {
    sluice_stdio_fseek(file, 0, SEEK_SET);
    char line[64];
    ASSERT_NE(sluice_stdio_fgets(line, sizeof line, file), nullptr);
    *text = line;
    ::usleep(50'000);  // the file counts hundredths of a second
  }
  EXPECT_NE(first, second);
  EXPECT_EQ(sluice_stdio_fclose(file), 0);
}

}  // namespace
}  // namespace sluice::testing
