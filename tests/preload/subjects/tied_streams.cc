// usage: tied_streams
//
// Writes each number of standard input to standard output, by std::cin and std::cout as they are.
#include <iostream>

int main() {
  long number = 0;
  while (std::cin >> number) std::cout << number << '\n';
  return 0;
}
