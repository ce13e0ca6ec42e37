// usage: runs_commands COMMAND...
//
// Gives each COMMAND to the shell, once by system() and once by popen(), and prints its status.
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  setvbuf(stdout, NULL, _IONBF, 0);
  for (int i = 1; i < count; ++i) {
    printf("system %d\n", system(words[i]));
    FILE* const pipe = popen(words[i], "r");
    if (pipe == NULL) return 1;
    for (int byte = getc(pipe); byte != EOF; byte = getc(pipe)) putchar(byte);
    printf("pclose %d\n", pclose(pipe));
  }
  return 0;
}
