// usage: flushes_all [FILE]
//
// Writes a line to standard output, and flushes all streams. If FILE is given, also writes a line
// to it, and prints the position of its stream after the flush, as the stream knows it: the
// position of the descriptor is another one then.
#include <stdio.h>
#include <unistd.h>

int main(int count, char** words) {
  FILE* const file = count == 2 ? fopen(words[1], "w") : NULL;
  if (file != NULL) {
    fseek(file, 100, SEEK_SET);
    fputs("a line\n", file);
  }
  fputs("a line\n", stdout);
  if (fflush(NULL) != 0) return 1;
  if (file == NULL) return 0;
  lseek(fileno(file), 0, SEEK_SET);
  printf("%ld\n", ftell(file));
  return 0;
}
