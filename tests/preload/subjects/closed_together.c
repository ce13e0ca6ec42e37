// usage: closed_together HOW
//
// Closes several files by one call, and writes lines to one of them under another number.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(int count, char** words) {
  if (count != 2) return 2;
  const int first = creat("first", 0644);
  const int second = creat("second", 0644);
  if (first < 0 || second < 0) return 1;
  if (strcmp(words[1], "closefrom") == 0) closefrom(first);
  if (strcmp(words[1], "close_range") == 0) close_range((unsigned)first, (unsigned)second, 0);
  const int again = open("second", O_WRONLY);
  if (again != first) return 1;
  for (int i = 0; i < 100; ++i) {
    if (write(again, "a line\n", 7) != 7) return 1;
  }
  return close(again);
}
