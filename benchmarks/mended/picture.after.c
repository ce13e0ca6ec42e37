// Writes a picture of three colours, a row at a time.
#include <stdio.h>

int main(void) {
  FILE* const out = fopen("out", "w");
  if (out == NULL) return 1;
  fprintf(out, "P6 6000 4000 255\n");
  static char line[6000 * 3];
  for (int row = 0; row < 4000; ++row) {
    char* next = line;
    for (int column = 0; column < 6000; ++column) {
      *next++ = (char)(row & 255);
      *next++ = (char)(column & 255);
      *next++ = (char)((row ^ column) & 255);
    }
    fwrite(line, 1, sizeof line, out);
  }
  return fclose(out) != 0;
}
