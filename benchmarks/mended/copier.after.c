// Copies a text in capital letters. Reads blocks.
#include <stdio.h>

int main(void) {
  FILE* const in = fopen("lines", "r");
  FILE* const out = fopen("out", "w");
  if (in == NULL || out == NULL) return 1;
  static unsigned char block[65536];
  for (int pass = 0; pass < 3; ++pass) {
    rewind(in);
    for (size_t bytes = 0; (bytes = fread(block, 1, sizeof block, in)) > 0;) {
      for (size_t i = 0; i < bytes; ++i) {
        const int c = block[i];
        fputc(c >= 'a' && c <= 'z' ? c - 32 : c, out);
      }
    }
  }
  fclose(in);
  return fclose(out) != 0;
}
