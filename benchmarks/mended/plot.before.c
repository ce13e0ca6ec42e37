// Draws a curve of ones and zeros, and prints each of them.
#include <stdio.h>

int main(void) {
  FILE* const out = fopen("out", "w");
  if (out == NULL) return 1;
  unsigned state = 1;
  for (int row = 0; row < 150000; ++row) {
    state = state * 1664525 + 1013904223;
    const int height = (int)(state >> 26);
    for (int column = 0; column < 64; ++column) fprintf(out, "%d", column == height);
    fputc('\n', out);
  }
  return fclose(out) != 0;
}
