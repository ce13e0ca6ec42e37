// The FILE of sluice/stdio.h on Windows gives the results of Microsoft's C library. In text mode
// it gives the results of a model: msvcrt.dll's ftell() is wrong if a line ends with '\n' alone.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <io.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sluice/stdio_stream.h"
#include "stdio/random_calls.h"
#include "testing/scratch_directory.h"
#include "text_file_model.h"

namespace sluice::testing {
namespace {

void write_content(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A piece of a long random text, in which lines end in several ways.
std::string piece_of_text(std::size_t start, std::size_t bytes) {
  static const std::string source = [] {
    std::mt19937 random(7);
    std::string letters;
    while (letters.size() < 400'000) {
      constexpr std::array<const char*, 12> parts = {"\r\n", "\n", "\r",  "\r\r\n", "12 ",  "a",
                                                     "bc",   "7",  "-3 ", "\x1a",   "line", "\r\n"};
      letters += parts.at(random() % parts.size());
    }
    return letters;
  }();
  return source.substr(start, bytes);
}

// Makes one sequence of calls. Two runs with one seed make the same calls.
template <typename Api>
class Run {
 public:
  Run(unsigned seed, std::string path, bool is_text, Log& log)
      : random_(seed), path_(std::move(path)), is_text_(is_text), log_(log) {}

  void go(unsigned calls) {
    std::remove(path_.c_str());
    if (choose(8) != 0) write_content(path_, text(choose(2) == 0 ? choose(100) : choose(200'000)));
    open();
    for (unsigned call = 0; file_ != nullptr && call < calls; ++call) {
      step();
      note_state();
    }
    if (file_ != nullptr) note("close", Api::close(file_));
    log_.push_back("content " + summary(content_of(path_)));
  }

 private:
  unsigned choose(unsigned below) { return static_cast<unsigned>(random_() % below); }
  unsigned choose_size() {
    constexpr std::array<unsigned, 8> large = {4095, 4096, 4097, 8192, 65535, 65536, 65537, 150000};
    return choose(10) == 0 ? large.at(choose(8)) : choose(choose(3) == 0 ? 300 : 12);
  }
  std::string text(unsigned bytes) { return piece_of_text(choose(200'000), bytes); }
  void note(const std::string& call, long result) {
    log_.push_back(call + " " + std::to_string(result));
  }

  void open() {
    constexpr std::array<const char*, 8> modes = {"r", "w", "a", "r+", "w+", "a+", "r+", "r"};
    std::string mode = modes.at(choose(modes.size()));
    can_read_ = mode != "w" && mode != "a";
    can_write_ = mode != "r";
    appends_ = mode[0] == 'a';
    mode.insert(choose(2) == 0 ? 1 : mode.size(), is_text_ ? "t" : "b");
    file_ = Api::open(path_.c_str(), mode.c_str());
    note("open " + mode + " errno", file_ == nullptr ? errno : 0);
    if (file_ == nullptr || choose(4) != 0) return;
    constexpr std::array<int, 2> bufferings = {_IOFBF, _IONBF};
    const int buffering = bufferings.at(choose(2));
    is_unbuffered_ = buffering == _IONBF;
    note("setvbuf", Api::buffer(file_, nullptr, buffering, buffering == _IOFBF ? 5000 : 0));
  }

  void note_state() {
    // C leaves open what ftell() gives after ungetc() in text mode.
    if (!is_pushed_back_) log_.back() += " at " + std::to_string(Api::tell(file_));
    log_.back() +=
        std::string(Api::end(file_) != 0 ? " end" : "") + (Api::error(file_) != 0 ? " error" : "");
  }

  void step() {
    const unsigned kind = choose(3);
    if (kind == 0) {
      move();
    } else if (kind == 1 ? can_write_ : !can_read_) {
      turn(is_reading_);
      is_reading_ = false;
      is_writing_ = true;
      write();
    } else {
      turn(is_writing_);
      is_writing_ = false;
      is_reading_ = true;
      read();
    }
  }

  // C wants a seek between reading and writing.
  void turn(bool must) {
    if (!must && !is_pushed_back_) return;
    if (must) note("turn", Api::seek(file_, 0, SEEK_END));
    if (must) is_pushed_back_ = false;
  }

  void move() {
    if (is_pushed_back_) {
      note("seek after ungetc", Api::seek(file_, static_cast<long>(choose(50)), SEEK_SET));
    } else {
      move_from_known_place();
    }
    is_reading_ = is_writing_ = is_pushed_back_ = false;
  }

  // After a seek that fails, msvcrt.dll has another position, and feof() is false.
  void seek(const char* call, long offset, int whence) {
    const int result = Api::seek(file_, offset, whence);
    note(call, result);
    if (result != 0) note("seek", Api::seek(file_, 3, SEEK_SET));
  }

  void move_from_known_place() {
    switch (choose(8)) {
      case 0: seek("seek far", static_cast<long>(choose(250'000)), SEEK_SET); break;
      case 1: seek("seek cur", static_cast<long>(choose(100)) - 50, SEEK_CUR); break;
      case 2: seek("seek end", -static_cast<long>(choose(100)), SEEK_END); break;
      case 3: seek("seek nowhere", -1'000'000, SEEK_CUR); break;
      case 4:
        Api::rewind(file_);
        note("rewind", 0);
        break;
      case 5:
        note("flush", is_reading_ ? 0 : Api::flush(file_));
        seek("seek", 0, SEEK_CUR);
        log_.push_back("content " + summary(content_of(path_)));
        break;
      case 6: seek("seek back", Api::tell(file_), SEEK_SET); break;
      default: seek("seek set", static_cast<long>(choose(200)), SEEK_SET);
    }
  }

  void write() {
    switch (choose(4)) {
      case 0: note("put", Api::put(static_cast<int>(choose(256)), file_)); break;
      case 1: note("puts", Api::puts(text(choose_size()).c_str(), file_) >= 0 ? 1 : -1); break;
      case 2:
        note("print", Api::print(file_, "%d %s|\n", static_cast<int>(choose(1000)),
                                 text(choose_size()).c_str()));
        break;
      default: {
        const unsigned size = 1 + choose(5);
        const std::string bytes = text(choose_size() * size);
        note("write",
             static_cast<long>(Api::write(bytes.data(), size, bytes.size() / size, file_)));
      }
    }
    // Until then msvcrt.dll's ftell() does not know where the end was.
    if (appends_) note("flush", Api::flush(file_));
  }

  void read() {
    switch (choose(is_text_ ? 4 : 5)) {
      case 0: note("get", Api::get(file_)); break;
      case 1: {
        std::string into(choose_size() + 2, '?');
        const char* const line = Api::gets(into.data(), static_cast<int>(into.size()), file_);
        log_.push_back("gets " + std::string(line == nullptr ? "null" : line));
        break;
      }
      case 2: unget(); return;
      case 3: {
        const unsigned size = 1 + choose(5);
        std::string bytes((choose_size() + 1) * size, '?');
        const std::size_t got = Api::read(bytes.data(), size, bytes.size() / size, file_);
        log_.push_back("read " + std::to_string(got) + " " + summary(bytes.substr(0, got * size)));
        break;
      }
      default: scan(); return;
    }
    is_pushed_back_ = false;
  }

  void unget() {
    const int byte = Api::get(file_);
    is_pushed_back_ = byte != EOF;
    note("unget", is_pushed_back_ ? Api::unget(static_cast<int>('a' + choose(3)), file_) : byte);
  }

  void scan() {
    if constexpr (requires { Api::scan(file_, "%d", nullptr); }) {
      int number = 0;
      std::array<char, 20> word{};
      note("scan", Api::scan(file_, "%d %19[a-l]", &number, word.data()));
      log_.back() += " " + std::to_string(number) + " " + word.data();
      // After ungetc() without a buffer, msvcrt.dll's ftell() is one too large.
      if (is_unbuffered_) is_pushed_back_ = true;
    }
  }

  std::mt19937 random_;
  std::string path_;
  bool is_text_;
  Log& log_;
  typename Api::File* file_ = nullptr;
  bool can_read_ = false;
  bool can_write_ = false;
  bool is_reading_ = false;
  bool is_writing_ = false;
  bool is_pushed_back_ = false;
  bool is_unbuffered_ = false;
  bool appends_ = false;
};

template <typename Api>
Log run(unsigned seed, const std::string& path, bool is_text) {
  Log log;
  Run<Api>(seed, path, is_text, log).go(25);
  return log;
}

template <typename Expected>
void compare(bool is_text) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  compare_sequences(
      400, [&](unsigned seed) { return run<Expected>(seed, path, is_text); },
      [&](unsigned seed) { return run<StandardCallsOfTheLibrary>(seed, path, is_text); });
}

// The C library formats the number, and writes a NUL behind its text.
TEST(StdioOnWindows, ANumberLeavesTheBytesOfTheFileBehindIt) {
  const ScratchDirectory directory;
  const std::string path = directory.file("file");
  write_content(path, "0123456789");
  sluice_FILE* const file = sluice_stdio_fopen(path.c_str(), "r+b");
  for (int i = 0; i < 2; ++i) {  // the second time the bytes stay in the block
    EXPECT_EQ(sluice_stdio_fgetc(file), '0');
    EXPECT_EQ(sluice_stdio_fseek(file, 0, SEEK_SET), 0);
  }
  EXPECT_EQ(sluice_stdio_fprintf(file, "%.1f", 2.5), 3);
  EXPECT_EQ(sluice_stdio_fseek(file, 0, SEEK_CUR), 0);
  EXPECT_EQ(sluice_stdio_fgetc(file), '3');
  EXPECT_EQ(sluice_stdio_fclose(file), 0);
  EXPECT_EQ(content_of(path), "2.53456789");
}

TEST(StdioOnWindows, RandomCallsOnBinaryFilesGiveTheResultsOfTheCLibrary) {
  compare<StandardCallsOfTheSystem>(false);
}

TEST(StdioOnWindows, RandomCallsOnTextFilesGiveTheResultsOfAModel) { compare<OfTheModel>(true); }

}  // namespace
}  // namespace sluice::testing
