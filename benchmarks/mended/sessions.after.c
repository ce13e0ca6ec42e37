// Notes each line of a text that has a certain number, in a log that is opened once.
#include <stdio.h>
#include <string.h>

int main(void) {
  FILE* const in = fopen("lines", "r");
  FILE* const log = fopen("out", "a");
  if (in == NULL || log == NULL) return 1;
  char line[256];
  for (unsigned long at = 1; fgets(line, sizeof line, in) != NULL; ++at) {
    if (strchr(line, '7') != NULL && at % 4 == 0) fprintf(log, "%lu: %s", at, line);
  }
  fclose(in);
  return fclose(log) != 0;
}
