// Counts the numbers of a text, which it reads in blocks.
#include <fstream>
#include <iostream>

int main() {
  std::ifstream in("/dev/stdin");
  static char block[65536];
  long words = 0;
  long letters = 0;
  bool in_word = false;
  while (in.read(block, sizeof block), in.gcount() > 0) {
    for (long i = 0; i < in.gcount(); ++i) {
      const bool is_letter = block[i] != ' ' && block[i] != '\n';
      words += is_letter && !in_word ? 1 : 0;
      letters += is_letter ? 1 : 0;
      in_word = is_letter;
    }
  }
  std::cout << words << ' ' << letters << '\n';
}
