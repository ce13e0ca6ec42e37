// Counts the numbers of a text, which it reads as words.
#include <fstream>
#include <iostream>
#include <string>

int main() {
  std::ifstream in("/dev/stdin");
  std::string word;
  long words = 0;
  long letters = 0;
  while (in >> word) {
    ++words;
    letters += static_cast<long>(word.size());
  }
  std::cout << words << ' ' << letters << '\n';
}
