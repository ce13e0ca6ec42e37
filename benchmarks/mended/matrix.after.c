// Prints a table of numbers, and puts the digits of a row together by itself.
#include <stdio.h>

int main(void) {
  FILE* const out = fopen("out", "w");
  if (out == NULL) return 1;
  unsigned state = 1;
  static char line[1000 * 6 + 1];
  for (int row = 0; row < 1500; ++row) {
    size_t length = 0;
    for (int column = 0; column < 1000; ++column) {
      state = state * 1664525 + 1013904223;
      unsigned rest = state >> 16;
      char digits[5];
      int count = 0;
      do digits[count++] = (char)('0' + rest % 10);
      while ((rest /= 10) > 0);
      while (count > 0) line[length++] = digits[--count];
      line[length++] = ' ';
    }
    line[length++] = '\n';
    fwrite(line, 1, length, out);
  }
  return fclose(out) != 0;
}
