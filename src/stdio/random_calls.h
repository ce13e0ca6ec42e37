// What the tests that make random sequences of calls share: the calls of C's standard under the
// same names for both libraries, a log of their results, and the comparison of two logs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "sluice/stdio_stream.h"

namespace sluice::testing {

struct StandardCallsOfTheSystem {
  using File = FILE;
  static constexpr auto open = &std::fopen;
  static constexpr auto close = &std::fclose;
  static constexpr auto write = &std::fwrite;
  static constexpr auto read = &std::fread;
  static constexpr auto put = &std::fputc;
  static constexpr auto get = &std::fgetc;
  static constexpr auto unget = &std::ungetc;
  static constexpr auto puts = &std::fputs;
  static constexpr auto gets = &std::fgets;
  static constexpr auto seek = &std::fseek;
  static constexpr auto tell = &std::ftell;
  static constexpr auto rewind = &std::rewind;
  static constexpr auto flush = &std::fflush;
  static constexpr auto buffer = &std::setvbuf;
  static constexpr auto error = &std::ferror;
  static constexpr auto end = &std::feof;
  static constexpr auto clear = &std::clearerr;
  template <typename... Arguments>
  static int print(File* file, const char* format, Arguments... arguments) {
    return std::fprintf(file, format, arguments...);
  }
  template <typename... Arguments>
  static int scan(File* file, const char* format, Arguments... arguments) {
    return std::fscanf(file, format, arguments...);
  }
};

struct StandardCallsOfTheLibrary {
  using File = sluice_FILE;
  static constexpr auto open = &sluice_stdio_fopen;
  static constexpr auto close = &sluice_stdio_fclose;
  static constexpr auto write = &sluice_stdio_fwrite;
  static constexpr auto read = &sluice_stdio_fread;
  static constexpr auto put = &sluice_stdio_fputc;
  static constexpr auto get = &sluice_stdio_fgetc;
  static constexpr auto unget = &sluice_stdio_ungetc;
  static constexpr auto puts = &sluice_stdio_fputs;
  static constexpr auto gets = &sluice_stdio_fgets;
  static constexpr auto seek = &sluice_stdio_fseek;
  static constexpr auto tell = &sluice_stdio_ftell;
  static constexpr auto rewind = &sluice_stdio_rewind;
  static constexpr auto flush = &sluice_stdio_fflush;
  static constexpr auto buffer = &sluice_stdio_setvbuf;
  static constexpr auto error = &sluice_stdio_ferror;
  static constexpr auto end = &sluice_stdio_feof;
  static constexpr auto clear = &sluice_stdio_clearerr;
  static constexpr auto print = &sluice_stdio_fprintf;
  static constexpr auto scan = &sluice_stdio_fscanf;
};

using Log = std::vector<std::string>;

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What a log shows of a long content: the size, a hash and the end.
inline std::string summary(const std::string& content) {
  const std::size_t shown = std::min<std::size_t>(content.size(), 40);
  return std::to_string(content.size()) + " " + std::to_string(std::hash<std::string>{}(content)) +
         " " + content.substr(content.size() - shown);
}

// The first entry that differs, and the entries before it.
inline std::string difference(const Log& expected, const Log& ours) {
  std::size_t at = 0;
  while (at < expected.size() && at < ours.size() && expected[at] == ours[at]) ++at;
  if (at == expected.size() && at == ours.size()) return "";
  std::string result;
  for (std::size_t i = at < 8 ? 0 : at - 8; i < at; ++i) {
    result += expected[i].substr(0, 150) + "\n";
  }
  result += "expected: " + (at < expected.size() ? expected[at].substr(0, 300) : "") + "\n";
  result += "sluice:   " + (at < ours.size() ? ours[at].substr(0, 300) : "") + "\n";
  return result;
}

inline unsigned number_from_environment(const char* name, unsigned usual) {
  const char* const text = std::getenv(name);
  return text == nullptr ? usual : static_cast<unsigned>(std::atoi(text));
}

// Calls expected(seed) and ours(seed), which return a Log, for many seeds.
template <typename Expected, typename Ours>
void compare_sequences(unsigned usual_count, Expected expected, Ours ours) {
  const unsigned count = number_from_environment("SLUICE_STDIO_SEQUENCES", usual_count);
  const unsigned first = number_from_environment("SLUICE_STDIO_FIRST_SEED", 1);
  unsigned different = 0;
  for (unsigned seed = first; seed < first + count && different < 3; ++seed) {
    const std::string found = difference(expected(seed), ours(seed));
    if (found.empty()) continue;
    ++different;
    ADD_FAILURE() << "seed " << seed << "\n" << found;
  }
}

}  // namespace sluice::testing
