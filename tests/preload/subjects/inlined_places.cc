// usage: inlined_places FILE TIMES
//
// Writes a byte at each of 30 places, which are functions that the compiler has inlined into each
// other, and does so TIMES times. The headers give the program much debug information.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <regex>

namespace {

template <int depth>
inline __attribute__((always_inline)) void write_below(FILE* stream) {
  std::fwrite("x", 1, 1, stream);
  if constexpr (depth > 1) write_below<depth - 1>(stream);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3 || !std::regex_match(words[2], std::regex("[0-9]+"))) return 2;
  FILE* const stream = std::fopen(std::filesystem::path(words[1]).c_str(), "w");
  for (long i = std::atol(words[2]); i > 0; --i) write_below<30>(stream);
  std::cout << words[2] << '\n';
  return std::fclose(stream);
}
