// Makes each message by a stringstream and flushes the file after it.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
int main() {
  std::ofstream log("out");
  std::string word, rest;
  int number = 0;
  while (number < 250000 && std::cin >> word && std::getline(std::cin, rest)) {
    std::ostringstream message;
    message << "message " << number++ << " from " << word << '\n';
    log << message.str() << std::flush;
  }
}
