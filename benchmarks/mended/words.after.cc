// Counts the words of standard input, which has a buffer of its own, and their letters.
#include <iostream>
#include <string>

int main() {
  std::ios::sync_with_stdio(false);
  std::string word;
  unsigned long words = 0;
  unsigned long letters = 0;
  while (std::cin >> word) {
    ++words;
    letters += word.size();
  }
  std::cout << words << ' ' << letters << '\n';
}
