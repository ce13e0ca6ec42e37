// Ends each line of a table by std::endl.
#include <iostream>
int main() {
  for (int row = 0; row < 900000; ++row) {
    std::cout << row << '\t' << row * 7 % 1000 << '\t' << row % 3 << std::endl;
  }
}
