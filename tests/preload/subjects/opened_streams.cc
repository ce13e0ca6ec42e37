// usage: opened_streams FILE TIMES
//
// Opens FILE by std::ifstream TIMES times, and prints how many bytes its first lines have together.
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

int main(int count, char** words) {
  if (count != 3) return 2;
  std::size_t bytes = 0;
  std::string line;
  for (long i = 0, times = std::strtol(words[2], nullptr, 10); i < times; ++i) {
    std::ifstream file(words[1]);
    if (std::getline(file, line)) bytes += line.size();
  }
  std::cout << bytes << '\n';
}
