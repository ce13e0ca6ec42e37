// After fflush() POSIX lets a program use the descriptor of a stream through another handle, and
// come back to the stream by a seek. The results are those of the C library.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "stdio/both_libraries.h"
#include "testing/scratch_directory.h"

namespace sluice::testing {
namespace {

constexpr int records = 200;

std::string all_records() {
  std::string text;
  char record[16];
  for (int i = 0; i < records; ++i) {
    std::snprintf(record, sizeof record, "%07d\n", i);
    text += record;
  }
  return text;
}

template <typename Calls>
using Step = std::function<void(typename Calls::File*)>;

template <typename Calls>
void read_line(typename Calls::File* file) {
  int byte = 0;
  do byte = Calls::get(file);
  while (byte != '\n' && byte != EOF);
}

template <typename Calls>
void read_all(typename Calls::File* file) {
  Calls::rewind(file);
  while (Calls::get(file) != EOF) continue;
}

template <typename Calls>
void in_child(typename Calls::File* file, const Step<Calls>& step) {
  const pid_t child = ::fork();
  if (child == 0) {
    step(file);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

// What the program does with the stream before it calls fflush().
template <typename Calls>
std::vector<Step<Calls>> ways_in() {
  using File = typename Calls::File;
  return {
      [](File*) {},
      [](File* file) { Calls::seek(file, 0, SEEK_END); },
      [](File* file) { Calls::seek(file, 80, SEEK_SET), Calls::put("WRITTEN\n", file); },
      [](File* file) { Calls::seek(file, 0, SEEK_END), Calls::put("WRITTEN\n", file); },
      [](File* file) { read_all<Calls>(file); },
      [](File* file) {
        Calls::rewind(file);
        read_line<Calls>(file);
        Calls::seek(file, 0, SEEK_CUR);
        Calls::put("W\n", file);
      },
      [](File* file) {
        Calls::seek(file, 80, SEEK_SET);
        read_line<Calls>(file);
        Calls::unget('x', file);
        Calls::seek(file, 0, SEEK_CUR);
        Calls::put("W\n", file);
      },
      [](File* file) {
        Calls::put("WW", file);
        Calls::seek(file, 0, SEEK_END);
        Calls::put("E\n", file);
        Calls::seek(file, 8, SEEK_SET);
        Calls::put("VV", file);
      },
  };
}

// What another handle does with the descriptor.
template <typename Calls>
std::vector<Step<Calls>> other_handles() {
  using File = typename Calls::File;
  return {
      [](File* file) { ::lseek(Calls::number(file), 400, SEEK_SET); },
      [](File* file) {
        const int copy = ::dup(Calls::number(file));
        ::lseek(copy, 0, SEEK_SET);
        ::close(copy);
      },
      [](File* file) {
        in_child<Calls>(file,
                        [](File* same) { EXPECT_EQ(::write(Calls::number(same), "xx", 2), 2); });
      },
      [](File* file) {
        in_child<Calls>(file, [](File* same) { Calls::put("CH", same), Calls::flush(same); });
      },
  };
}

// How the program comes back. `at`: where the stream was.
template <typename Calls>
int come_back(typename Calls::File* file, std::size_t way, long at) {
  if (way == 0) return Calls::seek(file, 0, SEEK_END);
  return Calls::seek(file, way == 1 ? at : 160, SEEK_SET);
}

template <typename Calls>
std::string look(typename Calls::File* file, std::size_t way) {
  if (way == 0) return std::to_string(Calls::tell(file));
  if (way == 1) return std::to_string(Calls::put("[END]", file));
  std::string seen;
  for (int byte = 0; seen.size() < 9 && (byte = Calls::get(file)) != EOF;) {
    seen += static_cast<char>(byte);
  }
  return seen;
}

// Two of the four other handles are children, and the address sanitizer makes a fork last 20 ms.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t cases_apart = 7;
#else
constexpr std::size_t cases_apart = 1;
#endif

// A line for each case, so that a difference shows its case.
template <typename Calls>
std::vector<std::string> all_cases(const std::string& mode, int buffering) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  std::vector<std::string> seen;
  const auto ways = ways_in<Calls>();
  const auto others = other_handles<Calls>();
  for (std::size_t i = 0; i < ways.size() * others.size() * 9; i += cases_apart) {
    make_file(path, all_records());
    auto* const file = Calls::open(path.c_str(), mode.c_str());
    Calls::set_buffer(file, nullptr, buffering, 0);
    if (mode[0] == 'w') Calls::put(all_records().c_str(), file);
    const std::size_t way = i / 9 / others.size();
    ways[way](file);
    Calls::flush(file);
    const long at = Calls::tell(file);
    Calls::flush(file);
    others[i / 9 % others.size()](file);
    std::ostringstream line;
    line << way << ' ' << i << ": " << at << ' ' << come_back<Calls>(file, i / 3 % 3, at) << ' '
         << look<Calls>(file, i % 3);
    Calls::close(file);
    const std::string content = contents_of(path);
    line << ' ' << content.size() << ' ' << std::hash<std::string>{}(content);
    seen.push_back(line.str());
  }
  return seen;
}

class StdioHandles : public ::testing::TestWithParam<std::string> {};

TEST_P(StdioHandles, ASeekComesBackToAStreamThatWasFlushed) {
  for (const int buffering : {_IOFBF, _IOLBF, _IONBF}) {
    EXPECT_EQ(all_cases<OfTheLibrary>(GetParam(), buffering),
              all_cases<OfTheSystem>(GetParam(), buffering))
        << "buffering " << buffering;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, StdioHandles, ::testing::Values("r+", "w+", "a+"),
                         [](const auto& given) {
                           return std::string(1, given.param[0]) + "_and_both_ways";
                         });

TEST(StdioDescriptor, AFlushForgetsBytesThatOthersMayChange) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  make_file(path, all_records());
  sluice_FILE* const file = sluice_stdio_fopen(path.c_str(), "r+");
  for (int i = 0; i < 2; ++i) {  // after the first seek the block is empty
    read_line<OfTheLibrary>(file);
    sluice_stdio_fseek(file, 0, SEEK_CUR);
  }
  sluice_stdio_fputs("WRITTEN\n", file);
  sluice_stdio_fflush(file);
  const int other = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(::pwrite(other, "CHANGED\n", 8, 24), 8);
  ::close(other);
  EXPECT_EQ(look<OfTheLibrary>(file, 2), "CHANGED\n0");
  sluice_stdio_fclose(file);
}

TEST(StdioDescriptor, AReadOfAClosedDescriptorSetsTheIndicatorOfErrors) {
  const ScratchDirectory directory;
  make_file(directory.file("file"), "text");
  sluice_FILE* const file = sluice_stdio_fopen(directory.file("file").c_str(), "r");
  ::close(sluice_stdio_fileno(file));
  EXPECT_EQ(sluice_stdio_fgetc(file), EOF);
  EXPECT_NE(sluice_stdio_ferror(file), 0);
  EXPECT_EQ(sluice_stdio_fclose(file), EOF);
}

}  // namespace
}  // namespace sluice::testing
