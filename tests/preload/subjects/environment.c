// Prints its environment.
#include <stdio.h>

extern char** environ;

int main(void) {
  for (char** entry = environ; *entry != NULL; ++entry) puts(*entry);
  return 0;
}
