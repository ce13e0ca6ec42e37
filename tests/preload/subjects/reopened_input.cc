// usage: reopened_input FILE...
//
// Reads each file by std::cin, which takes each byte out of the stream of standard input.
#include <cstdio>
#include <iostream>

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    if (std::freopen(words[i], "r", stdin) == nullptr) return 1;
    std::cin.clear();
    while (std::cin.get() != EOF) continue;
  }
  return 0;
}
