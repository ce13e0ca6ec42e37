// Ends each line by a line feed.
#include <fstream>
#include <iostream>
#include <string>
int main() {
  std::ios::sync_with_stdio(false);
  std::ofstream out("out");
  std::string line;
  for (long number = 0; std::getline(std::cin, line); ++number) {
    if (number % 3 == 0) out << number << ": " << line << '\n';
  }
}
