// Numbers the lines of standard input that contain argv[1].
#include <stdio.h>
#include <string.h>

int main(int count, char** arguments) {
  char line[1000];
  unsigned long number = 0;
  while (fgets(line, sizeof line, stdin) != NULL) {
    ++number;
    if (count > 1 && strstr(line, arguments[1]) == NULL) continue;
    printf("%6lu: ", number);
    for (const char* at = line; *at != '\0'; ++at) putchar(*at);
  }
  return ferror(stdin) || fflush(stdout) != 0;
}
