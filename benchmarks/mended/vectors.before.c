// Prints each value of a vector by a call of its own.
#include <stdio.h>
int main(void) {
  for (int row = 0; row < 900000; ++row) {
    for (int column = 0; column < 8; ++column) printf("%d,", (row * 31 + column * 17) % 997);
    printf("\n");
  }
  return 0;
}
