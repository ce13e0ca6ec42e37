// usage: read_lines FILE
//
// Reads FILE by getline(), then again by getc() and by fread() in pieces of 100 and of 10,000
// bytes.
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  if (count != 2) return 2;
  char* line = NULL;
  size_t line_bytes = 0;
  static char piece[10000];
  FILE* stream = fopen(words[1], "r");
  while (getline(&line, &line_bytes, stream) > 0) {
  }
  fclose(stream);
  stream = fopen(words[1], "r");
  while (getc(stream) != EOF) {
  }
  fclose(stream);
  for (size_t bytes = 100; bytes <= sizeof piece; bytes *= 100) {
    stream = fopen(words[1], "r");
    while (fread(piece, 1, bytes, stream) == bytes) {
    }
    fclose(stream);
  }
  free(line);
  return 0;
}
