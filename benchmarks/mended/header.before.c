// Reads a header byte by byte with read(2), line by line.
#include <stdio.h>
#include <unistd.h>
static int line(int file, char* to, int room) {
  int used = 0;
  char c;
  while (used < room - 1 && read(file, &c, 1) == 1) {
    to[used++] = c;
    if (c == '\n') break;
  }
  to[used] = 0;
  return used;
}
int main(void) {
  char text[256];
  unsigned long sum = 0;
  for (int i = 0; i < 120000; ++i) sum = sum * 7 + line(0, text, sizeof text) + text[5];
  printf("%lu\n", sum);
  return 0;
}
