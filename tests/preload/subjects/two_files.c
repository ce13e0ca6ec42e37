// usage: two_files FIRST SECOND LINES
//
// Writes LINES lines to two files in turn, each line by a write() of its own.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char** words) {
  if (count != 4) return 2;
  int files[2];
  for (int i = 0; i < 2; ++i) files[i] = open(words[1 + i], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  static const char line[] = "a line that is written by one call\n";
  for (long i = strtol(words[3], NULL, 10); i > 0; --i) {
    if (write(files[i % 2], line, sizeof line - 1) != sizeof line - 1) return 1;
  }
  return close(files[0]) != 0 || close(files[1]) != 0;
}
