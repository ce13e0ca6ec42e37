// A library in C++ whose function flushes each line, at two places.
#include <fstream>

namespace {

[[gnu::noinline]] void write_one(std::ofstream& file) {
  file << "a line" << std::endl;  // place one
}

}  // namespace

extern "C" void write_lines_to(const char* path, int count) {
  std::ofstream file(path);
  for (int i = 0; i < count; ++i) {
    if (i % 4 == 0) {
      write_one(file);
    } else {
      file << "another" << std::endl;  // place two
    }
  }
}
