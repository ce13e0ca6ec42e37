#include "bench/experiments/input/line_loops.h"

#include <sys/types.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace sluice::bench {
namespace {

// The room that fgets and istream.getline get for one line. A longer line makes the tally wrong.
constexpr std::size_t line_buffer_bytes = 1024 * 1024;

// Returns the tally to which `loop(tally)` adds. The loop's tally is a variable and not the result,
// so that the compiler keeps it in registers. A result lies in memory, which a line's bytes might
// overlap: each line would then wait for the sum of the line before, which takes 2 ns on a Zen 5.
template <typename Loop>
inline Tally tally_in_registers(Loop loop) {
  Tally tally;
  loop(tally);
  return Tally(tally);
}

template <char* (*get)(char*, int, std::FILE*)>
Tally loop_gets(std::FILE* file) {
  const auto line = std::make_unique_for_overwrite<char[]>(line_buffer_bytes);
  return tally_in_registers([&](Tally& tally) {
    while (get(line.get(), static_cast<int>(line_buffer_bytes), file) != nullptr) {
      std::size_t bytes = std::strlen(line.get());
      if (bytes != 0 && line[bytes - 1] == '\n') --bytes;
      tally.add_line(line.get(), bytes);
    }
  });
}

}  // namespace

Tally loop_std_getline(std::istream& stream) {
  std::string line;
  return tally_in_registers([&](Tally& tally) {
    while (std::getline(stream, line)) tally.add_line(line);
  });
}

Tally loop_istream_getline(std::istream& stream) {
  const auto line = std::make_unique_for_overwrite<char[]>(line_buffer_bytes);
  return tally_in_registers([&](Tally& tally) {
    while (stream.getline(line.get(), line_buffer_bytes)) {
      const auto taken = static_cast<std::size_t>(stream.gcount());
      tally.add_line(line.get(), stream.eof() ? taken : taken - 1);  // gcount includes the newline
    }
  });
}

Tally loop_getline_3(std::FILE* file) {
  char* line = nullptr;
  std::size_t capacity = 0;
  const Tally tally = tally_in_registers([&](Tally& counted) {
    for (ssize_t taken; (taken = ::getline(&line, &capacity, file)) > 0;) {
      auto bytes = static_cast<std::size_t>(taken);
      if (line[bytes - 1] == '\n') --bytes;
      counted.add_line(line, bytes);
    }
  });
  std::free(line);
  return tally;
}

Tally loop_fgets(std::FILE* file) { return loop_gets<std::fgets>(file); }

Tally loop_fgets_unlocked(std::FILE* file) { return loop_gets<fgets_unlocked>(file); }

Tally loop_sluice_lines(Reader& reader) {
  return tally_in_registers([&](Tally& tally) {
    for (const std::string_view line : reader.lines()) tally.add_line(line);
  });
}

Tally loop_sluice_next_line(Reader& reader) {
  return tally_in_registers([&](Tally& tally) {
    for (std::string_view line; reader.next_line(line);) tally.add_line(line);
  });
}

const char* add_complete_lines(const char* begin, const char* end, Tally& tally) {
  Tally counted = tally;
  while (const auto* newline = static_cast<const char*>(
             std::memchr(begin, '\n', static_cast<std::size_t>(end - begin)))) {
    counted.add_line(begin, static_cast<std::size_t>(newline - begin));
    begin = newline + 1;
  }
  tally = counted;
  return begin;
}

Tally loop_memchr(std::string_view text) {
  Tally tally;
  const char* end = text.data() + text.size();
  const char* rest = add_complete_lines(text.data(), end, tally);
  if (rest != end) tally.add_line(rest, static_cast<std::size_t>(end - rest));
  return tally;
}

}  // namespace sluice::bench
