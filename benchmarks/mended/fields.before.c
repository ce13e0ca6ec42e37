// Writes a table of words, field by field.
#include <stdio.h>

static const char* const words[] = {"north", "south-west", "up", "everywhere", "x", "left of it"};

int main(void) {
  FILE* const out = fopen("out", "w");
  if (out == NULL) return 1;
  unsigned state = 1;
  for (int line = 0; line < 3000000; ++line) {
    for (int field = 0; field < 4; ++field) {
      state = state * 1664525 + 1013904223;
      if (field > 0) fputc(';', out);
      fputs(words[(state >> 16) % 6], out);
    }
    fputc('\n', out);
  }
  return fclose(out) != 0;
}
