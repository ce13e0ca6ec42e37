// Sources and sinks of numbers, for `console`. Every source can be used with every sink.
#pragma once

#include <unistd.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>

#include "bench/experiments/input/input_file.h"
#include "bench/experiments/input/raw_read.h"
#include "sluice/reader.h"
#include "sluice/writer.h"

namespace sluice::bench {

inline constexpr std::size_t int_bytes = 8;  // seven digits and a newline

// The numbers repeat, so that one block holds the text of all of them.
inline constexpr std::uint64_t distinct_ints = raw_block_bytes / int_bytes;

inline int int_at(std::uint64_t i) {
  return static_cast<int>(1'000'000 + ((i % distinct_ints) * 2'654'435'761 & 0x7f'ffff));
}

// Writes the digits and a newline. All rows that convert by themselves use it.
inline char* append_int(char* begin, int value) {
  char* end = std::to_chars(begin, begin + int_bytes - 1, value).ptr;
  *end++ = '\n';
  return end;
}

// --- Sources: next() gives the next number, and returns false at the end. ---

struct Counted {
  explicit Counted(std::uint64_t count) : end(count) {}
  bool next(int& value) {
    value = int_at(i);
    return i++ != end;
  }
  std::uint64_t i = 0;
  std::uint64_t end;
};

struct CinInts {
  explicit CinInts(std::uint64_t) {}
  bool next(int& value) { return static_cast<bool>(std::cin >> value); }
};

struct ScanfInts {
  explicit ScanfInts(std::uint64_t) {}
  bool next(int& value) { return std::scanf("%d", &value) == 1; }
};

// Reads the digits of a line. `get` gives the next byte, or a negative number at the end.
template <typename Get>
bool next_int(Get get, int& value) {
  int byte = get();
  if (byte < 0) return false;
  for (value = 0; byte >= '0'; byte = get()) value = 10 * value + (byte - '0');
  return true;
}

template <int (*get)()>
struct GetcharInts {
  explicit GetcharInts(std::uint64_t) {}
  bool next(int& value) { return next_int(get, value); }
};

struct FgetsInts {
  explicit FgetsInts(std::uint64_t) {}
  bool next(int& value) {
    if (std::fgets(line.data(), static_cast<int>(line.size()), stdin) == nullptr) return false;
    return std::from_chars(line.data(), line.data() + line.size(), value).ec == std::errc();
  }
  std::array<char, 64> line;
};

class SluiceInput {
 public:
  explicit SluiceInput(std::uint64_t) {
    reader_.attach(STDIN_FILENO, "standard input").throw_if_error();
  }

 protected:
  bool end() {
    reader_.status().throw_if_error();
    return false;
  }
  Reader reader_;
};

struct SluiceGetInts : SluiceInput {
  using SluiceInput::SluiceInput;
  bool next(int& value) {
    return next_int([this] { return reader_.get(); }, value) || end();
  }
};

struct SluiceLineInts : SluiceInput {
  using SluiceInput::SluiceInput;
  bool next(int& value) {
    std::string_view line;
    if (!reader_.next_line(line)) return end();
    return std::from_chars(line.data(), line.data() + line.size(), value).ec == std::errc();
  }
};

// --- Sinks: add() takes a number; finish() returns when all numbers are in the pipe. ---

inline void expect_written(bool right) {
  if (!right) fail("write", "standard output");
}

struct TallyInts {
  explicit TallyInts(Tally& found) : tally(found) {}
  void add(int value) { tally.add_value(static_cast<std::uint64_t>(value)); }
  void finish() {}
  Tally& tally;
};

struct CoutInts {
  explicit CoutInts(Tally&) {}
  void add(int value) { std::cout << value << '\n'; }
  void finish() { expect_written(static_cast<bool>(std::cout.flush())); }
};

struct CoutEndlInts : CoutInts {
  using CoutInts::CoutInts;
  void add(int value) { std::cout << value << std::endl; }
};

struct PrintfInts {
  explicit PrintfInts(Tally&) {}
  void add(int value) { std::printf("%d\n", value); }
  void finish() { expect_written(std::fflush(stdout) == 0 && std::ferror(stdout) == 0); }
};

template <int (*put)(int)>
struct PutcharInts : PrintfInts {
  using PrintfInts::PrintfInts;
  void add(int value) {
    char text[int_bytes];
    for (const char *end = append_int(text, value), *c = text; c != end; ++c) put(*c);
  }
};

struct FwriteInts : PrintfInts {
  using PrintfInts::PrintfInts;
  void add(int value) {
    char text[int_bytes];
    std::fwrite(text, 1, static_cast<std::size_t>(append_int(text, value) - text), stdout);
  }
};

struct SluiceInts {
  explicit SluiceInts(Tally&) { writer.attach(STDOUT_FILENO, "standard output").throw_if_error(); }
  void add(int value) {
    const MutableBytesView room = writer.reserve(int_bytes);
    if (room.empty()) return;  // close() gives the reason
    char* text = reinterpret_cast<char*>(room.data());
    writer.commit(static_cast<std::size_t>(append_int(text, value) - text));
  }
  void finish() { writer.close().throw_if_error(); }
  Writer writer;
};

// --- A row's work: moves `count` numbers from source to sink. Only TallyInts uses the tally. ---

using Work = void (*)(std::uint64_t count, Tally& tally);

template <typename Source, typename Sink>
void move_ints(std::uint64_t count, Tally& tally) {
  Source source(count);
  Sink sink(tally);
  for (int value; source.next(value);) sink.add(value);
  sink.finish();
}

}  // namespace sluice::bench
