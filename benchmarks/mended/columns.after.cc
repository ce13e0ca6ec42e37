// Prints a table of numbers on standard output, which has a buffer of its own.
#include <iostream>

int main() {
  std::ios::sync_with_stdio(false);
  unsigned state = 1;
  for (int row = 0; row < 1500000; ++row) {
    state = state * 1664525 + 1013904223;
    std::cout << row << '\t' << (state >> 20) << '\t' << (state & 255) << '\n';
  }
}
