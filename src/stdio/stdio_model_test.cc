// Random sequences of calls give the same results with glibc's FILE and with sluice's.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sluice/stdio_stream.h"
#include "stdio/random_calls.h"

namespace sluice::testing {
namespace {

struct Theirs : StandardCallsOfTheSystem {
  static constexpr auto attach = &::fdopen;
  static constexpr auto line = &::getdelim;
  static constexpr auto descriptor = &::fileno;
};

struct Ours : StandardCallsOfTheLibrary {
  static constexpr auto attach = &sluice_stdio_fdopen;
  static constexpr auto line = &sluice_stdio_getdelim;
  static constexpr auto descriptor = &sluice_stdio_fileno;
};

// Makes one sequence of calls. Two runs with one seed make the same calls.
template <typename Api>
class Run {
 public:
  Run(unsigned seed, std::string path, Log& log)
      : random_(seed), path_(std::move(path)), log_(log) {}

  void go(unsigned calls) {
    make_old_file();
    open();
    for (unsigned call = 0; file_ != nullptr && call < calls; ++call) {
      step();
      note_state();
    }
    if (file_ != nullptr) note("close", Api::close(file_));
    note_text("content", summary(content_of(path_)));
  }

 private:
  unsigned choose(unsigned below) { return static_cast<unsigned>(random_() % below); }
  // Small sizes, and now and then a size around the size of a block or beyond it.
  unsigned choose_size() {
    constexpr std::array<unsigned, 8> large = {4095, 4096, 4097, 8192, 65535, 65536, 65537, 150000};
    return choose(12) == 0 ? large.at(choose(8)) : choose(choose(3) == 0 ? 300 : 12);
  }
  void note(const char* call, long result) {
    log_.push_back(std::string(call) + " " + std::to_string(result));
  }
  void note_text(const char* call, const std::string& text) {
    log_.push_back(std::string(call) + " " + text);
  }

  // A piece of a long random text.
  std::string text(unsigned bytes) {
    static const std::string source = [] {
      std::mt19937 random;
      std::string letters;
      for (int i = 0; i < 300000; ++i) letters += "0123456789 abc.-\n"[random() % 17];
      return letters;
    }();
    return source.substr(choose(90000), bytes);
  }

  void make_old_file() {
    std::filesystem::remove(path_);
    if (choose(8) == 0) return;
    std::ofstream(path_, std::ios::binary) << text(choose(2) == 0 ? choose(100) : choose(200000));
  }

  void open() {
    constexpr std::array<const char*, 14> modes = {"r",   "w",   "a",   "r+", "w+", "a+", "rb",
                                                   "r+b", "w+x", "ab+", "re", "r+", "a+", "w+"};
    const char* const mode = modes.at(choose(modes.size()));
    is_update_ = std::string_view(mode).find('+') != std::string_view::npos;
    log_.push_back(std::string("open ") + mode);
    if (choose(6) == 0 && *mode == 'r') {
      const int descriptor = ::open(path_.c_str(), is_update_ ? O_RDWR : O_RDONLY);
      if (descriptor < 0) return;
      ::lseek(descriptor, choose(50), SEEK_SET);
      file_ = Api::attach(descriptor, is_update_ ? "r+" : "r");
    } else {
      file_ = Api::open(path_.c_str(), mode);
    }
    note("errno", file_ == nullptr ? errno : 0);
    if (file_ != nullptr && choose(4) == 0) choose_buffering();
  }

  void choose_buffering() {
    constexpr std::array<int, 3> modes = {_IOFBF, _IOLBF, _IONBF};
    note("setvbuf", Api::buffer(file_, nullptr, modes.at(choose(3)), choose(2) * 200000));
  }

  void note_state() {
    const long position = Api::tell(file_);
    log_.back() += std::string(" at ") + std::to_string(position) +
                   (Api::end(file_) != 0 ? " end" : "") + (Api::error(file_) != 0 ? " error" : "");
  }

  void step() {
    if (choose(3) == 0) {
      move();
    } else if (choose(2) == 0) {
      write();
    } else {
      read();
    }
  }

  // The standard wants a seek here. Without it glibc gets lost in large reads.
  void turn_to_reading() {
    if (!has_written_) return;
    if (choose(4) == 0) {
      note("get after a write", Api::get(file_));
    } else {
      note("seek after a write", Api::seek(file_, 0, SEEK_CUR));
    }
    note_state();
    has_written_ = false;
  }

