// Prints a table of numbers, each by a call of its own.
#include <stdio.h>

int main(void) {
  FILE* const out = fopen("out", "w");
  if (out == NULL) return 1;
  unsigned state = 1;
  for (int row = 0; row < 1500; ++row) {
    for (int column = 0; column < 1000; ++column) {
      state = state * 1664525 + 1013904223;
      fprintf(out, "%u ", state >> 16);
    }
    fprintf(out, "\n");
  }
  return fclose(out) != 0;
}
