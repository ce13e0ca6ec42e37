// usage: prints LINES
//
// Prints LINES lines to standard output, each by printf().
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  const long lines = count == 2 ? strtol(words[1], NULL, 10) : 0;
  for (long i = 0; i < lines; ++i) printf("%ld\n", i);
  return 0;
}
