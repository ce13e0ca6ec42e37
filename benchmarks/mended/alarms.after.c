// Writes a log through a stream with a buffer.
#include <stdio.h>
#include <string.h>
int main(void) {
  char line[256];
  FILE* log = fopen("out", "w");
  setvbuf(log, NULL, _IOFBF, 65536);
  for (int number = 0; fgets(line, sizeof line, stdin); ++number) {
    if (strchr(line, '7')) fprintf(log, "alarm %d: %s", number, line);
  }
  return fclose(log);
}
