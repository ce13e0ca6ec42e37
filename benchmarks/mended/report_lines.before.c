// Prints each line to a descriptor by dprintf.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
  int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  for (int i = 0; i < 300000; ++i) dprintf(out, "%d: %s %x\n", i, i % 2 ? "odd" : "even", i * 77);
  return close(out);
}