  void move() {
    has_written_ = false;
    switch (choose(9)) {
      case 0: note("seek set", Api::seek(file_, choose(200), SEEK_SET)); break;
      case 1: note("seek far", Api::seek(file_, choose(250000), SEEK_SET)); break;
      case 2:
        note("seek cur", Api::seek(file_, static_cast<long>(choose(100)) - 50, SEEK_CUR));
        break;
      case 3: note("seek end", Api::seek(file_, -static_cast<long>(choose(100)), SEEK_END)); break;
      case 4:
        Api::rewind(file_);
        note("rewind", 0);
        break;
      case 5:
      case 6:
        // After ungetc(), glibc's fflush() may leave the descriptor at a wrong offset.
        if (pushed_back_) {
          note("seek", Api::seek(file_, 0, SEEK_CUR));
          break;
        }
        note("flush", Api::flush(file_));
        note("offset", ::lseek(Api::descriptor(file_), 0, SEEK_CUR));
        note_text("content", summary(content_of(path_)));
        break;
      case 7:
        Api::clear(file_);
        has_written_ = true;  // as far as is known
        note("clearerr", 0);
        return;
      default: note("bad seek", Api::seek(file_, -300000, SEEK_CUR)); break;
    }
    pushed_back_ = false;
  }

  void write() {
    has_written_ = true;
    switch (choose(5)) {
      case 0: note("put", Api::put(static_cast<int>(choose(256)), file_)); break;
      case 1: note("puts", Api::puts(text(choose_size()).c_str(), file_) >= 0 ? 1 : -1); break;
      case 2: {
        const std::string word = text(choose_size());
        note("print", Api::print(file_, "%d %s %.3f|", static_cast<int>(choose(1000)), word.c_str(),
                                 choose(99) / 7.0));
        break;
      }
      default: {
        const unsigned size = 1 + choose(5);
        const std::string bytes = text(choose_size() * size);
        note("write",
             static_cast<long>(Api::write(bytes.data(), size, bytes.size() / size, file_)));
      }
    }
  }

  void read() {
    turn_to_reading();
    switch (choose(6)) {
      case 0: note("get", Api::get(file_)); break;
      case 1: {
        std::vector<char> into(choose_size() + 1, '?');
        const char* const line = Api::gets(into.data(), static_cast<int>(into.size()), file_);
        note_text("gets", line == nullptr ? "null" : line);
        break;
      }
      case 2: read_line(); break;
      case 3: scan(); break;
      case 4: unget(); return;
      default: {
        const unsigned size = 1 + choose(5);
        std::string bytes(choose_size() * size, '?');
        const std::size_t got = Api::read(bytes.data(), size, bytes.size() / size, file_);
        note_text("read", std::to_string(got) + " " + bytes.substr(0, got * size));
      }
    }
  }

  // The C library promises ungetc() only after a byte was read.
  void unget() {
    if (Api::get(file_) != EOF) {
      pushed_back_ = true;
      note("unget", Api::unget(static_cast<int>('a' + choose(3)), file_));
    } else {
      note("unget", 0);
    }
  }

  void read_line() {
    char* line = nullptr;
    std::size_t room = 0;
    const ssize_t bytes = Api::line(&line, &room, choose(2) == 0 ? '\n' : '5', file_);
    note_text("getdelim",
              std::to_string(bytes) + " " +
                  (bytes > 0 ? std::string(line, static_cast<std::size_t>(bytes)) : ""));
    std::free(line);
  }

  void scan() {
    int number = 0;
    float real = 0;
    std::array<char, 20> word{};
    switch (choose(4)) {
      case 0: note("scan d", Api::scan(file_, "%d", &number)); break;
      case 1: note("scan s", Api::scan(file_, " %19[abc.]%n", word.data(), &number)); break;
      case 2: note("scan f", Api::scan(file_, "%f", &real)); break;
      default: note("scan sd", Api::scan(file_, "%10s-%d", word.data(), &number)); break;
    }
    log_.back() +=
        std::string(" ") + std::to_string(number) + " " + std::to_string(real) + " " + word.data();
  }

  std::mt19937 random_;
  std::string path_;
  Log& log_;
  typename Api::File* file_ = nullptr;
  bool is_update_ = false;
  bool pushed_back_ = false;
  bool has_written_ = false;
};

template <typename Api>
Log run(unsigned seed, unsigned calls) {
  Log log;
  const std::string path = ::testing::TempDir() + "stdio_model_" + std::to_string(getpid());
  Run<Api>(seed, path, log).go(calls);
  std::filesystem::remove(path);
  return log;
}

TEST(StdioModel, RandomCallsGiveTheResultsOfTheCLibrary) {
  compare_sequences(
      1000, [](unsigned seed) { return run<Theirs>(seed, 30); },
      [](unsigned seed) { return run<Ours>(seed, 30); });
}

}  // namespace
}  // namespace sluice::testing
