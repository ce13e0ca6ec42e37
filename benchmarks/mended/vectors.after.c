// Puts each value into an array, and writes the array by one fwrite.
#include <stdio.h>
static char text[65536];
static size_t used;
static void number(unsigned value) {
  char digits[12];
  int at = sizeof digits;
  do digits[--at] = '0' + value % 10;
  while (value /= 10);
  while (at < (int)sizeof digits) text[used++] = digits[at++];
}
int main(void) {
  for (int row = 0; row < 900000; ++row) {
    for (int column = 0; column < 8; ++column) {
      number((row * 31 + column * 17) % 997);
      text[used++] = ',';
    }
    text[used++] = '\n';
    if (used > 65000) used = fwrite(text, 1, used, stdout) * 0;
  }
  fwrite(text, 1, used, stdout);
  return 0;
}
