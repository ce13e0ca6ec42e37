// Prints the table as hexadecimal digits, sixteen bytes a line and many lines a call.
#include <stdio.h>

int main(void) {
  static const char digits[] = "0123456789abcdef";
  FILE* const in = fopen("table", "r");
  FILE* const out = fopen("out", "w");
  if (in == NULL || out == NULL) return 1;
  unsigned char bytes[16];
  static char lines[65536];
  size_t length = 0;
  size_t count;
  while ((count = fread(bytes, 1, sizeof bytes, in)) > 0) {
    for (size_t i = 0; i < count; ++i) {
      lines[length++] = digits[bytes[i] >> 4];
      lines[length++] = digits[bytes[i] & 15];
      lines[length++] = i + 1 < count ? ' ' : '\n';
    }
    if (length > sizeof lines - 48) {
      fwrite(lines, 1, length, out);
      length = 0;
    }
  }
  fwrite(lines, 1, length, out);
  return fclose(out) != 0;
}
