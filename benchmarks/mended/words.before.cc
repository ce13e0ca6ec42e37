// Counts the words of standard input, and their letters.
#include <iostream>
#include <string>

int main() {
  std::string word;
  unsigned long words = 0;
  unsigned long letters = 0;
  while (std::cin >> word) {
    ++words;
    letters += word.size();
  }
  std::cout << words << ' ' << letters << '\n';
}
