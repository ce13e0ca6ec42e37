// Reads by a FILE.
#include <stdio.h>
int main(void) {
  char text[256];
  unsigned long sum = 0;
  for (int i = 0; i < 120000; ++i) {
    int used = 0, c;
    while (used < 255 && (c = getc(stdin)) != EOF) {
      text[used++] = c;
      if (c == '\n') break;
    }
    text[used] = 0;
    sum = sum * 7 + used + text[5];
  }
  printf("%lu\n", sum);
  return 0;
}
