// usage: flushes_all
//
// Writes a line to standard output, and flushes all streams.
#include <stdio.h>

int main(void) {
  fputs("a line\n", stdout);
  return fflush(NULL);
}
