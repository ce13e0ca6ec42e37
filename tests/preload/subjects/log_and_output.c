// Writes a lot to standard output and now and then a line to standard error.
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 40000; ++i) {
    char line[100];
    snprintf(line, sizeof line, "a line of output, number %d\n", i);
    fputs(line, stdout);
    if (i % 7000 == 6999) fprintf(stderr, "a line of the log, at %d\n", i);
  }
  return 0;
}
