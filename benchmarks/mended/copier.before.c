// Copies a text in capital letters.
#include <stdio.h>

int main(void) {
  FILE* const in = fopen("lines", "r");
  FILE* const out = fopen("out", "w");
  if (in == NULL || out == NULL) return 1;
  for (int pass = 0; pass < 3; ++pass) {
    rewind(in);
    for (int c = fgetc(in); c != EOF; c = fgetc(in)) {
      fputc(c >= 'a' && c <= 'z' ? c - 32 : c, out);
    }
  }
  fclose(in);
  return fclose(out) != 0;
}
