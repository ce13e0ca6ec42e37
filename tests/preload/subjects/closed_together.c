// usage: closed_together HOW TIMES
//
// Closes several files by one call, and writes TIMES lines to one of them under another number. Two
// calls close no file: "dup2" copies a descriptor to its own number, and "close_on_exec" lets the
// files be closed when another program is executed.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_lines(int file, long lines) {
  for (long i = 0; i < lines; ++i) {
    if (write(file, "a line\n", 7) != 7) return 1;
  }
  return close(file);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const char* const how = words[1];
  const long lines = strtol(words[2], NULL, 10);
  const int first = creat("first", 0644);
  const int second = creat("second", 0644);
  if (first < 0 || second < 0) return 1;
  if (strcmp(how, "dup2") == 0) return dup2(first, first) != first || write_lines(first, lines);
  if (strcmp(how, "close_on_exec") == 0) {
    return close_range((unsigned)first, (unsigned)second, CLOSE_RANGE_CLOEXEC) != 0 ||
           write_lines(first, lines);
  }
  if (strcmp(how, "closefrom") == 0) closefrom(first);
  if (strcmp(how, "close_range") == 0) close_range((unsigned)first, (unsigned)second, 0);
  const int again = open("second", O_WRONLY);
  return again != first || write_lines(again, lines);
}
