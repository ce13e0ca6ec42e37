// usage: upper_case
//
// Writes standard input to standard output in upper case, by functions that the C library's headers
// inline.
#include <ctype.h>
#include <stdio.h>

int main(void) {
  int byte;
  while ((byte = getchar()) != EOF) {
    putchar(toupper(byte));  // the place
  }
  return 0;
}
