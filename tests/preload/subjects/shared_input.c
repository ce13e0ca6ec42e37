// usage: shared_input LINES NEXT
//
// Reads LINES lines of standard input. What it leaves is for NEXT: a child ("system"), after which
// it goes on itself; or whoever shares the input, because it closes it ("fclose", "freopen").
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int let_a_child_read(char* line, int bytes) {
  if (system("head -c 100") != 0) return 1;
  while (fgets(line, bytes, stdin) != NULL) fputs(line, stdout);
  return 0;
}

int main(int count, char** words) {
  if (count != 3) return 2;
  char line[300];
  for (long left = strtol(words[1], NULL, 10); left > 0 && fgets(line, sizeof line, stdin) != NULL;
       --left) {
  }
  fputs(line, stdout);
  fflush(stdout);
  if (strcmp(words[2], "system") == 0) return let_a_child_read(line, sizeof line);
  if (strcmp(words[2], "fclose") == 0) return fclose(stdin);
  return freopen("/dev/null", "r", stdin) == NULL;
}
