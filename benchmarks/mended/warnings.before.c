// Reports to standard error, which is a file here.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
  int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (dup2(out, 2) < 0) return 1;
  for (int i = 0; i < 400000; ++i)
    fprintf(stderr, "warning: value %d of %d is odd\n", i, i * 3 % 101);
  return 0;
}
