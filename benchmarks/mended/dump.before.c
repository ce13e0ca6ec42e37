// Prints the table as hexadecimal digits, sixteen bytes a line.
#include <stdio.h>

int main(void) {
  static const char digits[] = "0123456789abcdef";
  FILE* const in = fopen("table", "r");
  FILE* const out = fopen("out", "w");
  if (in == NULL || out == NULL) return 1;
  unsigned char bytes[16];
  size_t count;
  while ((count = fread(bytes, 1, sizeof bytes, in)) > 0) {
    char line[48];
    size_t length = 0;
    for (size_t i = 0; i < count; ++i) {
      line[length++] = digits[bytes[i] >> 4];
      line[length++] = digits[bytes[i] & 15];
      line[length++] = i + 1 < count ? ' ' : '\n';
    }
    fwrite(line, 1, length, out);
  }
  return fclose(out) != 0;
}
