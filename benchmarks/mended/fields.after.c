// Writes a table of words, line by line.
#include <stdio.h>
#include <string.h>

static const char* const words[] = {"north", "south-west", "up", "everywhere", "x", "left of it"};

int main(void) {
  FILE* const out = fopen("out", "w");
  if (out == NULL) return 1;
  unsigned state = 1;
  char text[64];
  for (int line = 0; line < 3000000; ++line) {
    char* end = text;
    for (int field = 0; field < 4; ++field) {
      state = state * 1664525 + 1013904223;
      if (field > 0) *end++ = ';';
      const char* const word = words[(state >> 16) % 6];
      const size_t bytes = strlen(word);
      memcpy(end, word, bytes);
      end += bytes;
    }
    *end++ = '\n';
    fwrite(text, 1, (size_t)(end - text), out);
  }
  return fclose(out) != 0;
}
