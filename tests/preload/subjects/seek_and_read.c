// usage: seek_and_read FILE TIMES
//
// Seeks to positions near each other and reads a few bytes at each one, like a program that looks
// values up in a table.
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  if (count != 3) return 2;
  FILE* const stream = fopen(words[1], "r");
  if (stream == NULL) return 1;
  fseek(stream, 0, SEEK_END);
  const long end = ftell(stream) - 64;
  unsigned long sum = 0;
  long position = 0;
  char piece[16];
  for (long i = strtol(words[2], NULL, 10); i > 0; --i) {
    position = (position + (i % 16 == 0 ? 40961 : 37)) % end;
    fseek(stream, position, SEEK_SET);
    if (fread(piece, 1, sizeof piece, stream) != sizeof piece) return 1;
    sum = sum * 31 + (unsigned char)piece[i % 16];
  }
  printf("%lu\n", sum);
  return fclose(stream) != 0;
}
