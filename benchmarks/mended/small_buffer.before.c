// Filters lines through streams with small buffers.
#include <stdio.h>
#include <string.h>
static char input[64], output[64];
int main(void) {
  char line[256];
  setvbuf(stdin, input, _IOFBF, sizeof input);
  setvbuf(stdout, output, _IOFBF, sizeof output);
  while (fgets(line, sizeof line, stdin)) {
    if (line[5] != '9') fputs(line, stdout);
  }
  return 0;
}
