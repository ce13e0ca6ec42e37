// usage: one_byte FILE BYTES
//
// Writes BYTES bytes to FILE, each by an fwrite() of its own.
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  if (count != 3) return 2;
  FILE* const stream = fopen(words[1], "w");
  for (long i = 0, bytes = strtol(words[2], NULL, 10); i < bytes; ++i) {
    const char byte = (char)(i * 131 + (i >> 8));
    if (fwrite(&byte, 1, 1, stream) != 1) return 1;
  }
  return fclose(stream) != 0;
}
