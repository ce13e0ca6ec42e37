// The checks of the programs in this folder. A failed check ends the program with its line.
#pragma once

#include <sluice/files.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#define EXPECT(condition)                                                          \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "FAILED: %s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (false)

inline std::string content(const char* path) {
  std::string text;
  EXPECT(sluice::read_file(path, text).ok());
  return text;
}

inline void make_file(const char* path, std::string_view text) {
  EXPECT(sluice::write_file(path, text).ok());
}
