// usage: scan_numbers
//
// Adds the numbers that standard input has, by scanf(), and prints the sum.
#include <stdio.h>

int main(void) {
  long sum = 0;
  long number;
  while (scanf("%ld", &number) == 1) sum += number;
  printf("%ld\n", sum);
  return 0;
}
