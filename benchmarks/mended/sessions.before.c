// Notes each line of a text that has a certain number, in a log that is opened for each note.
#include <stdio.h>
#include <string.h>

static void note(unsigned long at, const char* line) {
  FILE* const log = fopen("out", "a");
  if (log == NULL) return;
  fprintf(log, "%lu: %s", at, line);
  fclose(log);
}

int main(void) {
  FILE* const in = fopen("lines", "r");
  if (in == NULL) return 1;
  char line[256];
  for (unsigned long at = 1; fgets(line, sizeof line, in) != NULL; ++at) {
    if (strchr(line, '7') != NULL && at % 4 == 0) note(at, line);
  }
  return fclose(in) != 0;
}
