// Reads words and numbers by std::ifstream >>.
#include <fstream>
#include <iostream>
#include <string>
int main() {
  std::ifstream in("lines");
  std::string word, of, a, text;
  long number = 0, sum = 0;
  while (in >> word >> number >> of >> a >> text) sum += number + static_cast<long>(word.size());
  std::cout << sum << '\n';
}
