// usage: stream_numbers COUNT
//
// Writes so many whole numbers to standard output by operator<< of a stream with a buffer of its
// own.
#include <cstdlib>
#include <iostream>

int main(int, char** words) {
  std::ios::sync_with_stdio(false);
  const long count = std::atol(words[1]);
  for (long number = 0; number < count; ++number) std::cout << number * 7919 << ' ';
  return 0;
}
