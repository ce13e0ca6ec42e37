// An ordinary C++ program, which is compiled with -include sluice/stdio.h. std::cout is not
// switched, and has a buffer of its own.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

namespace {

struct Goodbye {
  ~Goodbye() { std::printf("goodbye\n"); }
};
const Goodbye goodbye;

}  // namespace

int main(int count, char** words) {
  std::FILE* const file = count > 1 ? std::fopen(words[1], "r") : stdin;
  if (file == nullptr) return 1;
  long lines = 0;
  std::string line(100, '\0');
  while (std::fgets(line.data(), static_cast<int>(line.size()), file) != nullptr) ++lines;
  std::printf("%ld lines, end %ld\n", lines, std::ftell(file));
  std::fflush(stdout);
  std::cout << "cout" << std::endl;
  std::putc('p', stdout);
  putchar('\n');
  return _fileno(stdout) == 1 ? 0 : 2;
}
