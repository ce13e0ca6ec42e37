// Writes a picture of three colours, a byte at a time.
#include <stdio.h>

int main(void) {
  FILE* const out = fopen("out", "w");
  if (out == NULL) return 1;
  fprintf(out, "P6 6000 4000 255\n");
  for (int row = 0; row < 4000; ++row) {
    for (int column = 0; column < 6000; ++column) {
      putc(row & 255, out);
      putc(column & 255, out);
      putc((row ^ column) & 255, out);
    }
  }
  return fclose(out) != 0;
}
