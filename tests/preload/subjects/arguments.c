// usage: arguments
//
// Calls functions with arguments in every register and on the stack. A hook must leave all of them
// as they are.
#include <stdio.h>
#include <unistd.h>
#include <wchar.h>

int main(void) {
  printf("%d %s %ld %c %d\n", 1, "two", 3L, '4', 5);
  printf("%d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8);
  printf("%.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f\n", 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5);
  printf("%d %.3f %s %.3f %Lf\n", 1, 0.25, "text", 0.75, 3.5L);
  fflush(stdout);
  dprintf(STDOUT_FILENO, "%.3f %d %.3f %d %.3f %d %.3f %d %.3f %d %.3f %.3f %.3f %.3f\n", 0.5, 1,
          1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6.5, 7.5, 8.5);
  fwprintf(stderr, L"%.3f %d %.3f\n", 0.125, 9, 0.625);
  return 0;
}
