// usage: flushed_lines FILE LINES
//
// Writes LINES lines to FILE and flushes each, at two places.
#include <cstdlib>
#include <fstream>

namespace {

[[gnu::noinline]] void write_one(std::ofstream& file, long number) {
  file << number << std::endl;  // place one
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  std::ofstream file(words[1]);
  for (long i = 0, lines = std::strtol(words[2], nullptr, 10); i < lines; ++i) {
    if (i % 4 == 0) {
      write_one(file, i);
    } else {
      file << "another" << std::endl;  // place two
    }
  }
  return 0;
}
