// Removes everything between ( and ), and looks one character ahead.
#include <stdio.h>
int main(void) {
  FILE* in = fopen("lines", "r");
  int depth = 0;
  for (int c; (c = fgetc(in)) != EOF;) {
    if (c == '-') {
      int next = fgetc(in);
      if (next != EOF) ungetc(next, in);
      if (next >= '5' && next <= '9') depth = 1;
    }
    if (c == '\n') depth = 0;
    if (!depth) fputc(c, stdout);
  }
  fclose(in);
  return 0;
}
